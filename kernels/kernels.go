// Package kernels holds the CUDA sources of the built-in programs, and reads
// those that users bring. It launches nothing and needs no CUDA: the engine
// compiles what it finds here for the device at hand.
//
// A source is one .cu file with its headers put in; only the headers embedded
// here can be included. Its entry points are the functions declared
//
//	extern "C" __global__ void NAME(parameters)
//
// with parameters that are pointers, numbers of 32 or 64 bits, or structs that
// the source declares. Parse finds and checks them, so that a mistake shows
// before anything is compiled, with its file and line; #line directives keep
// the compiler's own messages to the file and line that the user wrote.
//
// Thresholds and shapes of launches are in tuning.go, apart from the kernels.
// Package reference computes the same results the plain way.
package kernels

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed *.cu *.cuh
var files embed.FS

// A Source is a CUDA source, ready to be compiled.
type Source struct {
	Name    string
	Text    string // with the headers put in
	Entries []Entry
}

// An Entry is a kernel that can be launched.
type Entry struct {
	Name   string
	Params []Param
	At     Position
}

// A Param is a parameter of an entry point.
type Param struct {
	Type string // as "const u32 *"
	Name string // "" when it has none
}

// Pointer tells whether the parameter takes the address of a buffer.
func (p Param) Pointer() bool { return strings.HasSuffix(p.Type, "*") }

// A Position is a place in a source or a header.
type Position struct {
	File string
	Line int
}

func (p Position) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// An Error is what is wrong with a source.
type Error struct {
	At   Position
	Text string
}

func (e *Error) Error() string { return e.At.String() + ": " + e.Text }

// Entry finds an entry point by its name.
func (s Source) Entry(name string) (Entry, error) {
	for _, e := range s.Entries {
		if e.Name == name {
			return e, nil
		}
	}
	return Entry{}, fmt.Errorf("kernels: %s has no entry point %q; it has %s", s.Name, name, list(entryNames(s.Entries)))
}

func entryNames(entries []Entry) []string {
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name
	}
	return names
}

// Get returns the embedded source of a name: "wcc" for wcc.cu.
func Get(name string) (Source, error) {
	text, err := files.ReadFile(name + ".cu")
	if err != nil {
		return Source{}, fmt.Errorf("kernels: no source %q; there are %s", name, list(embedded(".cu")))
	}
	s, err := Parse(name+".cu", string(text))
	s.Name = name
	return s, err
}

// All returns the embedded sources, by name.
func All() []Source {
	var all []Source
	for _, name := range embedded(".cu") {
		s, err := Get(name)
		if err != nil {
			panic(err) // a test reads them all
		}
		all = append(all, s)
	}
	return all
}

// Header returns the text of an embedded header, such as "base.cuh", with the
// headers that it includes.
func Header(name string) (string, error) {
	text, err := header(name)
	if err != nil {
		return "", fmt.Errorf("kernels: %w", err)
	}
	return Expand(name, text)
}

func header(name string) (string, error) {
	if !strings.ContainsAny(name, `/\`) && strings.HasSuffix(name, ".cuh") {
		if text, err := files.ReadFile(name); err == nil {
			return string(text), nil
		}
	}
	return "", fmt.Errorf("no header %q; there are %s", name, list(headers()))
}

func headers() []string {
	names := embedded(".cuh")
	for i := range names {
		names[i] += ".cuh"
	}
	return names
}

// embedded names the files with an ending, without it, in order.
func embedded(ending string) []string {
	names, err := fs.Glob(files, "*"+ending)
	if err != nil {
		panic(err) // the pattern is right
	}
	for i := range names {
		names[i] = strings.TrimSuffix(names[i], ending)
	}
	slices.Sort(names)
	return names
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
