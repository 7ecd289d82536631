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
	fileName  = "superstep-%010d.checkpoint"
	pieceName = "superstep-%010d-and-%d.checkpoint" // within a phase
	leftover  = ".pregel-*.tmp"
)

// pointOf is the place of a checkpoint after some supersteps, and pieces.
func pointOf(dir string, supersteps, pieces int) Point {
	name := fmt.Sprintf(fileName, supersteps)
	if pieces > 0 {
		name = fmt.Sprintf(pieceName, supersteps, pieces)
	}
	return Point{filepath.Join(dir, name), supersteps, pieces}
}

// parsePoint reads the name of a file.
func parsePoint(dir, name string) (Point, bool) {
	var supersteps, pieces int
	if _, err := fmt.Sscanf(name, pieceName, &supersteps, &pieces); err != nil {
		pieces = 0
		if _, err := fmt.Sscanf(name, fileName, &supersteps); err != nil {
			return Point{}, false
		}
	}
	p := pointOf(dir, supersteps, pieces)
	return p, filepath.Base(p.File) == name
}

// points lists the checkpoints in a folder, whole or not, ascending.
func points(dir string) ([]Point, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []Point
	for _, e := range entries {
		if p, ok := parsePoint(dir, e.Name()); ok {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.Supersteps, b.Supersteps), cmp.Compare(a.Pieces, b.Pieces))
	})
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
