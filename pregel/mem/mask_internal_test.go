package mem

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// Bits of 64 numbers are what plain loops give, with and without vectors, whichever
// of them are alike, and wherever they begin.
func TestMasks(t *testing.T) {
	defer func(before bool) { vectors = before }(vectors)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	var bounds [65]uint64
	words4, words8 := make([]uint32, 80), make([]uint64, 80)
	for i := range 400 {
		share := i % 5 // of 4: alike
		x, from := r.Uint64(), r.IntN(16)
		wide, narrow := words8[from:][:64], words4[from:][:64]
		var some, several, eights, fours uint64
		for k := range 64 {
			bounds[k+1], wide[k], narrow[k] = bounds[k], x, uint32(x)
			if r.IntN(4) >= share {
				length := uint64(1) << (r.IntN(58) * r.IntN(2))
				bounds[k+1] += length
				some |= 1 << k
				several |= min(length-1, 1) << k
			}
			if r.IntN(4) >= share {
				wide[k] ^= 1 << r.IntN(64)
				eights |= 1 << k
			}
			if r.IntN(4) >= share {
				narrow[k] ^= 1 << r.IntN(32)
				fours |= 1 << k
			}
		}
		for _, vectors = range []bool{false, hasVectors} {
			n := r.IntN(65)
			upTo := uint64(1)<<n - 1
			if got, more := Rows(&bounds); got != some || more != several {
				t.Fatalf("vectors %v: rows %x, %x, want %x, %x", vectors, got, more, some, several)
			}
			short := [65]uint32{r.Uint32()}
			for k := range 64 { // lengths modulo 2^32
				length := uint32(some>>k&1) + uint32(several>>k&1)<<r.IntN(32)
				short[k+1] = short[k] + length
			}
			if got, more := Rows(&short); got != some || more != several {
				t.Fatalf("vectors %v: rows by narrow bounds %x, %x, want %x, %x", vectors, got, more, some, several)
			}
			if got := Unlike(wide, x); got != eights || Unlike(wide[:n], x) != eights&upTo {
				t.Fatalf("vectors %v: words of 8 bytes %x, want %x", vectors, got, eights)
			}
			floats, pairs := unsafe.Slice((*float64)(unsafe.Pointer(&wide[0])), 64), unsafe.Slice((*[2]uint16)(unsafe.Pointer(&narrow[0])), 64)
			if Others(floats[:n], math.Float64frombits(x)) != eights&upTo || Others(pairs, [2]uint16{uint16(x), uint16(x >> 16)}) != fours {
				t.Fatalf("vectors %v: elements of other bits", vectors)
			}
			if got := Unlike(narrow, uint32(x)); got != fours || Unlike(narrow[:n], uint32(x)) != fours&upTo {
				t.Fatalf("vectors %v: words of 4 bytes %x, want %x", vectors, got, fours)
			}
		}
		bounds[0] = r.Uint64N(1 << 30)
	}
}

func TestBits(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	for i := range 300 {
		want := r.Uint64()
		if i < 64 {
			want = 1 << i
		}
		var list [64]bool
		for k := range list {
			list[k] = want>>k&1 != 0
		}
		if got := Bits(&list); got != want {
			t.Fatalf("%x, want %x", got, want)
		}
	}
}
