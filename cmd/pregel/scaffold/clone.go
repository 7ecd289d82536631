package scaffold

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// FindClone finds the folder of gopregel's source: the one given, the one this
// command was built from, or one that the current folder lies in.
func FindClone(given string) (string, error) {
	if given != "" {
		dir, err := filepath.Abs(given)
		if err == nil && !isClone(dir) {
			err = fmt.Errorf("--gopregel: found %s, which has no go.mod of gopregel, allowed: the folder of a clone", given)
		}
		return dir, err
	}
	if _, path, _, ok := runtime.Caller(0); ok {
		if dir := filepath.Join(filepath.Dir(path), "..", "..", ".."); filepath.IsAbs(dir) && isClone(dir) {
			return dir, nil
		}
	}
	dir, err := os.Getwd()
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if isClone(dir) {
			return dir, nil
		}
	}
	return "", fmt.Errorf("found no source of gopregel where this pregel was built, nor around the current folder: name the folder of a clone by --gopregel")
}

func isClone(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && bytes.HasPrefix(text, []byte("module gopregel\n"))
}

// requirements are go.mod and go.sum: gopregel in its folder, and what that
// requires.
func (m Module) requirements() (mod, sum []byte, err error) {
	of, err := os.ReadFile(filepath.Join(m.Clone, "go.mod"))
	if err != nil {
		return nil, nil, err
	}
	if sum, err = os.ReadFile(filepath.Join(m.Clone, "go.sum")); err != nil {
		return nil, nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "module %s\n\n", m.Module)
	inside := false
	var requires []string
	for lines := bufio.NewScanner(bytes.NewReader(of)); lines.Scan(); {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "go "):
			fmt.Fprintf(&b, "%s\n\n", line)
		case line == "require (":
			inside = true
		case line == ")":
			inside = false
		case inside:
			line = strings.TrimSpace(line)
			if !strings.Contains(line, "// indirect") {
				line += " // indirect"
			}
			requires = append(requires, "\t"+line+"\n")
		}
	}
	fmt.Fprintf(&b, "require gopregel v0.0.0\n\nrequire (\n%s)\n\nreplace gopregel => %s\n", strings.Join(requires, ""), quoted(m.Clone))
	return []byte(b.String()), sum, nil
}

// quoted writes a path as go.mod wants it.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t\"'`()[]{},;!") {
		return fmt.Sprintf("%q", path)
	}
	return path
}
