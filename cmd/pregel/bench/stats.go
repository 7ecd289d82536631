package bench

import (
	"math"
	"slices"
)

// A Summary holds the order statistics, the mean and the standard deviation of
// numbers, by the rules of Graph500's reference code: a quartile is the mean of
// the two numbers that the quarter lies between, the standard deviation that of
// a sample (0 for one number).
type Summary struct {
	Min           float64 `json:"min"`
	FirstQuartile float64 `json:"first_quartile"`
	Median        float64 `json:"median"`
	ThirdQuartile float64 `json:"third_quartile"`
	Max           float64 `json:"max"`
	Mean          float64 `json:"mean"`
	Deviation     float64 `json:"standard_deviation"`
}

// Summarise describes a list, which must not be empty.
func Summarise(list []float64) Summary {
	x, n := slices.Sorted(slices.Values(list)), len(list)
	s := Summary{
		Min:           x[0],
		FirstQuartile: (x[(n-1)/4] + x[n/4]) / 2,
		Median:        (x[(n-1)/2] + x[n/2]) / 2,
		ThirdQuartile: (x[n-1-(n-1)/4] + x[n-1-n/4]) / 2,
		Max:           x[n-1],
	}
	for _, v := range x {
		s.Mean += v / float64(n)
	}
	for _, v := range x {
		s.Deviation += (v - s.Mean) * (v - s.Mean)
	}
	s.Deviation = math.Sqrt(s.Deviation / float64(max(n-1, 1)))
	return s
}

// Rates are the statistics of edges per second. Their mean is harmonic, as
// befits rates: all edges of equal runs by their whole time.
type Rates struct {
	Min           float64 `json:"min"`
	FirstQuartile float64 `json:"first_quartile"`
	Median        float64 `json:"median"`
	ThirdQuartile float64 `json:"third_quartile"`
	Max           float64 `json:"max"`
	HarmonicMean  float64 `json:"harmonic_mean"`
	// StandardError is that of the harmonic mean: s / (mean² √(n-1)), with mean
	// and s those of the seconds by the edge (N. Norris, Annals of Mathematical
	// Statistics 11(4), 1940). Graph500 prints it as harmonic_stddev. 0 for one
	// run.
	StandardError float64 `json:"harmonic_standard_error"`
}

// SummariseRates describes runs by what they took for each edge.
func SummariseRates(secondsPerEdge []float64) Rates {
	s, n := Summarise(secondsPerEdge), len(secondsPerEdge)
	return Rates{
		Min: 1 / s.Max, FirstQuartile: 1 / s.ThirdQuartile, Median: 1 / s.Median, ThirdQuartile: 1 / s.FirstQuartile, Max: 1 / s.Min,
		HarmonicMean:  1 / s.Mean,
		StandardError: s.Deviation / (s.Mean * s.Mean * math.Sqrt(float64(max(n-1, 1)))),
	}
}
