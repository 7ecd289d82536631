package pregeltest

import (
	"fmt"
	"slices"
	"sync"

	"pgregory.net/rapid"

	"gopregel/pregel"
)

// A Shadow remembers which vertex has read and written what in the superstep under
// way, of columns that a program keeps beside its values: shared slices in a phase,
// say. It finds what the outcome of a run need not show:
//
//   - a place that one vertex writes and another reads in the same superstep;
//   - a place that two vertices write;
//   - companions, such as a distance and the parent it came from, of which one
//     vertex has written the one and another the other.
//
// The program does its reads and writes by Get and Set of a Watched column, which in
// a test is one of a Shadow, else a slice of its own. The superstep is that of the
// Place; a phase gives Place{ID: v, Superstep: …}.
type Shadow struct {
	mu        sync.Mutex
	superstep int32
	columns   []*touches
	pairs     [][2]int
	hazards   []Hazard
}

// A Hazard is an access that another vertex's access makes uncertain.
type Hazard struct {
	Superstep     int32
	Column        string
	Place         uint32
	First, Second uint32 // the vertices, in the order of their accesses
	What          string
}

func (h Hazard) String() string {
	return fmt.Sprintf("superstep %d: %s[%d]: vertex %d %s vertex %d", h.Superstep, h.Column, h.Place, h.Second, h.What, h.First)
}

// touches are the accesses of one superstep to one column.
type touches struct {
	name    string
	writer  map[uint32]uint32 // by place
	readers map[uint32][]uint32
}

// A Watched column is one of a Shadow.
type Watched[T any] struct {
	shadow *Shadow
	index  int
	values []T
}

// Watch puts a column under watch. values are where it lies, and stay the
// program's own.
func Watch[T any](s *Shadow, name string, values []T) *Watched[T] {
	s.columns = append(s.columns, &touches{name: name})
	s.columns[len(s.columns)-1].clear()
	return &Watched[T]{s, len(s.columns) - 1, values}
}

// Companions says that two columns belong together: whoever writes a place of one
// has to write that of the other, unless none other does.
func Companions[T, U any](a *Watched[T], b *Watched[U]) {
	a.shadow.pairs = append(a.shadow.pairs, [2]int{a.index, b.index})
}

// Get reads place i for the vertex of p.
func (c *Watched[T]) Get(p pregel.Place, i uint32) T {
	c.shadow.mu.Lock()
	defer c.shadow.mu.Unlock()
	c.shadow.read(c.index, p, i)
	return c.values[i]
}

// Set writes place i for the vertex of p.
func (c *Watched[T]) Set(p pregel.Place, i uint32, x T) {
	c.shadow.mu.Lock()
	defer c.shadow.mu.Unlock()
	c.shadow.write(c.index, p, i)
	c.values[i] = x
}

// Hazards returns what was found, the first of each column and kind.
func (s *Shadow) Hazards() []Hazard {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn(s.superstep + 1)
	return slices.Clone(s.hazards)
}

// Report makes every hazard an error of the test.
func (s *Shadow) Report(t rapid.TB) {
	t.Helper()
	for _, h := range s.Hazards() {
		t.Errorf("%v", h)
	}
}

func (t *touches) clear() { t.writer, t.readers = map[uint32]uint32{}, map[uint32][]uint32{} }

func (s *Shadow) read(column int, p pregel.Place, i uint32) {
	s.turn(p.Superstep)
	t := s.columns[column]
	if w, ok := t.writer[i]; ok && w != p.ID {
		s.find(t, i, w, p.ID, "reads what was written in the same superstep by")
	}
	if !slices.Contains(t.readers[i], p.ID) {
		t.readers[i] = append(t.readers[i], p.ID)
	}
}

func (s *Shadow) write(column int, p pregel.Place, i uint32) {
	s.turn(p.Superstep)
	t := s.columns[column]
	if w, ok := t.writer[i]; ok && w != p.ID {
		s.find(t, i, w, p.ID, "writes over")
	}
	for _, r := range t.readers[i] {
		if r != p.ID {
			s.find(t, i, r, p.ID, "writes what was read in the same superstep by")
			break
		}
	}
	t.writer[i] = p.ID
}

func (s *Shadow) find(t *touches, i, first, second uint32, what string) {
	h := Hazard{s.superstep, t.name, i, first, second, what}
	if !slices.ContainsFunc(s.hazards, func(g Hazard) bool { return g.Column == h.Column && g.What == h.What }) {
		s.hazards = append(s.hazards, h)
	}
}

// turn ends a superstep: companions must have one writer.
func (s *Shadow) turn(superstep int32) {
	if superstep == s.superstep {
		return
	}
	for _, pair := range s.pairs {
		a, b := s.columns[pair[0]], s.columns[pair[1]]
		for _, i := range sortedKeys(a.writer) {
			if w, ok := b.writer[i]; ok && w != a.writer[i] {
				s.find(b, i, a.writer[i], w, "has the last word, but on its companion "+a.name+" has")
			}
		}
	}
	for _, t := range s.columns {
		t.clear()
	}
	s.superstep = superstep
}
