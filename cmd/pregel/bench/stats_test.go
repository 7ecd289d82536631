package bench_test

import (
	"math"
	"testing"

	"gopregel/cmd/pregel/bench"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }

// Values computed by hand from the definitions.
func TestSummarise(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		list []float64
		want bench.Summary
	}{
		{[]float64{7}, bench.Summary{7, 7, 7, 7, 7, 7, 0}},
		{[]float64{3, 1}, bench.Summary{1, 1, 2, 3, 3, 2, math.Sqrt2}},
		{[]float64{4, 2, 1, 3}, bench.Summary{1, 1.5, 2.5, 3.5, 4, 2.5, math.Sqrt(5.0 / 3)}},
		{[]float64{5, 1, 4, 2, 3}, bench.Summary{1, 2, 3, 4, 5, 3, math.Sqrt(2.5)}},
		{[]float64{10, 20, 30, 40, 50, 60, 70, 80}, bench.Summary{10, 25, 45, 65, 80, 45, math.Sqrt(600)}},
	} {
		got := bench.Summarise(c.list)
		for i, pair := range [][2]float64{{got.Min, c.want.Min}, {got.FirstQuartile, c.want.FirstQuartile}, {got.Median, c.want.Median},
			{got.ThirdQuartile, c.want.ThirdQuartile}, {got.Max, c.want.Max}, {got.Mean, c.want.Mean}, {got.Deviation, c.want.Deviation}} {
			if !near(pair[0], pair[1]) {
				t.Errorf("%v: number %d of %+v, want %+v", c.list, i, got, c.want)
			}
		}
		if len(c.list) == 4 && c.list[0] != 4 {
			t.Error("the list has been sorted")
		}
	}
}

// 1, 2 and 4 seconds an edge: their mean is 7/3, their deviation √(7/3).
func TestSummariseRates(t *testing.T) {
	t.Parallel()
	got := bench.SummariseRates([]float64{2, 1, 4})
	if !near(got.HarmonicMean, 3.0/7) || !near(got.StandardError, math.Sqrt(7.0/3)/(49.0/9*math.Sqrt2)) ||
		got.Min != 0.25 || got.Median != 0.5 || got.Max != 1 || got.FirstQuartile != 0.25 || got.ThirdQuartile != 1 {
		t.Errorf("%+v", got)
	}
	if got := bench.SummariseRates([]float64{0.5}); got.HarmonicMean != 2 || got.StandardError != 0 {
		t.Errorf("%+v", got)
	}
}
