package peer

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"gopregel/pregel/graph"
)

// A Row is one program of ours beside the fastest of theirs. Times are in seconds, one
// for each round: the median of its runs.
type Row struct {
	Graph   string    `json:"graph"`
	Program string    `json:"program"`
	Unit    string    `json:"unit"`
	Peer    string    `json:"peer"`
	Command string    `json:"peer_program"` // in the last round
	Ours    []float64 `json:"seconds"`
	Theirs  []float64 `json:"peer_seconds"`
	Ratio   float64   `json:"ratio"` // the median of Ratios
	Ratios  []float64 `json:"ratios"`
}

// Compare times theirs and ours in turn, so many rounds, on a graph that theirs read from
// a file.
func (s Suite) Compare(ctx context.Context, p Program, g *graph.Graph, file string, rounds int, ours func(starts []uint32) (seconds float64, unit string, err error)) (Row, error) {
	row := Row{Program: p.Name, Peer: s.System.Title}
	for round := range rounds {
		in := Input{File: file, Undirected: !g.Directed(), Starts: s.Starts(g, round)}
		command, times, err := s.Time(ctx, p, in)
		if err != nil {
			return row, err
		}
		seconds, unit, err := ours(in.Starts)
		if err != nil {
			return row, err
		}
		theirs := Median(times)
		row.Command, row.Unit = command, unit
		row.Theirs, row.Ours, row.Ratios = append(row.Theirs, theirs), append(row.Ours, seconds), append(row.Ratios, seconds/theirs)
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
	fmt.Fprintf(t, "| graph\t| program\t| per\t| ms\t| %s, ms\t| its program\t| ratio\t| of rounds\t|\n|---\t|---\t|---\t|---\t|---\t|---\t|---\t|---\t|\n", rows[0].Peer)
	for _, r := range rows {
		fmt.Fprintf(t, "| %s\t| %s\t| %s\t| %s\t| %s\t| %s\t| %.2f\t| %.2f to %.2f\t|\n", r.Graph, r.Program, r.Unit,
			milliseconds(Median(r.Ours)), milliseconds(Median(r.Theirs)), r.Command, r.Ratio, slices.Min(r.Ratios), slices.Max(r.Ratios))
	}
	return t.Flush()
}

// milliseconds writes a time with three digits.
func milliseconds(seconds float64) string {
	ms, behind := seconds*1e3, 0
	for least := 100.0; ms < least && behind < 4; least /= 10 {
		behind++
	}
	return strconv.FormatFloat(ms, 'f', behind, 64)
}
