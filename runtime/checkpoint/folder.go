package checkpoint

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// The names of files: those of checkpoints, and of what a process has left that was
// ended while it wrote one (package atomicfile).
const (
	fileName = "superstep-%010d.checkpoint"
	leftover = ".pregel-*.tmp"
)

// points lists the checkpoints in a folder, whole or not, ascending.
func points(dir string) ([]Point, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []Point
	for _, e := range entries {
		var supersteps int
		if _, err := fmt.Sscanf(e.Name(), fileName, &supersteps); err == nil && e.Name() == fmt.Sprintf(fileName, supersteps) {
			list = append(list, Point{filepath.Join(dir, e.Name()), supersteps})
		}
	}
	slices.SortFunc(list, func(a, b Point) int { return cmp.Compare(a.Supersteps, b.Supersteps) })
	return list, nil
}

// Newest returns the newest checkpoint in a folder by its name, nil if there is none.
func Newest(dir string) (*Point, error) {
	list, err := points(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(list) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &list[len(list)-1], nil
}

// sweep takes away what was never complete.
func sweep(dir string) error {
	list, err := filepath.Glob(filepath.Join(escape(dir), leftover))
	for _, path := range list {
		err = errors.Join(err, remove(path))
	}
	return err
}

// escape makes a path a pattern that matches it alone.
func escape(path string) string {
	var b []rune
	for _, r := range path {
		if r == '*' || r == '?' || r == '[' || r == '\\' {
			b = append(b, '\\')
		}
		b = append(b, r)
	}
	return string(b)
}

// remove takes a file away, if it is there.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
