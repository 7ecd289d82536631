package peer

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"gopregel/pregel/graph"
)

// A Row is one program of ours beside the fastest of theirs. Times are in seconds, one
// for each round: the median of its runs.
type Row struct {
	Graph   string    `json:"graph"`
	Program string    `json:"program"`
	Prepare string    `json:"prepare"` // the order of the graph that ours ran on; "none": as it is
	Unit    string    `json:"unit"`
	Peer    string    `json:"peer"`
	Command string    `json:"peer_program"` // in the last round
	Ours    []float64 `json:"seconds"`
	Theirs  []float64 `json:"peer_seconds"`
	Ratio   float64   `json:"ratio"` // the median of Ratios
	Ratios  []float64 `json:"ratios"`
	// The largest resident size of the process in any round, the graph included, in bytes;
	// 0: the system does not tell.
	OursPeak   int64 `json:"peak_bytes"`
	TheirsPeak int64 `json:"peer_peak_bytes"`
	Certified  int   `json:"certified"` // answers of ours, of all rounds
}

// A Timing is what runs of a program have taken.
type Timing struct {
	Seconds   float64 // the median
	Unit      string  // what the time is of; of theirs it is as of ours
	Command   string  // of theirs
	Peak      int64   // the largest resident size of the process, in bytes; 0: unknown
	Certified int     // answers of ours
	Prepare   string  // the order of the graph that ours ran on; "none": as it is
}

// Compare times theirs and ours in turn, so many rounds, on a graph that theirs read from
// a file.
func (s Suite) Compare(ctx context.Context, p Program, g *graph.Graph, file string, rounds int, ours func(starts []uint32) (Timing, error)) (Row, error) {
	row := Row{Program: p.Name, Peer: s.System.Title}
	for round := range rounds {
		in := Input{File: file, Undirected: !g.Directed(), Starts: s.Starts(g, round)}
		theirs, err := s.Time(ctx, p, in)
		if err != nil {
			return row, err
		}
		ours, err := ours(in.Starts)
		if err != nil {
			return row, err
		}
		row.Command, row.Unit, row.Prepare = theirs.Command, ours.Unit, ours.Prepare
		row.Theirs, row.Ours = append(row.Theirs, theirs.Seconds), append(row.Ours, ours.Seconds)
		row.Ratios = append(row.Ratios, ours.Seconds/theirs.Seconds)
		row.OursPeak, row.TheirsPeak = max(row.OursPeak, ours.Peak), max(row.TheirsPeak, theirs.Peak)
		row.Certified += ours.Certified
	}
	row.Ratio = Median(row.Ratios)
	return row, nil
}

// Median returns the median, of an even number the mean of the two in the middle.
func Median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	n := len(list)
	return (list[(n-1)/2] + list[n/2]) / 2
}

// Print writes rows, of one system, as a table in Markdown.
func Print(w io.Writer, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
	fmt.Fprintf(t, "| graph\t| program\t| prepare\t| per\t| ms\t| %s, ms\t| its program\t| ratio\t| of rounds\t| peak MB\t| %[1]s, MB\t| certified\t|\n%s\n", rows[0].Peer, strings.Repeat("|---\t", 12)+"|")
	for _, r := range rows {
		fmt.Fprintf(t, "| %s\t| %s\t| %s\t| %s\t| %s\t| %s\t| %s\t| %.2f\t| %.2f to %.2f\t| %s\t| %s\t| %d\t|\n", r.Graph, r.Program, r.Prepare, r.Unit,
			milliseconds(Median(r.Ours)), milliseconds(Median(r.Theirs)), r.Command, r.Ratio, slices.Min(r.Ratios), slices.Max(r.Ratios),
			megabytes(r.OursPeak), megabytes(r.TheirsPeak), r.Certified)
	}
	return t.Flush()
}

// megabytes writes a size, if it is known.
func megabytes(bytes int64) string {
	if bytes == 0 {
		return "-"
	}
	return strconv.FormatFloat(float64(bytes)/1e6, 'f', 1, 64)
}

// milliseconds writes a time with three digits.
func milliseconds(seconds float64) string {
	ms, behind := seconds*1e3, 0
	for least := 100.0; ms < least && behind < 4; least /= 10 {
		behind++
	}
	return strconv.FormatFloat(ms, 'f', behind, 64)
}
