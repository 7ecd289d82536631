package cuda

import (
	"encoding/binary"
	"testing"

	"gopregel/pregel"
)

// BenchmarkRecords makes the records of the most supersteps that a launch does, as they
// are made on the run's path, and as whoever writes a trace makes them. It needs no device.
func BenchmarkRecords(b *testing.B) {
	n := &notes{reasons: reasons{program: "bfs", first: true, vertices: 200_000, sent: 800_000}, raw: make([]byte, mostRecords*tracedBytes), size: tracedBytes, count: mostRecords}
	for i := range mostRecords {
		record := n.raw[i*tracedBytes:]
		for k, x := range []uint64{4, 14, 4, 5000, 1 << 32, ruleFused | 4<<32, 4, 0, 0, 0, 0, 0, 0, 5000, 0} {
			binary.LittleEndian.PutUint64(record[k*8:], x)
		}
	}
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
