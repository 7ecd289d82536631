// Package soak runs the built-in programs on random graphs with random options for
// as long as one likes, and keeps what goes wrong as a file that repeats it.
//
// A Trial is one run, as data: the lines of a graph, the program with its
// parameters, the form of the file, the engine's options. Draw makes one of a seed
// (draw.go). Check writes the graph, reads it, runs the program and holds the answer
// to its certificate, to that of the plainest configuration, and to what is read
// back from its file (check.go). Shrink makes a failing trial as small as it still
// fails (shrink.go). Run is the loop over seeds (soak.go). Programs may run on a device
// (device.go).
package soak

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"gopregel/pregel/atomicfile"
)

// A Trial is one run of a program.
type Trial struct {
	Seed    uint64            `json:"seed"`
	Program string            `json:"program"`
	Params  map[string]string `json:"params"` // as in a job file
	Graph   Graph             `json:"graph"`
	Engine  Engine            `json:"engine"`
	Output  string            `json:"output"` // the ending of the answer's file
}

// A Graph is lines of text and how they become a graph.
type Graph struct {
	Directed   bool     `json:"directed"`
	IDs        string   `json:"ids"`        // integer or string
	Vertices   string   `json:"vertices"`   // endpoints or range
	Loops      string   `json:"self_loops"` // keep or drop
	Duplicates string   `json:"duplicates"` // keep or min
	File       string   `json:"file"`       // the ending of the file that the program's graph is read from
	Lines      []string `json:"lines"`      // source, target and perhaps weight
}

// An Engine is how the program runs.
type Engine struct {
	Workers     int    `json:"workers"`
	Direction   string `json:"direction"`
	Determinism string `json:"determinism"`
	Schedule    string `json:"schedule"`
	Order       string `json:"order"`            // of the prepared graph; none: it is not prepared
	Device      string `json:"device,omitempty"` // cuda; "": the CPU
	Wide        bool   `json:"wide,omitempty"`   // 64-bit offsets, on a device
}

func (t *Trial) String() string {
	g, e := &t.Graph, &t.Engine
	var params strings.Builder
	for _, name := range slices.Sorted(maps.Keys(t.Params)) {
		fmt.Fprintf(&params, " %s=%s", name, t.Params[name])
	}
	device := ""
	if e.Device != "" {
		device = fmt.Sprintf(", on %s, wide offsets %v", e.Device, e.Wide)
	}
	graph := fmt.Sprintf("%d lines, directed %v, ids %s, vertices %s, self_loops %s, duplicates %s, by way of %s",
		len(g.Lines), g.Directed, g.IDs, g.Vertices, g.Loops, g.Duplicates, g.File)
	return fmt.Sprintf("seed %d: %s%s; %s; workers %d, direction %s, determinism %s, schedule %s, order %s%s; answer %s",
		t.Seed, t.Program, &params, graph, e.Workers, e.Direction, e.Determinism, e.Schedule, e.Order, device, t.Output)
}

// Write keeps the trial in a file.
func (t *Trial) Write(path string) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(t)
	})
}

// Read reads a trial that Write has kept.
func Read(path string) (*Trial, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t := &Trial{}
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	if err := d.Decode(t); err != nil {
		return nil, fmt.Errorf("%s: no trial of pregel soak: %w", path, err)
	}
	if t.Engine.Wide && t.Engine.Device == "" {
		return nil, fmt.Errorf("%s: engine.wide: found true, allowed with a device", path)
	}
	return t, nil
}
