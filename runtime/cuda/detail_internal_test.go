package cuda

import (
	"maps"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/mem"
)

// tracedNotes are those of a launch whose records are of these words.
func tracedNotes(list ...[]uint64) *notes {
	n := &notes{reasons: reasons{program: "bfs", first: true, vertices: 200_000, sent: 800_000}, size: tracedBytes, count: len(list), next: 9}
	for _, words := range list {
		n.raw = append(n.raw, mem.Bytes(words)...)
	}
	return n
}

// tracedRecord is a struct Record of a superstep that began with a list of vertices, was
// pushed, and had a message applied to none but by a fused phase.
func tracedRecord(awake, arcs, nanoseconds, list uint64) []uint64 {
	words := make([]uint64, tracedBytes/8)
	copy(words, []uint64{awake, arcs, 0, nanoseconds, list << 32})
	return words
}

// fusedAfter is its word list, where a fused phase has ended it after so many had got a message.
func fusedAfter(count uint64) uint64 { return 1 | 2 | count<<2 }

// What a fused phase leaves in the words of two records is told of the superstep that it
// has ended, and of that which it has begun.
func TestRecordsOfFusedPhases(t *testing.T) {
	const heard, list, push, apply = 6, 7, 11, 12 // words
	began := tracedRecord(3, 30, 9000, fusedAfter(8))
	began[list], began[push] = 1000, 2500
	middle := tracedRecord(5|6<<32, 50, 5000, fusedAfter(1<<29))
	left := tracedRecord(1<<32-1|(1<<32-2)<<32, 70, 4000, 1)
	left[heard], left[apply] = 21, 3900
	n := tracedNotes(began, middle, left)
	want := []struct {
		awake, next, heard, have uint64 // have: of the rule of fused phases
		phases                   map[string]time.Duration
	}{
		{3, 5, 6, 0, map[string]time.Duration{"list": 1000, "push": 2500, fused: 5500}},
		{5, 1<<32 - 1, 1<<32 - 2, 8, map[string]time.Duration{fused: 5000}},
		{1<<32 - 1, 9, 21, 1 << 29, map[string]time.Duration{applied: 3900}},
	}
	n.each(0, true, func(rec *pregel.StepRecord) {
		w, phases := want[rec.Superstep], map[string]time.Duration{}
		for _, p := range rec.Detail.Phases {
			phases[p.Name] = p.Workers[0]
		}
		why := rec.Detail.Why
		if rec.Awake != w.awake || rec.Next != w.next || !rec.List || *rec.Detail.Combined != w.heard || !maps.Equal(phases, w.phases) ||
			(why.Rule == fusedPushed) != (w.have > 0) || w.have > 0 && why.Have != w.have {
			t.Errorf("superstep %d: %+v, %d combined, phases %v, by %+v; want %+v", rec.Superstep, rec, *rec.Detail.Combined, phases, why, w)
		}
	})
}

// BenchmarkRecords makes the records of the most supersteps that a launch does, as they
// are made on the run's path, and as whoever writes a trace makes them. It needs no device.
func BenchmarkRecords(b *testing.B) {
	list := make([][]uint64, mostRecords)
	for i := range list {
		list[i] = tracedRecord(4|4<<32, 14, 5000, fusedAfter(4))
	}
	n := tracedNotes(list...)
	perRecord := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*mostRecords), "ns/superstep")
	}
	b.Run("at once", func(b *testing.B) {
		var own room
		var records []pregel.StepRecord
		for b.Loop() {
			own.reset()
			records = records[:0]
			for i := range n.count {
				records = append(records, n.record(i, i, &own))
			}
		}
		perRecord(b)
	})
	b.Run("later", func(b *testing.B) {
		for b.Loop() {
			n.each(0, true, func(*pregel.StepRecord) {})
		}
		perRecord(b)
	})
}
