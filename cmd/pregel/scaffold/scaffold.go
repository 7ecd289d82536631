// Package scaffold writes a Go module of the user's own, with a program to begin
// with: `pregel new`. The files are the templates in module/; the requirements are
// those of the clone of gopregel that the module is built with, so that nothing has
// to be looked up.
package scaffold

import (
	"embed"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"gopregel/programs"
)

//go:embed module
var templates embed.FS

// A Module is what is to be written.
type Module struct {
	Name   string // of the package and its folder
	Module string // the path of the module
	Clone  string // the folder of gopregel
	Kernel bool   // with a CUDA twin and a job file for it alone
}

// A file of the module and its template.
type file struct {
	path, template string
	kernel         bool // only with one
}

func (m Module) files() []file {
	list := []file{
		{m.Name + ".go", "program.go.tmpl", false},
		{m.Name + "_test.go", "program_test.go.tmpl", false},
		{filepath.Join("cmd", m.Name, "main.go"), "main.go.tmpl", false},
		{"certify.go", "certify.go.tmpl", false},
		{"job.yaml", "job.yaml.tmpl", false},
		{".gitignore", "gitignore.tmpl", false},
		{m.Name + ".cu", "program.cu.tmpl", true},
		{"kernel.yaml", "kernel.yaml.tmpl", true},
	}
	return slices.DeleteFunc(list, func(f file) bool { return f.kernel && !m.Kernel })
}

var (
	nameForm   = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	moduleForm = regexp.MustCompile(`^[a-zA-Z0-9_~][a-zA-Z0-9_~.-]*(/[a-zA-Z0-9_~][a-zA-Z0-9_~.-]*)*$`) // no ".." and no empty part
	hostForm   = regexp.MustCompile(`^[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)+/`)
)

// taken are names of packages that the files import, and that mean something else
// to Go or in the files; standard those of the standard library, which a module
// without a dot in its path would hide behind.
var (
	taken = strings.Fields(`main slices pregel graph cpu cuda certify command programs pregeltest gopregel internal vendor testdata cmd
		run program label ids reached text algorithm reference min max append len make string uint32 bool error nil true false`)
	standard = strings.Fields(`archive arena bufio builtin bytes cmp compress container context crypto database debug embed encoding errors
		expvar flag fmt go hash html image index io iter log maps math mime net os path plugin reflect regexp runtime simd sort strconv
		structs sync syscall testing text time unicode unique unsafe weak`)
)

// Check finds names that would not build.
func (m Module) Check() error {
	switch {
	case !nameForm.MatchString(m.Name):
		return fmt.Errorf("NAME: found %q, allowed: the name of a Go package: lower-case letters and digits, a letter first", m.Name)
	case token.IsKeyword(m.Name), slices.Contains(taken, m.Name), slices.Contains(standard, m.Name):
		return fmt.Errorf("NAME: found %q, which has a meaning in the files to be written; allowed: any other", m.Name)
	case slices.ContainsFunc(programs.All(), func(e programs.Entry) bool { return e.Name == m.Name }):
		return fmt.Errorf("NAME: found %q, which is a program of pregel's own; allowed: any other", m.Name)
	case !moduleForm.MatchString(m.Module), strings.HasSuffix(m.Module, "."), m.Module == "gopregel", strings.HasPrefix(m.Module, "gopregel/"):
		return fmt.Errorf("--module: found %q, allowed: the path of a module, such as example.org/%s", m.Module, m.Name)
	case slices.Contains(standard, strings.Split(m.Module, "/")[0]):
		return fmt.Errorf("--module: found %q, which begins as a package of Go's own does, allowed: a path such as example.org/%s", m.Module, m.Name)
	case filepath.Base(filepath.FromSlash(m.Module)) != m.Name:
		return fmt.Errorf("--module: found %q, allowed: a path that ends in /%s, as the package is called so", m.Module, m.Name)
	}
	return nil
}

// Place names the module by what a user says, and checks that: its folder, or its path where
// that begins with a host and no folder stands there. It returns the folder.
func (m *Module) Place(said string) (dir string, err error) {
	dir, m.Name = said, filepath.Base(said)
	parent := filepath.Dir(said)
	_, err = os.Stat(parent)
	missing := errors.Is(err, os.ErrNotExist)
	switch {
	case m.Module != "":
	case missing && hostForm.MatchString(said):
		m.Module, dir, missing = said, m.Name, false
	default:
		m.Module = m.Name
	}
	if err := m.Check(); err != nil {
		return "", err
	}
	if missing {
		return "", fmt.Errorf("NAME: found %q, but there is no folder %s; allowed: the name of the package, a folder to make in one that is there, "+
			"or, without --module, the path of a module, such as example.org/%s, for the folder %[3]s", said, parent, m.Name)
	}
	return dir, nil
}

// Write makes the folder dir with the module. Files that are there are never
// written over: they are an error, and nothing is changed.
func (m Module) Write(dir string) (paths []string, err error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	content, err := m.render()
	if err != nil {
		return nil, err
	}
	for path := range content {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	var there []string
	for _, path := range paths {
		if _, err := os.Lstat(filepath.Join(dir, path)); err == nil {
			there = append(there, filepath.Join(dir, path))
		}
	}
	if len(there) > 0 {
		return nil, fmt.Errorf("there already: %s; nothing was written", strings.Join(there, ", "))
	}
	return paths, place(dir, paths, content)
}

// place writes all files, or none: into a folder beside dir, then to where they
// belong.
func place(dir string, paths []string, content map[string][]byte) (err error) {
	dir = filepath.Clean(dir)
	beside, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".new-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(beside)) }()
	for _, path := range paths {
		to := filepath.Join(beside, path)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, content[path], 0o644); err != nil {
			return err
		}
	}
	if _, err := os.Lstat(dir); errors.Is(err, os.ErrNotExist) {
		if err := os.Chmod(beside, 0o755); err != nil {
			return err
		}
		return os.Rename(beside, dir)
	}
	var done []string
	for _, path := range paths {
		to := filepath.Join(dir, path)
		err := os.MkdirAll(filepath.Dir(to), 0o755)
		if err == nil {
			err = os.Link(filepath.Join(beside, path), to) // which writes over nothing
		}
		if err != nil {
			for _, d := range done {
				err = errors.Join(err, os.Remove(d))
			}
			return err
		}
		done = append(done, to)
	}
	return nil
}

func (m Module) render() (map[string][]byte, error) {
	content := map[string][]byte{}
	for _, f := range m.files() {
		t, err := template.ParseFS(templates, "module/"+f.template)
		if err != nil {
			return nil, err
		}
		var b strings.Builder
		if err := t.Execute(&b, m); err != nil {
			return nil, err
		}
		text := []byte(b.String())
		if filepath.Ext(f.path) == ".go" {
			if text, err = format.Source(text); err != nil {
				return nil, fmt.Errorf("%s: %w", f.path, err)
			}
		}
		content[f.path] = text
	}
	var err error
	content["go.mod"], content["go.sum"], err = m.requirements()
	return content, err
}
