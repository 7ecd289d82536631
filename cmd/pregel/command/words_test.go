package command

import (
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want string }{
		{count(0), "0"}, {count(999), "999"}, {count(-1000), "-1 000"}, {count(uint64(1234567)), "1 234 567"},
		{plural(1, "vertex"), "1 vertex"}, {plural(0, "vertex"), "0 vertices"}, {plural(2000, "edge"), "2 000 edges"},
		{short(999), "999 "}, {short(1234), "1.23 k "}, {short(56.7e6), "56.7 M "}, {short(2e9), "2 G "}, {short(5e12), "5 T "},
		{bytesPerSecond(4.27e12), "4.27 TB/s"}, {bytesPerSecond(999), "999 B/s"},
		{size(0), "0 B"}, {size(1023), "1023 B"}, {size(1536), "1.50 KiB"}, {size(20 << 30), "20 GiB"},
		{duration(2e-6), "2 µs"}, {duration(0.0123), "12.3 ms"}, {duration(1.5), "1.50 s"}, {duration(3725.4), "1h2m5s"},
		{factText(12345), "12 345"}, {factText(0.1), "0.1"}, {factText("x"), "x"}, {factText(int64(-5)), "-5"},
		{stopText(pregel.Stop{Reason: pregel.Halted, Supersteps: 1}), "halted after 1 superstep"},
		{stopText(pregel.Stop{Reason: pregel.Converged, Supersteps: 12, Metric: pregel.Metric{Name: "L1 change", Value: 9.45e-10, Tolerance: 1e-9}}), "converged after 12 supersteps (L1 change 9.45e-10, tolerance 1e-09)"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// The rows found are those that sorting all of them gives.
func TestGreatest(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		c := pregel.Column{Floats: make([]float64, random.IntN(50))}
		var want []int
		for i := range c.Floats {
			c.Floats[i] = float64(random.IntN(20))
			if random.IntN(5) == 0 {
				c.Floats[i] = math.Inf(1)
			} else {
				want = append(want, i)
			}
		}
		slices.SortStableFunc(want, func(a, b int) int { return int(c.Floats[b] - c.Floats[a]) })
		n := random.IntN(30)
		want = want[:min(n, len(want))]
		if got := greatest(c, n); !slices.Equal(got, want) {
			t.Fatalf("%v: rows %v, want %v", c.Floats, got, want)
		}
	}
}

func TestTopRows(t *testing.T) {
	t.Parallel()
	g, err := graph.FromArcs(3, graph.ArcList{}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		table pregel.Table
		want  string
	}{
		{"counts", pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "depth", Counts: []uint32{1, pregel.NoCount, 5}}}}, `[{"id":2,"depth":5},{"id":0,"depth":1}]`},
		{"ints", pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "d", Ints: []int64{-1, -2, pregel.NoInt}}}}, `[{"id":0,"d":-1},{"id":1,"d":-2}]`},
		{"vertices", pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "component", Vertices: []uint32{2, 1, graph.None}}}}, `[{"id":0,"component":2},{"id":1,"component":1}]`},
		{"edges", pregel.Table{Columns: []pregel.Column{{Name: "source", Vertices: []uint32{2}}, {Name: "weight", Floats: []float64{1.5}}}}, `[{"source":2,"weight":1.5}]`},
		{"none", pregel.Table{Columns: []pregel.Column{{Name: "source", Vertices: []uint32{}}}}, `[]`},
	} {
		got, err := topRows(g, &c.table, 2).json()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, string(got)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestVersionText(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "true"},
	}}
	const want = "pregel v1.2.3 0123456789ab (with changes) go"
	if got := versionText(info); len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("%q", got)
	}
	if got := versionText(nil); len(got) < 15 || got[:15] != "pregel (devel) " {
		t.Errorf("%q", got)
	}
}
