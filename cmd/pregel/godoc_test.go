package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// conventional are methods whose name says all.
var conventional = []string{"Error", "String", "Unwrap"}

// Every exported name has a comment, and every package says what it is for.
func TestEverythingExportedIsDocumented(t *testing.T) {
	packages := map[string]bool{} // whether a file has a package comment
	files := token.NewFileSet()
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2 || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		packages[filepath.Dir(path)] = packages[filepath.Dir(path)] || file.Doc != nil
		for _, decl := range file.Decls {
			for _, name := range undocumented(decl) {
				t.Errorf("%s: %s has no comment", files.Position(decl.Pos()), name)
			}
		}
		return nil
	})
	if err != nil || len(packages) < 20 {
		t.Fatalf("%d packages, %v", len(packages), err)
	}
	for dir, documented := range packages {
		if !documented {
			t.Errorf("%s: no package comment", dir)
		}
	}
}

// undocumented returns the exported names that a declaration leaves without a
// comment of their own or of their group.
func undocumented(decl ast.Decl) []string {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) && !slices.Contains(conventional, d.Name.Name) {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		var names []string
		for _, spec := range d.Specs {
			names = append(names, undocumentedSpec(d, spec)...)
		}
		return names
	}
	return nil
}

func undocumentedSpec(d *ast.GenDecl, spec ast.Spec) (names []string) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
			names = append(names, s.Name.Name)
		}
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
				names = append(names, name.Name)
			}
		}
	}
	return names
}

// exportedReceiver tells whether a function is no method, or one of an exported
// type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return false
		}
	}
}
