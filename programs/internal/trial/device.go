package trial

import (
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

var device = sync.OnceValues(func() (*cuda.Engine, error) {
	return OpenDevice(cuda.Options{})
})

// OpenDevice makes an engine of a test: with the folder of compiled kernels that test
// processes share, GOPREGEL_KERNELS, and the macros for kernels in GOPREGEL_DEFINES. With
// GOPREGEL_SINGLY the first launches of runs are given one by one.
func OpenDevice(o cuda.Options) (*cuda.Engine, error) {
	o.Cache, o.Defines = os.Getenv("GOPREGEL_KERNELS"), strings.Fields(os.Getenv("GOPREGEL_DEFINES"))
	o.Singly = o.Singly || os.Getenv("GOPREGEL_SINGLY") != ""
	return cuda.Open(o)
}

// Device returns the test binary's engine on a CUDA device. It skips the test,
// and says so, where there is none.
func Device(t *testing.T) *cuda.Engine {
	t.Helper()
	e, err := device()
	if errors.Is(err, driver.ErrNoDevice) || errors.Is(err, driver.ErrNotBuilt) {
		t.Skip("no CUDA device: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// OnDevice runs the algorithm on the device and on the CPU, and fails the test
// when the answers differ, floats by more than a share of the larger, or the
// device's does not pass its certificate. It returns the device's answer.
func OnDevice(t *testing.T, name string, g *graph.Graph, a pregel.Algorithm, share float64) *pregel.Answer {
	t.Helper()
	e := Device(t)
	before := e.Runs()
	got, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: e, Batch: 1 << 12})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if e.Runs() == before {
		t.Fatalf("%s: nothing ran on the device", name)
	}
	want, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})})
	if err != nil {
		t.Fatalf("%s: on the CPU: %v", name, err)
	}
	sameAnswer(t, name, g, a, got, want, share)
	return got
}

// sameAnswer compares an answer with the CPU's, and certifies it.
func sameAnswer(t *testing.T, name string, g *graph.Graph, a pregel.Algorithm, got, want *pregel.Answer, share float64) {
	t.Helper()
	for i, c := range got.Table.Columns {
		if !same(c, want.Table.Columns[i], share) {
			t.Fatalf("%s: column %s differs: %s", name, c.Name, first(c, want.Table.Columns[i]))
		}
	}
	if got.Stop.Reason != want.Stop.Reason {
		t.Fatalf("%s: %v on the device, %v on the CPU", name, got.Stop, want.Stop)
	}
	if err := a.(pregel.Certifier).Certify(t.Context(), g, &got.Table); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func same(a, b pregel.Column, share float64) bool {
	if a.Floats == nil || share == 0 {
		return reflect.DeepEqual(a, b) || a.Len() == 0 && b.Len() == 0
	}
	for i, x := range a.Floats {
		if y := b.Floats[i]; x != y && !(math.Abs(x-y) <= share*max(math.Abs(x), math.Abs(y))) {
			return false
		}
	}
	return true
}

// first describes the first row that differs.
func first(a, b pregel.Column) string {
	for i := range a.Len() {
		x, y := value(a, i), value(b, i)
		if x != y {
			return fmt.Sprintf("vertex %d has %v, on the CPU %v", i, x, y)
		}
	}
	return "in length"
}

func value(c pregel.Column, i int) any {
	switch {
	case c.Vertices != nil:
		return c.Vertices[i]
	case c.Counts != nil:
		return c.Counts[i]
	case c.Ints != nil:
		return c.Ints[i]
	}
	return c.Floats[i]
}
