package grade

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// warp is the grader of answers in numbers: questions about the arcs of 32 vertices,
// which follow from the seed in the file of answers.
type warp struct{}

// A question has a key in the file of answers.
type question struct {
	key, asks, hint string
	answer          func(p *piece) int
}

// A piece is the arcs of 32 vertices in CSR form: a lane for each.
type piece struct {
	offsets []int // 33 of them, in targets
	targets []int // of the piece alone; targets[0] is at offsets[0]
	hub     int   // the vertex of most arcs
}

const sector = 32 // bytes that are read together

var questions = []question{
	{"thread_sectors", "A lane for each vertex. In the first step each lane with arcs reads its first one, 4 bytes at targets[offset]. How many sectors of 32 bytes are read?",
		"target i is in sector ⌊4i / 32⌋; lanes whose arcs begin in the same sector read it once", func(p *piece) int {
			sectors := map[int]bool{}
			for v := range 32 {
				if p.degree(v) > 0 {
					sectors[p.offsets[v]*4/sector] = true
				}
			}
			return len(sectors)
		}},
	{"warp_sectors", "All 32 lanes for the vertex of most arcs, which they read side by side, in one step. How many sectors are read?",
		"from the sector of its first arc to that of its last", func(p *piece) int {
			return (p.offsets[p.hub+1]-1)*4/sector - p.offsets[p.hub]*4/sector + 1
		}},
	{"contention", "All 32 vertices push along all their arcs, by an atomic operation each. How many operations has the target that has the most?",
		"it is the in-degree that counts: how often does each target occur?", func(p *piece) int {
			times, most := map[int]int{}, 0
			for _, v := range p.targets {
				times[v]++
				most = max(most, times[v])
			}
			return most
		}},
	{"idle", "A lane for each vertex, one arc a step, until the last lane is done. How many times does a lane wait for a step?",
		"32 lanes take as many steps as the greatest degree; what of these are arcs?", func(p *piece) int {
			return warpSize*p.degree(p.hub) - len(p.targets)
		}},
}

func (p *piece) degree(v int) int { return p.offsets[v+1] - p.offsets[v] }

// newPiece draws a piece: most vertices have few arcs, one has many.
func newPiece(seed uint64) *piece {
	r := rand.New(rand.NewPCG(seed, 0x3a4f))
	p := &piece{offsets: []int{r.IntN(200)}, hub: r.IntN(warpSize)}
	for v := range warpSize {
		degree := max(r.IntN(5), r.IntN(2)*r.IntN(4)) * min(r.IntN(6), 1)
		if v == p.hub {
			degree = 17 + r.IntN(15)
		}
		for range degree {
			p.targets = append(p.targets, 1+min(r.IntN(40), r.IntN(40)))
		}
		slices.Sort(p.targets[len(p.targets)-degree:])
		p.offsets = append(p.offsets, p.offsets[v]+degree)
	}
	return p
}

// String writes the piece as a table.
func (p *piece) String() string {
	var b strings.Builder
	b.WriteString("lane  offset  targets\n")
	for v := range warpSize {
		lo, hi := p.offsets[v]-p.offsets[0], p.offsets[v+1]-p.offsets[0]
		fmt.Fprintf(&b, "%4d  %6d ", v, p.offsets[v])
		for _, t := range p.targets[lo:hi] {
			fmt.Fprintf(&b, " %d", t)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (warp) grade(_ context.Context, x *exam) (list []Verdict, _ string, err error) {
	path := filepath.Join(x.Folder, x.lesson, "answers.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, "", fmt.Errorf("exercise %s: %w: run it in the folder of the clone, or name the folder of the course by --folder", x.name, err)
	}
	seed, given, err := parseAnswers(path, text)
	if err != nil {
		return nil, "", fmt.Errorf("exercise %s: %w", x.name, err)
	}
	p := newPiece(seed)
	shown := false
	for _, q := range questions {
		v := Verdict{Criterion: q.key, Status: OK, Says: q.asks}
		if found, want := given[q.key], q.answer(p); found == nil || *found != want {
			v.Status, v.Miss = Failed, &Miss{Found: "no answer", Wanted: "a whole number, " + q.key + " in " + path, Hint: q.hint}
			if found != nil {
				v.Miss.Found = fmt.Sprintf("%d, which is too %s", *found, map[bool]string{true: "many", false: "few"}[*found > want])
			}
			if !shown {
				v.Miss.On, shown = fmt.Sprintf("the warp of seed %d; targets[0] is at the beginning of a sector\n%s", seed, p), true
			}
		}
		list = append(list, v)
	}
	return list, "", nil
}

// parseAnswers reads the file of answers; what is left empty is nil.
func parseAnswers(path string, text []byte) (seed uint64, given map[string]*int, err error) {
	var doc yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return 0, nil, fmt.Errorf("%s: %w", path, err)
	}
	keys := []string{"seed"}
	for _, q := range questions {
		keys = append(keys, q.key)
	}
	if doc.Kind == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return 0, nil, fmt.Errorf("%s: found no mapping, allowed: the keys %s", path, strings.Join(keys, ", "))
	}
	given = map[string]*int{}
	seen := map[string]bool{}
	for list := doc.Content[0].Content; len(list) > 1; list = list[2:] {
		key, value := list[0], list[1]
		switch where := fmt.Sprintf("%s:%d", path, key.Line); {
		case !slices.Contains(keys, key.Value):
			return 0, nil, fmt.Errorf("%s: found the key %q, allowed: %s", where, key.Value, strings.Join(keys, ", "))
		case seen[key.Value]:
			return 0, nil, fmt.Errorf("%s: found %s twice, allowed: once", where, key.Value)
		case key.Value == "seed":
			if seed, err = strconv.ParseUint(value.Value, 10, 64); err != nil || value.Tag != "!!int" {
				return 0, nil, fmt.Errorf("%s: seed: found %q, allowed: a whole number from 0 on", where, value.Value)
			}
		case value.Tag != "!!null":
			n, err := strconv.Atoi(value.Value)
			if err != nil || value.Tag != "!!int" || n < 0 {
				return 0, nil, fmt.Errorf("%s: %s: found %q, allowed: a whole number from 0 on, or nothing", where, key.Value, value.Value)
			}
			given[key.Value] = &n
		}
		seen[key.Value] = true
	}
	if !seen["seed"] {
		return 0, nil, fmt.Errorf("%s: found no seed, allowed: a whole number", path)
	}
	return seed, given, nil
}
