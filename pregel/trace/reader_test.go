package trace_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest/race"
	"gopregel/pregel/trace"
	"gopregel/programs/bfs"
	"gopregel/programs/pagerank"
	"gopregel/runtime/cpu"
)

// both keeps records and writes them.
type both struct {
	list []trace.Record
	w    *trace.Writer
}

func (b *both) Write(r trace.Record) error {
	b.list = append(b.list, r)
	return b.w.Write(r)
}

func written(t testing.TB, seed uint64) ([]trace.Record, []byte) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 9))
	g := randomGraph(t, r)
	var a pregel.Algorithm = &bfs.BFS{Source: pregel.ID(g.IDs().Text(0))}
	if seed%2 == 0 {
		a = &pagerank.PageRank{Damping: 0.85, Iterations: 2, Precision: pagerank.Float64}
	}
	var text bytes.Buffer
	b := &both{w: trace.NewWriter(&text)}
	_, err := recordTo(t, b, &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})}, a,
		trace.Options{Values: []string{trace.All, trace.Changed, trace.None}[seed%3], Sample: int(seed % 5), Messages: seed%4 < 2})
	if err != nil {
		t.Fatal(err)
	}
	return b.list, text.Bytes()
}

func readAll(text []byte) (list []trace.Record, err error) {
	r := trace.NewReader("t.jsonl", bytes.NewReader(text))
	for {
		rec, err := r.Next()
		if err != nil {
			return list, err
		}
		list = append(list, rec)
	}
}

// plain is a record as JSON has it, without the types of Go.
func plain(t testing.TB, r trace.Record) string {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What is written is read; what is cut off anywhere is read up to there, and said
// to be cut off.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		list, text := written(t, seed)
		got, err := readAll(text)
		if err != io.EOF || len(got) != len(list) {
			t.Fatalf("seed %d: %d of %d records: %v", seed, len(got), len(list), err)
		}
		for i := range list {
			if want, got := plain(t, list[i]), plain(t, got[i]); want != got {
				t.Errorf("seed %d: record %d is %v, want %v", seed, i, got, want)
			}
		}
		end := rand.IntN(len(text)-2) + 1 // without its last byte, a line break, a trace is whole
		part, err := readAll(text[:end])
		at := (*trace.Error)(nil)
		if !errors.As(err, &at) || at.Truncated != (len(part) > 0) {
			t.Errorf("seed %d: cut off at %d of %d: %v", seed, end, len(text), err)
		}
		if lines := bytes.Count(text[:end], []byte("\n")); len(part) < lines || len(part) > lines+1 {
			t.Errorf("seed %d: %d records of %d whole lines", seed, len(part), lines)
		}
	}
}

const (
	head  = `{"kind":"trace","version":1,"program":"bfs","graph":{"name":"g","vertices":3},"engine":{"device":"cpu"},"values":"all"}` + "\n"
	step0 = `{"kind":"superstep","superstep":0,"program":"bfs","awake":1,"arcs":2,"next":1,"nanoseconds":5}` + "\n"
	head2 = `{"kind":"trace","version":2,"program":"bfs","graph":{"name":"g","vertices":3},"engine":{"device":"cpu"},"values":"none"}` + "\n"
	// steps0 are two supersteps in one line.
	steps0 = `{"kind":"supersteps","superstep":0,"count":2,"shapes":[{"program":"bfs","direction":"push","frontier":"list","why":"{have} of {limit}","sent":true,"phases":[{"name":"push","workers":1}],"value":8,"message":4}],"awake":[1,2,0],"arcs":[7,8],"sent":"arcs","next":"following","nanoseconds":5,"limit":{"from":200,"by":[-3]},"times":[3,4]}` + "\n"
	end    = `{"kind":"stop","reason":"halted","supersteps":1}` + "\n"
)

func TestReaderErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", "t.jsonl:1: the file is empty, want a trace"},
		{"id,rank\n", "t.jsonl:1: want a JSON object: invalid character 'i' looking for beginning of value"},
		{"\n", "t.jsonl:1: an empty line, want a JSON object"},
		{"{}\n", "t.jsonl:1: kind: missing, want a string"},
		{`{"kind":"stop","reason":"halted","supersteps":0}` + "\n", "t.jsonl:1: the first record is of kind stop, want trace: this is no trace"},
		{strings.Replace(head, `"version":1`, `"version":5`, 1), "t.jsonl:1: version: found 5, want 1 to 4"},
		{strings.Replace(head, `"all"`, `"some"`, 1), `t.jsonl:1: values: found "some", want all, changed or none`},
		{strings.Replace(head, `,"program":"bfs"`, ``, 1), "t.jsonl:1: program: missing in a record of kind trace"},
		{head + head, "t.jsonl:2: a second record of kind trace"},
		{head + strings.Replace(step0, `:0`, `:1`, 1), "t.jsonl:2: superstep: found 1, want 0, as it is the next"},
		{head + strings.Replace(step0, `1,"arcs"`, `-1,"arcs"`, 1), "t.jsonl:2: a record of kind superstep: awake: found a number -1, want a whole number, uint64"},
		{head + step0 + `{"kind":"values","superstep":0,"values":[1,2],"awake":[]}` + "\n", "t.jsonl:3: values: found 2, want one for each of the 3 vertices"},
		{head + step0 + `{"kind":"values","superstep":0,"vertices":[0,7],"values":[1,2],"awake":[]}` + "\n", "t.jsonl:3: vertices: found vertex 7, there are 3"},
		{head + step0 + `{"kind":"values","superstep":0,"vertices":[1,0],"values":[1,2],"awake":[]}` + "\n", "t.jsonl:3: vertices: found 0 after 1, want ascending vertices"},
		{head + step0 + `{"kind":"messages","superstep":0,"from":[0],"to":[1],"message":[]}` + "\n", "t.jsonl:3: message: found 1 sources, 1 targets and 0 messages, want as many"},
		{head + `{"kind":"graph","ids":["a"],"sources":[],"targets":[]}` + "\n", "t.jsonl:2: ids: found 1, want one for each of the 3 vertices"},
		{head + end, "t.jsonl:2: supersteps: found 1, want 0, as many as there are records"},
		{head + step0 + end + step0, "t.jsonl:4: a record of kind superstep after that of kind stop"},
		{head + steps0, "t.jsonl:2: a record of kind supersteps in a trace of version 1"},
		{head2 + strings.Replace(steps0, `"superstep":0`, `"superstep":1`, 1), "t.jsonl:2: superstep: found 1, want 0, as it is the next"},
		{head2 + strings.Replace(steps0, `"count":2`, `"count":0`, 1), "t.jsonl:2: count: found 0, want 1 to 65536"},
		{head2 + strings.Replace(steps0, `[7,8]`, `[7]`, 1), "t.jsonl:2: arcs: found 1 numbers, want 2, one a superstep"},
		{head2 + strings.Replace(steps0, `[7,8]`, `[7,-8]`, 1), "t.jsonl:2: arcs: it: found a number -8, want a whole number, uint64"},
		{head2 + strings.Replace(steps0, `[7,8]`, `"sent"`, 1), `t.jsonl:2: arcs: found "sent", want numbers or the name of a column before`},
		{head2 + strings.Replace(steps0, `[7,8]`, `{"from":7,"by":[1,1]}`, 1), "t.jsonl:2: arcs: found 2 differences, want 1, one less than supersteps"},
		{head2 + strings.Replace(steps0, `[7,8]`, `{"runs":[[1,7,0],[2,1,0]]}`, 1), "t.jsonl:2: arcs: found run [2 1 0] where 1 supersteps are left, want [supersteps, by, by]"},
		{head2 + strings.Replace(steps0, `[7,8]`, `{"runs":[[0,7,0]]}`, 1), "t.jsonl:2: arcs: found run [0 7 0] where 2 supersteps are left, want [supersteps, by, by]"},
		{head2 + strings.Replace(steps0, `[7,8]`, `{"runs":[[2,7]]}`, 1), "t.jsonl:2: arcs: found run [2 7] where 2 supersteps are left, want [supersteps, by, by]"},
		{head2 + strings.Replace(steps0, `[7,8]`, `{"runs":[[1,7,0]]}`, 1), "t.jsonl:2: arcs: found runs of 1 supersteps, want 2"},
		{head2 + strings.Replace(steps0, `[7,8]`, `{"sums":[15]}`, 1), "t.jsonl:2: arcs: found 0 differences, want 1, one less than supersteps"},
		{head2 + strings.Replace(steps0, `"nanoseconds":5`, `"nanoseconds":{"sums":[5]}`, 1), "t.jsonl:2: nanoseconds: found 1 sums, want 2"},
		{head2 + strings.Replace(steps0, `"nanoseconds":5`, `"nanoseconds":{"sums":[5,6,7]}`, 1), "t.jsonl:2: nanoseconds: found 3 sums, want 2"},
		{head2 + strings.Replace(strings.Replace(steps0, `"nanoseconds":5`, `"nanoseconds":{"sums":[5]}`, 1), `"value"`, `"timed":3,"value"`, 1), "t.jsonl:2: nanoseconds: found sums, and 2 supersteps of which 3 were timed together"},
		{head2 + strings.Replace(steps0, `[1,2,0]`, `[1,2]`, 1), `t.jsonl:2: next: found "following", want numbers or the name of a column before`},
		{head2 + strings.Replace(steps0, `"times":[3,4]`, `"times":[3]`, 1), "t.jsonl:2: times: found 1, want 2, those of all phases"},
		{head2 + strings.Replace(steps0, `"shapes"`, `"runs":[[1,2]],"shapes"`, 1), "t.jsonl:2: runs: found 2 supersteps of shape 1, there are 2 and 1 shapes"},
		{head2 + strings.Replace(steps0, `"shapes"`, `"runs":[[0,1]],"shapes"`, 1), "t.jsonl:2: runs: found 1 supersteps, want 2"},
		{head2 + strings.Replace(steps0, `"shapes"`, `"runs":[[0,1],[0,9223372036854775807],[0,9223372036854775807],[0,3]],"shapes"`, 1), "t.jsonl:2: runs: found 9223372036854775807 supersteps of shape 0, there are 2 and 1 shapes"},
		{head2 + strings.Replace(steps0, `"push"`, `"sideways"`, 1), `t.jsonl:2: shapes: number 0: direction: found "sideways", want push or pull`},
		{head + step0, "t.jsonl:3: the trace ends before its last record, of kind stop"},
		{head + step0 + `{"kind":"sto`, "t.jsonl:3: the last line is cut off"},
	} {
		if _, err := readAll([]byte(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%s\ngave %v\nwant %v", c.text, err, c.want)
		}
	}
}

// A line of two supersteps is theirs.
func TestTwoInALine(t *testing.T) {
	t.Parallel()
	list, err := readAll([]byte(head2 + steps0 + strings.Replace(end, ":1", ":2", 1)))
	if err != io.EOF || len(list) != 4 {
		t.Fatalf("%d records: %v", len(list), err)
	}
	for i, want := range []string{
		`{"superstep":0,"program":"bfs","direction":"push","frontier":"list","why":"0 of 200","awake":1,"arcs":7,"sent":7,"next":2,"nanoseconds":5,"phases":[{"name":"push","workers":[3]}],"bytes":96}`,
		`{"superstep":1,"program":"bfs","direction":"push","frontier":"list","why":"0 of 197","awake":2,"arcs":8,"sent":8,"next":0,"nanoseconds":5,"phases":[{"name":"push","workers":[4]}],"bytes":144}`,
	} {
		if text, err := json.Marshal(list[1+i]); err != nil || string(text) != want {
			t.Errorf("superstep %d is %s, want %s: %v", i, text, want, err)
		}
	}
}

// Columns may be said in other ways that mean the same.
func TestColumnForms(t *testing.T) {
	t.Parallel()
	want, err := readAll([]byte(head2 + steps0))
	if len(want) != 3 {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{`[7,8]`, `{"runs":[[2,7,1]]}`},
		{`[7,8]`, `{"runs":[[1,7,-5],[1,1,0]]}`},
		{`{"from":200,"by":[-3]}`, `{"runs":[[2,200,-3]]}`},
		{`"nanoseconds":5`, `"nanoseconds":{"sums":[5,5]}`},
	} {
		if got, _ := readAll([]byte(head2 + strings.Replace(steps0, c[0], c[1], 1))); !reflect.DeepEqual(got, want) {
			t.Errorf("%s in place of %s: %d supersteps are others", c[1], c[0], len(got))
		}
	}
	together := strings.Replace(strings.Replace(steps0, `"nanoseconds":5`, `"nanoseconds":{"sums":[11]}`, 1), `"value"`, `"timed":2,"value"`, 1)
	list, _ := readAll([]byte(head2 + together))
	for i, want := range []int64{6, 5} {
		if s := list[1+i].(*trace.Superstep); s.Nanoseconds != want || s.Timed != 2 {
			t.Errorf("superstep %d of two in 11 ns took %d, want %d", i, s.Nanoseconds, want)
		}
	}
}

// A trace that version 1 wrote is read as it was.
func TestVersion1(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/version1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	run, err := trace.Read("version1.jsonl", bytes.NewReader(text))
	if err != nil || run.Header.Version != 1 || len(run.Steps) != 6 || run.Stop.Reason != "halted" {
		t.Fatalf("%+v: %v", run, err)
	}
	if v, since, ok := run.At(5, 5); string(v) != `{"depth":5,"parent":4}` || since != 4 || !ok {
		t.Errorf("vertex 5 is %s since superstep %d", v, since)
	}
	if c, err := run.Why(5, 5); err != nil || len(c.Messages) != 1 || c.Messages[0].From != 4 {
		t.Errorf("why: %+v, %v", c, err)
	}
}

// A run is the same to whom it is written in lines of many supersteps as to whom it is
// told superstep by superstep.
func TestManyInALine(t *testing.T) {
	t.Parallel()
	n := "3000"
	if race.On {
		n = "1000"
	}
	spec, err := graphgen.Parse("path", map[string]string{"n": n})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range subjects() {
		for _, schedule := range []pregel.Schedule{pregel.BSP, pregel.Relaxed} {
			var text bytes.Buffer
			told, packed := &trace.Run{}, trace.NewWriter(&text)
			j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2, Schedule: schedule})}
			a, b := trace.NewRecorder(told, g, trace.Header{}, trace.Options{Values: trace.None}), trace.NewRecorder(packed, g, trace.Header{}, trace.Options{Values: trace.None})
			a.Watch(j)
			b.Watch(j)
			answer, err := s.new("0").Run(t.Context(), j)
			if err != nil && schedule == pregel.Relaxed {
				continue // not of that kind
			}
			if err := errors.Join(err, a.Close(answer, g.IDs(), nil), b.Close(answer, g.IDs(), nil)); err != nil {
				t.Fatal(err)
			}
			read, err := trace.Read(name, &text)
			if err != nil || len(read.Steps) != j.Supersteps() || len(told.Steps) != j.Supersteps() {
				t.Fatalf("%s: %d supersteps read and %d told of %d: %v", name, len(read.Steps), len(told.Steps), j.Supersteps(), err)
			}
			for i := range read.Steps {
				if got, want := plain(t, &read.Steps[i].Superstep), plain(t, &told.Steps[i].Superstep); got != want {
					t.Fatalf("%s, superstep %d is read as %v, want %v", name, i, got, want)
				}
			}
		}
	}
}

// A superstep touches as many bytes whether values are traced or not.
func TestBytesWithValues(t *testing.T) {
	t.Parallel()
	draw(t, 10, func(g *graph.Graph, source pregel.ID) {
		g.In() // a run that makes them has the next one pull
		for name, s := range subjects() {
			o := cpu.Options{Workers: 1, Schedule: pregel.BSP}
			with, without := recorded(t, g, s.new(source), o, trace.Changed), recorded(t, g, s.new(source), o, trace.None)
			for i := range with.Steps {
				if a, b := with.Steps[i].Bytes, without.Steps[i].Bytes; a != b || a == 0 && with.Steps[i].Sent != nil && with.Steps[i].Awake > 0 {
					t.Errorf("%s, superstep %d: %d bytes with values, %d without", name, i, a, b)
				}
			}
		}
	})
}

// Kinds and keys of later versions are left out.
func TestUnknown(t *testing.T) {
	t.Parallel()
	text := head + `{"kind":"weather","sky":"blue"}` + "\n" + strings.Replace(step0, `"awake"`, `"color":3,"awake"`, 1) + strings.TrimSuffix(end, "\n")
	if list, err := readAll([]byte(text)); err != io.EOF || len(list) != 3 {
		t.Errorf("%d records: %v", len(list), err)
	}
}

// A sink that fails does not end the run, and Close says so.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	g := randomGraph(t, rand.New(rand.NewPCG(1, 1)))
	full := errors.New("no space left")
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})}
	r := trace.NewRecorder(trace.NewWriter(failingWriter{full}), g, trace.Header{}, trace.Options{Values: trace.All})
	r.Watch(j)
	answer, err := reach{}.Run(t.Context(), j)
	if err != nil || answer.Stop.Reason != pregel.Halted {
		t.Errorf("the run ends with %v", err)
	}
	if err := r.Close(answer, g.IDs(), err); !errors.Is(err, full) {
		t.Errorf("close: %v", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, x := range []float64{0, -1.5, 1e300, math.Inf(1), math.Inf(-1), math.Copysign(0, -1)} {
		text, err := json.Marshal(trace.Float(x))
		var back trace.Float
		if err2 := json.Unmarshal(text, &back); err != nil || err2 != nil || math.Float64bits(float64(back)) != math.Float64bits(x) {
			t.Errorf("%v is written as %s and read as %v: %v %v", x, text, back, err, err2)
		}
	}
	if x, ok := trace.Number(trace.Value(`"NaN"`)); !ok || !math.IsNaN(x) {
		t.Errorf("NaN is %v", x)
	}
	if _, ok := trace.Number(trace.Value(`"abc"`)); ok {
		t.Error("a string is a number")
	}
}

// Whatever the reader takes can be written, and read again as the same.
func FuzzReader(f *testing.F) {
	// Small seeds: the fuzzer takes long to shorten large ones.
	f.Add([]byte(head + step0 + end))
	f.Add([]byte(head + `{"kind":"program","program":"p","superstep":0,"combine":"sum"}
{"kind":"values","superstep":-1,"values":[1,null,"NaN"],"awake":[0]}
` + step0 + `{"kind":"messages","superstep":0,"from":[0],"to":[2],"message":[{"a":1}]}
{"kind":"values","superstep":0,"vertices":[2],"values":[7],"awake":[2]}
` + end))
	f.Add([]byte(head2 + steps0 + strings.Replace(end, ":1", ":2", 1)))
	f.Add([]byte(head2 + `{"kind":"supersteps","superstep":0,"count":3,"runs":[[0,2],[1,1]],"shapes":[{"program":"a","phases":[{"name":"p"}]},{"program":"b","metric":"x","tolerance":1,"aggregates":1}],"awake":2,"have":"awake","metrics":["NaN"],"aggregates":[null]}
` + strings.Replace(end, ":1", ":3", 1)))
	f.Add([]byte(head4 + brief3 + strings.Replace(end, ":1", ":4", 1)))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := readAll(text)
		if at := (*trace.Error)(nil); err != io.EOF && !errors.As(err, &at) {
			t.Fatalf("the error is %v", err)
		}
		run, _ := trace.Read("x", bytes.NewReader(text))
		if run != nil {
			for s := -1; s < len(run.Steps); s++ {
				_, _ = run.Why(0, s)
			}
		}
		var again bytes.Buffer
		w := trace.NewWriter(&again)
		for _, r := range list {
			if err := w.Write(r); err != nil {
				t.Fatalf("a record that was read cannot be written: %v", err)
			}
		}
		back, _ := readAll(again.Bytes())
		if len(back) != len(list) {
			t.Fatalf("%d records were read, and %d of what was written", len(list), len(back))
		}
		for i := range list {
			if a, b := plain(t, list[i]), plain(t, back[i]); a != b {
				t.Fatalf("record %d was %v and is %v", i, a, b)
			}
		}
	})
}
