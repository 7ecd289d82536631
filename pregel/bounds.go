package pregel

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"reflect"
	"runtime/debug"
	"strings"
	"time"

	"gopregel/pregel/mem"
)

// Bounds end a run that takes too much. The zero value bounds nothing.
type Bounds struct {
	// Time is how long the programs of a job may compute, from the first one's Init
	// on. The run ends at the barrier after it, as TimeLimit, with what it has
	// reached. A phase written as a plain loop is one superstep; one of Pieces is
	// left between two of them.
	Time time.Duration
	// Memory is how many bytes of its own the process may hold: resident, without
	// mapped files. A run that holds more at a barrier, or would by what a vertex
	// sends, fails with a MemoryError. It is looked at where memory is taken, so a
	// program that takes much of it by other means is found at the barrier.
	Memory uint64
	// Messages is how many bytes the process may hold when messages of a vertex program
	// take more, where Memory does not say: what the machine has, so that sending
	// without end is an error of the vertex, and not the end of the process.
	Messages uint64
	// NaN makes a run fail at the barrier where a vertex's value first has a number
	// that is none (ErrNaN).
	NaN bool
	// Stuck is told of a superstep that is still under way when Time is over by Grace:
	// a superstep cannot be taken back, and the engine goes on waiting for it. It is
	// called once in a run, on a goroutine of its own, with a StuckError, and must not
	// wait for the run. nil: nobody.
	Stuck func(error)
	Grace time.Duration
}

// A MemoryError says that a run has no room for what it wants.
type MemoryError struct {
	What              string // that is wanted; "": nothing more than is held
	Held, Want, Limit uint64 // bytes
}

func (e *MemoryError) Error() string {
	text := fmt.Sprintf("too much memory: the process holds %s", megabytes(e.Held))
	if e.What != "" {
		text += fmt.Sprintf(", %s would take %s more", e.What, megabytes(e.Want))
	}
	return fmt.Sprintf("%s, and the limit is %s", text, megabytes(e.Limit))
}

func megabytes(n uint64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

// room says whether a limit, if there is one, leaves room for so many bytes more. What
// is garbage is given back before it refuses.
func room(limit, want uint64, what string) error {
	if limit == 0 || mem.Resident()+want <= limit {
		return nil
	}
	debug.FreeOSMemory()
	if held := mem.Resident(); held+want > limit {
		return &MemoryError{what, held, want, limit}
	}
	return nil
}

// ErrNaN is the cause of a run that ended because of Bounds.NaN.
var ErrNaN = errors.New("its value is not a number (NaN)")

// A StuckError names a superstep that does not end, and what is computed in it.
type StuckError struct {
	Program   string
	Superstep int // -1: Init
	Vertices  []string
	After     time.Duration // since the superstep began
	Stack     string        // of all goroutines
}

func (e *StuckError) Error() string {
	text := fmt.Sprintf("program %s, %s", e.Program, when(e.Superstep))
	switch len(e.Vertices) {
	case 0:
	case 1:
		text += ", vertex " + e.Vertices[0]
	default:
		text += ", vertices " + strings.Join(e.Vertices, ", ")
	}
	return fmt.Sprintf("%s: still under way after %v", text, e.After.Round(time.Millisecond))
}

// FirstNaN finds the least vertex whose value has a number that is none, and says
// where in the value, if that is a struct.
func (t *edgeTask[V, M]) FirstNaN() (at uint32, field string, found bool) { return firstNaN(t.values) }

// FirstNaN is that of an edge program.
func (t *vertexTask[V, M]) FirstNaN() (at uint32, field string, found bool) {
	return firstNaN(t.values)
}

func firstNaN[V any](values []V) (at uint32, field string, found bool) {
	switch list := any(values).(type) {
	case []float64:
		return first(list)
	case []float32:
		return first(list)
	}
	if !holdsFloats(reflect.TypeFor[V]()) {
		return 0, "", false
	}
	for v := range values {
		if field, found := nanIn(reflect.ValueOf(&values[v]).Elem()); found {
			return uint32(v), strings.TrimPrefix(field, "."), true
		}
	}
	return 0, "", false
}

func first[T float32 | float64](list []T) (uint32, string, bool) {
	for v, x := range list {
		if x != x {
			return uint32(v), "", true
		}
	}
	return 0, "", false
}

// holdsFloats tells whether a value of the type may have floats that nanIn finds.
func holdsFloats(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return true
	case reflect.Array, reflect.Slice:
		return holdsFloats(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsFloats(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// nanIn names the place of a NaN in a value.
func nanIn(v reflect.Value) (place string, found bool) {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return "", math.IsNaN(v.Float())
	case reflect.Complex64, reflect.Complex128:
		return "", cmplx.IsNaN(v.Complex())
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			if place, found := nanIn(v.Index(i)); found {
				return fmt.Sprintf("[%d]%s", i, place), true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if place, found := nanIn(v.Field(i)); found {
				return "." + v.Type().Field(i).Name + place, true
			}
		}
	}
	return "", false
}
