package mem_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

func TestMake(t *testing.T) {
	for _, n := range []int{0, 1, 1000, 1 << 19, 1<<19 + 1, 3<<20 + 7} {
		a := mem.Make[uint32](n)
		if len(a) != n || cap(a) < n {
			t.Fatalf("Make(%d) has length %d", n, len(a))
		}
		for i := range a {
			if a[i] != 0 {
				t.Fatalf("Make(%d)[%d] is %d", n, i, a[i])
			}
			a[i] = uint32(i)
		}
		for i := range a {
			if a[i] != uint32(i) {
				t.Fatalf("Make(%d)[%d] lost its value", n, i)
			}
		}
	}
	if s := mem.Make[[3]string](1 << 20); len(s) != 1<<20 || s[len(s)-1][2] != "" {
		t.Fatal("Make of strings")
	}
}

func TestViews(t *testing.T) {
	x := []uint32{1, 0x04030201, math.MaxUint32}
	b := mem.Bytes(x)
	if len(b) != 12 || b[0] != 1 || b[4] != 1 || b[7] != 4 {
		t.Fatalf("Bytes %v: a little-endian machine is needed", b)
	}
	if y := mem.View[uint32](b[:11]); len(y) != 2 || y[1] != x[1] {
		t.Fatalf("View %v", y)
	}
	if mem.View[uint64](nil) != nil || mem.Bytes[int64](nil) != nil {
		t.Fatal("views of nothing are not nothing")
	}
	if bits := mem.Bits32([]float32{1}); bits[0] != math.Float32bits(1) {
		t.Fatalf("Bits32 %x", bits)
	}
	if bits := mem.Bits64([]float64{-2}); bits[0] != math.Float64bits(-2) {
		t.Fatalf("Bits64 %x", bits)
	}
}

func testSwap[T mem.Word](t *testing.T, old, x T) {
	t.Helper()
	p := old
	if mem.Swap(&p, x, old) || mem.Load(&p) != old {
		t.Errorf("Swap of %T changed a number that was another", old)
	}
	if !mem.Swap(&p, old, x) || mem.Load(&p) != x {
		t.Errorf("Swap of %T did not change", old)
	}
	sum := make([]T, 1)
	parallel.Do(4, func(int) {
		for range 1000 {
			for now := mem.Load(&sum[0]); !mem.Swap(&sum[0], now, now+1); now = mem.Load(&sum[0]) {
			}
		}
	})
	if sum[0] != T(4000) {
		t.Errorf("4000 atomic additions to a %T give %v", old, sum[0])
	}
}

func TestSwap(t *testing.T) {
	testSwap[int32](t, -1, 7)
	testSwap[uint32](t, math.MaxUint32, 7)
	testSwap[int64](t, math.MinInt64, 7)
	testSwap[uint64](t, math.MaxUint64, 7)
	testSwap[float32](t, 0.5, -7)
	testSwap(t, math.Inf(1), 1e-300)
}

func TestSwappable(t *testing.T) {
	type pair struct{ A, B uint32 }
	type gap struct {
		A uint8
		B uint16
	}
	type pointer struct{ P *int }
	for _, c := range []struct {
		name      string
		got, want bool
	}{
		{"float32", mem.Swappable(mem.Make[float32](1000)), true},
		{"pair", mem.Swappable(mem.Make[pair](1000)), true},
		{"[2]float32", mem.Swappable(mem.Make[[2]float32](1000)), true},
		{"gap", mem.Swappable(make([]gap, 3)), false},
		{"pointer", mem.Swappable(make([]pointer, 3)), false},
		{"uint8", mem.Swappable(make([]uint8, 3)), false},
		{"[3]uint32", mem.Swappable(make([][3]uint32, 3)), false},
		{"string", mem.Swappable(make([]string, 3)), false},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	p := pair{1, 2}
	if mem.Swap(&p, pair{1, 3}, pair{4, 5}) || !mem.Swap(&p, pair{1, 2}, pair{4, 5}) || mem.Load(&p) != (pair{4, 5}) {
		t.Errorf("a pair became %v", p)
	}
	if zero := 0.0; mem.Same(zero, -zero) || !mem.Same(math.NaN(), math.NaN()) {
		t.Error("Same looks at more than bits")
	}
}

func TestMap(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, text := range []string{"", "some bytes"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := mem.Map(path)
		if err != nil || string(f.Bytes()) != text {
			t.Fatalf("Map: %q %v, want %q", f.Bytes(), err, text)
		}
		for range 2 { // a second Close does nothing
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, bad := range []string{dir, filepath.Join(dir, "none")} {
		if _, err := mem.Map(bad); err == nil {
			t.Errorf("%s was mapped", bad)
		}
	}
}
