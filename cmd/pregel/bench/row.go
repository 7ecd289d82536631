package bench

import "gopregel/cmd/pregel/energy"

// A Row is the timing of one program on the graph in one order.
type Row struct {
	Program       string  `json:"program"`
	Prepare       string  `json:"prepare"` // the order of the graph, "none" as it is
	Without       *Form   `json:"without"` // the form that was left out; null: none was
	Unit          string  `json:"unit"`    // what one time is of: a run, or an iteration
	Runs          int     `json:"runs"`
	Median        float64 `json:"median_seconds"`
	Min           float64 `json:"min_seconds"`
	Max           float64 `json:"max_seconds"`
	FirstQuartile float64 `json:"first_quartile_seconds"`
	ThirdQuartile float64 `json:"third_quartile_seconds"`
	Mean          float64 `json:"mean_seconds"`
	Deviation     float64 `json:"standard_deviation_seconds"`
	// TEPS is the harmonic mean of edges reached, or of all edges, per second.
	TEPS       float64 `json:"teps"`
	Rates      Rates   `json:"teps_statistics"`
	Supersteps int     `json:"supersteps"`
	// Ordered is false where the host brings the answer into the graph's own order.
	Ordered   bool `json:"ordered"`
	Certified int  `json:"certified"` // so many of the runs' answers
	// Wall is the median of the whole Run where the other times are the
	// device's; null: they are those of the whole Run.
	Wall *float64 `json:"wall_median_seconds"`
	// PrepareSeconds is what making the prepared graph took; null: it is the graph
	// as it is.
	PrepareSeconds *float64 `json:"prepare_seconds"`
	// Bytes is the mean of the estimated bytes read and written by a run, or an
	// iteration; null: no superstep has counted arcs. BytesPerSecond is of all runs
	// together, Share its part of the bandwidth, once Shares has set it.
	Bytes          *float64 `json:"bytes"`
	BytesPerSecond *float64 `json:"bytes_per_second"`
	Share          *float64 `json:"bandwidth_share"`
	// Peak is the largest resident size of the process during these runs, up to the first whose
	// answer is certified, the graph included.
	Peak int64 `json:"peak_bytes"`
	// Device is what the engine then holds of the device's memory.
	Device *uint64      `json:"device_bytes"`
	Energy *energy.Used `json:"energy"` // null: not measured
	Times  []float64    `json:"times_seconds"`
	edges  []uint64     // of each run
}

// measured are the runs of one program.
type measured struct {
	times, walls, perEdge []float64
	edges                 []uint64
	seconds, bytes        float64
}

func (m *measured) add(r single) {
	m.times, m.walls = append(m.times, r.Seconds), append(m.walls, r.Wall)
	m.perEdge = append(m.perEdge, r.Seconds/float64(max(r.edges, 1)))
	m.edges = append(m.edges, r.edges)
	m.seconds += r.Seconds
	m.bytes += r.bytes
}

func (m *measured) into(row *Row) {
	s := Summarise(m.times)
	row.Median, row.Min, row.Max, row.Mean, row.Deviation = s.Median, s.Min, s.Max, s.Mean, s.Deviation
	row.FirstQuartile, row.ThirdQuartile = s.FirstQuartile, s.ThirdQuartile
	row.Rates = SummariseRates(m.perEdge)
	row.TEPS, row.Times, row.edges = row.Rates.HarmonicMean, m.times, m.edges
	if m.bytes > 0 {
		bytes, rate := m.bytes/float64(len(m.times)), m.bytes/m.seconds
		row.Bytes, row.BytesPerSecond = &bytes, &rate
	}
}

// Shares sets the share of the machine's bandwidth.
func Shares(rows []Row, bandwidth float64) {
	for i := range rows {
		if r := &rows[i]; r.BytesPerSecond != nil && bandwidth > 0 {
			share := *r.BytesPerSecond / bandwidth
			r.Share = &share
		}
	}
}
