package mem_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/mem"
)

// Windows of offsets of both widths, whole and of a few rows, are the offsets.
func TestWindows(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		rows := 1 + r.IntN(200)
		wide, narrow := make([]uint64, rows+1), make([]uint32, rows+1)
		for i := range rows {
			wide[i+1] = wide[i] + r.Uint64N(3)*r.Uint64N(1<<22)
			narrow[i+1] = uint32(wide[i+1])
		}
		v := r.IntN(rows)
		k := min(64, rows-v)
		for _, o := range []mem.Offsets{mem.WideOffsets(wide), mem.NarrowOffsets(narrow)} {
			if got := o.Window(uint32(v), k, make([]uint64, 65)); !slices.Equal(got, wide[v:v+k+1]) {
				t.Fatalf("wide %v: window %v, want %v", o.Wide(), got, wide[v:v+k+1])
			}
			run := r.Uint64() >> (64 - k)
			few := o.Few(uint32(v), k, run, make([]uint64, 65))
			if len(few) != k+1 {
				t.Fatalf("wide %v: a window of %d, want %d", o.Wide(), len(few), k+1)
			}
			sum := uint64(0)
			for i := range k {
				sum += run >> i & 1 * (wide[v+i+1] - wide[v+i])
			}
			if got := o.Slice(uint32(v), k).Of(run); got != sum {
				t.Fatalf("wide %v: %d in the rows of %x, want %d", o.Wide(), got, run, sum)
			}
			for i := range k {
				if run>>i&1 != 0 && (few[i] != wide[v+i] || few[i+1] != wide[v+i+1]) {
					t.Fatalf("wide %v: row %d from %d to %d, want %d to %d", o.Wide(), i, few[i], few[i+1], wide[v+i], wide[v+i+1])
				}
			}
			if k == 64 {
				some, several := o.Rows(uint32(v))
				if x, y := mem.Rows((*[65]uint64)(wide[v:])); x != some || y != several {
					t.Fatalf("wide %v: rows %x, %x, want %x, %x", o.Wide(), some, several, x, y)
				}
			}
		}
	}
}

// What is told about up to 64 rows in one is what is told about each.
func TestRowsTogether(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	for range 300 {
		rows := 1 + r.IntN(64)
		wide, narrow := make([]uint64, rows+1), make([]uint32, rows+1)
		for i := range rows {
			wide[i+1] = wide[i] + r.Uint64N(2)*r.Uint64N(1<<22)
			narrow[i+1] = uint32(wide[i+1])
		}
		all := ^uint64(0) >> (64 - rows)
		for _, o := range []mem.Offsets{mem.WideOffsets(wide), mem.NarrowOffsets(narrow)} {
			for _, set := range []uint64{r.Uint64() & all, all, 0} {
				var empty, sum uint64
				degrees := make([]uint32, rows)
				for i := range rows {
					d := o.Degree(uint32(i))
					degrees[i] = uint32(d)
					sum += set >> i & 1 * d
					if d == 0 {
						empty |= 1 << i
					}
				}
				if o.Among(set) != sum || o.Empty() != empty || !slices.Equal(o.Degrees(make([]uint32, 64)), degrees) {
					t.Fatalf("wide %v, %d rows: %d in those of %x, want %d; empty %x, want %x; degrees %d, want %d", o.Wide(), rows,
						o.Among(set), set, sum, o.Empty(), empty, o.Degrees(make([]uint32, 64)), degrees)
				}
			}
		}
	}
}
