package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"testing"

	"gopregel/pregel/pregeltest/race"
	"gopregel/programs"
)

// What plan says of the host is held to what runs really take: at most 1.7
// times the measured peak, and no less than 0.8 of it. From the peak that of a
// tiny job is taken off, which varies, with the runtime, by some MiB.
func TestPlanAgainstPeaks(t *testing.T) {
	t.Parallel()
	if race.On {
		t.Skip("the race detector takes memory of its own")
	}
	const slack = 6 << 20
	base := measure(t, "{program: wcc, engine: {device: cpu}, graph: {generate: {kind: karate}}}", "run").Peak
	if base == 0 {
		t.Skip("this system does not tell the peak")
	}
	for _, e := range append(programs.All(), programs.Entry{Name: "sssp, not in place"}) {
		for _, directed := range []bool{false, true} {
			scale, params, schedule, name := 17, "", "auto", e.Name
			switch e.Name {
			case "lcc":
				scale = 15
			case "bfs", "sssp":
				params = ", params: {source: 0}"
			case "sssp, not in place":
				params, schedule, name = ", params: {source: 0}", "bsp", "sssp"
			}
			text := fmt.Sprintf("{program: %s, engine: {device: cpu, workers: 2, schedule: %s}, graph: {generate: {kind: kronecker, scale: %d}, weights: splitmix64, duplicates: drop, directed: %v}%s}", name, schedule, scale, directed, params)
			need, peak := measure(t, text, "plan").Host.Needed, measure(t, text, "run").Peak
			took := float64(peak - base)
			t.Logf("%-8s directed %-5v needs %.1f MB, took %.1f MB", e.Name, directed, need/1e6, took/1e6)
			if need > 1.7*took+slack || need < 0.8*took-slack {
				t.Errorf("%s: plan says %.1f MB, the run took %.1f MB", text, need/1e6, took/1e6)
			}
		}
	}
}

// So it is, more closely, where an answer of many vertices stays where the run was.
func TestPlanOfAnswersInPlace(t *testing.T) {
	t.Parallel()
	if race.On || testing.Short() {
		t.Skip("four runs of 70 to 120 MB; the race detector takes memory of its own")
	}
	const slack = 3 << 20
	base := measure(t, "{program: wcc, engine: {device: cpu}, graph: {generate: {kind: karate}}}", "run").Peak
	if base == 0 {
		t.Skip("this system does not tell the peak")
	}
	for _, c := range []struct{ program, weights string }{
		{"program: bfs, params: {source: 0}", "none"}, {"program: pagerank, params: {precision: float32, iterations: 3}", "none"},
		{"program: sssp, params: {source: 0}", "splitmix64"}, {"program: sssp, params: {source: 0, parents: false}", "splitmix64"},
	} {
		text := fmt.Sprintf("{%s, engine: {device: cpu, workers: 2}, graph: {generate: {kind: grid, rows: 2048, cols: 1024}, weights: %s}}", c.program, c.weights)
		need, took := measure(t, text, "plan").Host.Needed, float64(measure(t, text, "run").Peak-base)
		t.Logf("%s: needs %.1f MB, took %.1f MB", c.program, need/1e6, took/1e6)
		if need > 1.12*took+slack || need < 0.9*took-slack {
			t.Errorf("%s: plan says %.1f MB, the run took %.1f MB", text, need/1e6, took/1e6)
		}
	}
}

type measuredMemory struct {
	Peak int64 `json:"peak_bytes"`
	Host struct {
		Needed float64 `json:"needed"`
	} `json:"host"`
}

func measure(t *testing.T, text, verb string) (m measuredMemory) {
	t.Helper()
	c := exec.Command("built", verb, "-", "--json")
	c.Stdin = bytes.NewReader([]byte(text))
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s %s: %v", verb, text, err)
	}
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	return m
}
