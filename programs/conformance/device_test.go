//go:build cuda || emulate

package conformance_test

import (
	"errors"
	"path/filepath"
	"strconv"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/internal/trial"
	"gopregel/programs/pagerank"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// onHost are the tasks whose programs have no form for a device: the engine
// hands them to its host engine.
var onHost = map[string]bool{"CDLP": true, "LCC": true}

// open makes an engine on a device, with a host engine for what has no form for
// it. It skips the test where there is no device.
func open(t *testing.T, d pregel.Direction) *cuda.Engine {
	t.Helper()
	e, err := trial.OpenDevice(cuda.Options{Direction: d, Host: cpu.New(cpu.Options{})})
	if errors.Is(err, driver.ErrNoDevice) {
		t.Skip("no CUDA device: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// deviceEngines are engines of all directions on one device. Whatever has a form
// for it must have run there by the end of the test.
func deviceEngines(t *testing.T) engines {
	var list []*cuda.Engine
	for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
		list = append(list, open(t, d))
	}
	asked := 0
	t.Cleanup(func() {
		for _, e := range list {
			if e.Runs() < asked {
				t.Errorf("direction %v: %d runs on the device, want at least %d", e.Direction, e.Runs(), asked)
			}
		}
	})
	return func(_ *graph.Graph, task string) (engines []pregel.Engine) {
		if onHost[task] {
			t.Logf("%s: on the host engine", task)
			return []pregel.Engine{list[0]}
		}
		asked++
		for _, e := range list {
			engines = append(engines, e)
		}
		return engines
	}
}

func TestDeviceLDBC(t *testing.T) { ldbc(t, deviceEngines(t)) }

func TestDeviceLibgrape(t *testing.T) { libgrape(t, deviceEngines(t)) }

// Real graphs: all that is checked on the CPU, by the same references and
// certificates; PageRank in float64 as closely as there. CDLP and clustering
// run on the host engine.
func TestDeviceRealGraphs(t *testing.T) {
	e := open(t, pregel.Auto)
	for _, dir := range realGraphs(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			before := e.Runs()
			r := load(t, dir)
			r.checkAll(t, e)
			r.singleRanks(t, e)
			t.Logf("%d runs on the device; CDLP and clustering on the host engine", e.Runs()-before)
			if least := len(r.BFS) + len(r.SSSP) + len(r.BFSUndirected) + 2*len(r.PageRank.Fixed) + 3; e.Runs()-before < least {
				t.Errorf("%d runs on the device, want at least %d", e.Runs()-before, least)
			}
		})
	}
}

// share32 is the share by which ranks of float32 may be wrong: of 24 bits, sums
// of some ten thousand numbers keep that many.
const share32 = 1e-4

// singleRanks checks PageRank in float32.
func (r realGraph) singleRanks(t *testing.T, e pregel.Engine) {
	t.Helper()
	for n, want := range r.PageRank.Fixed {
		iterations, _ := strconv.Atoi(n)
		r.ranks(t, e, &pagerank.PageRank{Damping: r.PageRank.Damping, Iterations: iterations, Precision: pagerank.Float32}, want, share32)
	}
}

// The smallest real graph, pushing and pulling, and with order promised.
func TestDeviceRealGraphUnderAllConfigurations(t *testing.T) {
	dir := ""
	for _, d := range realGraphs(t) {
		if filepath.Base(d) == "wiki-Vote" {
			dir = d
		}
	}
	for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
		for _, strict := range []bool{false, true} {
			t.Run(d.String()+" strict "+strconv.FormatBool(strict), func(t *testing.T) {
				e := open(t, d)
				e.Strict = strict
				load(t, dir).checkAll(t, e)
			})
		}
	}
}
