package trace

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

type gapped struct {
	A uint8 // seven bytes follow that are nobody's
	B uint64
}

// What has changed between two barriers is what has another text, whatever the type,
// also where two values of one text have other bytes, and where a value is changed
// behind a pointer.
func TestSnapshots(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 2))
	floats := []float64{0, math.Copysign(0, -1), 1, math.Inf(1), math.NaN(), math.Float64frombits(math.Float64bits(math.NaN()) ^ 1), 1e300}
	pick := func() float64 { return floats[r.IntN(len(floats))] }
	snapshotsOf(t, r, "uint32", func(x *uint32) { *x = uint32(r.IntN(3)) + math.MaxUint32 - 1 })
	snapshotsOf(t, r, "int64", func(x *int64) { *x = r.Int64N(3) })
	snapshotsOf(t, r, "bool", func(x *bool) { *x = !*x })
	snapshotsOf(t, r, "float64", func(x *float64) { *x = pick() })
	snapshotsOf(t, r, "float32", func(x *float32) { *x = float32(pick()) })
	snapshotsOf(t, r, "struct with a gap", func(x *gapped) { *x = gapped{uint8(r.IntN(2)), r.Uint64N(2)} })
	snapshotsOf(t, r, "struct in a struct", func(x *struct {
		of   gapped
		Also [2]float64
	}) {
		x.of.A, x.Also[1] = uint8(r.IntN(2)), pick()
	})
	snapshotsOf(t, r, "nothing", func(*struct{}) {})
	snapshotsOf(t, r, "string", func(x *string) { *x = fmt.Sprint(r.IntN(3)) })
	snapshotsOf(t, r, "slice", func(x *[]int) {
		if len(*x) == 3 {
			(*x)[r.IntN(3)] = r.IntN(3)
		} else {
			*x = append(*x, r.IntN(3))
		}
	})
	snapshotsOf(t, r, "pointer", func(x **int) {
		if *x == nil {
			*x = new(int)
		}
		**x = r.IntN(3)
	})
}

func snapshotsOf[T any](t *testing.T, r *rand.Rand, name string, change func(x *T)) {
	t.Run(name, func(t *testing.T) {
		for _, n := range []int{1, 63, 64, 65, 300} {
			list := make([]T, n)
			var sample []uint32
			for _, sampled := range []bool{false, true} {
				if sampled {
					sample = slices.Compact([]uint32{0, uint32(n / 2), uint32(n - 1)})
				}
				snapshots(t, list, sample, func() {
					for range r.IntN(4) {
						change(&list[r.IntN(n)])
					}
				})
			}
		}
	})
}

func snapshots[T any](t *testing.T, list []T, sample []uint32, change func()) {
	t.Helper()
	texts := func() (all []string) {
		for i := range list {
			all = append(all, string(appendValue(nil, reflect.ValueOf(list).Index(i))))
		}
		return all
	}
	var b snapshot
	if b.of(reflect.ValueOf(list)) {
		t.Fatal("an empty snapshot is of values")
	}
	b.keep(reflect.ValueOf(list))
	before := texts()
	for range 40 {
		change()
		now := texts()
		if !b.of(reflect.ValueOf(list)) {
			t.Fatal("a snapshot is not of its values")
		}
		vs, values := b.changed(reflect.ValueOf(list), sample)
		if values.len() != len(vs) {
			t.Fatalf("%d vertices, %d values", len(vs), values.len())
		}
		k := 0
		for v, text := range now {
			if text == before[v] || sample != nil && !slices.Contains(sample, uint32(v)) {
				continue
			}
			if k == len(vs) || vs[k] != uint32(v) || string(values.at(uint32(k))) != text {
				t.Fatalf("changed: %v %s; vertex %d went from %s to %s", vs, values.text, v, before[v], text)
			}
			k++
		}
		if k != len(vs) {
			t.Fatalf("changed: %v %s, want the first %d", vs, values.text, k)
		}
		before = now
	}
}
