package energy_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gopregel/cmd/pregel/energy"
)

// sysfs writes files below a folder, by their paths.
func sysfs(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for path, text := range files {
		path = filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// two is a machine with two packages, of which one counts its memory apart.
func two() map[string]string {
	files := map[string]string{}
	for zone, x := range map[string][3]string{
		"intel-rapl:0": {"package-0", "1000000", "262143328850"}, "intel-rapl:0:0": {"core", "7", "262143328850"},
		"intel-rapl:0:1": {"dram", "500000", "65712999613"}, "intel-rapl:1": {"package-1", "262143000000", "262143328850"},
		"intel-rapl:2": {"psys", "9", "262143328850"}, "intel-rapl-mmio:0": {"package-0", "1000000", "262143328850"},
	} {
		files[zone+"/name"], files[zone+"/energy_uj"], files[zone+"/max_energy_range_uj"] = x[0], x[1], x[2]
	}
	files["intel-rapl/enabled"] = "1"
	return files
}

func TestRAPL(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	sysfs(t, folder, two())
	m, err := energy.RAPL(folder)
	if err != nil {
		t.Fatal(err)
	}
	if j, err := m.Joules(); j != 0 || err != nil {
		t.Errorf("%v J at first, %v", j, err)
	}
	// 3 J, 0.25 J, and a counter that has gone round: 328850 µJ to its end and
	// 671150 beyond it are 1 J. Others are not counted.
	sysfs(t, folder, map[string]string{"intel-rapl:0/energy_uj": "4000000", "intel-rapl:0:1/energy_uj": "750000", "intel-rapl:1/energy_uj": "671150",
		"intel-rapl:0:0/energy_uj": "99000000", "intel-rapl:2/energy_uj": "99000000", "intel-rapl-mmio:0/energy_uj": "99000000"})
	if j, err := m.Joules(); math.Abs(j-4.25) > 1e-9 || err != nil {
		t.Errorf("%v J, want 4.25, %v", j, err)
	}
	sysfs(t, folder, map[string]string{"intel-rapl:0/energy_uj": "5000000"})
	if j, err := m.Joules(); math.Abs(j-5.25) > 1e-9 || err != nil {
		t.Errorf("%v J, want 5.25, %v", j, err)
	}
	sysfs(t, folder, map[string]string{"intel-rapl:0/energy_uj": "much"})
	if _, err := m.Joules(); err == nil || !strings.Contains(err.Error(), `energy_uj: found "much"`) {
		t.Errorf("a counter that is no number: %v", err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

func TestNoRAPL(t *testing.T) {
	t.Parallel()
	empty, half, locked := t.TempDir(), t.TempDir(), t.TempDir()
	sysfs(t, half, map[string]string{"intel-rapl:0/name": "package-0"})
	sysfs(t, locked, two())
	if err := os.Chmod(filepath.Join(locked, "intel-rapl:0", "energy_uj"), 0); err != nil {
		t.Fatal(err)
	}
	wants := map[string]string{empty: "no RAPL counters in ", filepath.Join(empty, "none"): "no RAPL counters in ", half: "max_energy_range_uj"}
	if os.Getuid() != 0 { // root may read it all the same
		wants[locked] = "for root alone"
	}
	for folder, want := range wants {
		if m, err := energy.RAPL(folder); m != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", folder, err, want)
		}
	}
}

// scripted gives prepared readings.
type scripted []float64

func (s *scripted) Joules() (float64, error) {
	if len(*s) == 0 {
		return 0, errors.New("broken")
	}
	j := (*s)[0]
	*s = (*s)[1:]
	return j, nil
}

func (s *scripted) Close() error { return nil }

func TestMeasure(t *testing.T) {
	t.Parallel()
	calls := 0
	run := func(i int) (uint64, error) {
		if i != calls%3 {
			t.Errorf("run %d, want %d", i, calls%3)
		}
		calls++
		return 2e6, nil
	}
	u, err := energy.Measure(t.Context(), "test", &scripted{10, 14}, 0, 3, run)
	if err != nil || u.Meter != "test" || u.Runs != 3 || u.Joules != 4 || u.MTEPSPerWatt != 1.5 || math.Abs(u.Watts*u.Seconds-4) > 1e-9 {
		t.Errorf("%+v %v", u, err) // 3 runs of 2 million edges on 4 J
	}
	calls = 0
	if u, err := energy.Measure(t.Context(), "test", &scripted{0, 1}, 5*time.Millisecond, 3, run); err != nil || u.Runs != calls || u.Runs%3 != 0 || u.Seconds < 0.005 {
		t.Errorf("%+v %v after %d runs", u, err, calls)
	}
	broken := errors.New("no run")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for want, f := range map[string]func() (*energy.Used, error){
		"no run": func() (*energy.Used, error) {
			return energy.Measure(t.Context(), "test", &scripted{0, 1}, 0, 1, func(int) (uint64, error) { return 0, broken })
		},
		"has counted 0 J": func() (*energy.Used, error) {
			calls = 0
			return energy.Measure(t.Context(), "test", &scripted{1, 1}, 0, 1, run)
		},
		"broken": func() (*energy.Used, error) {
			calls = 0
			return energy.Measure(t.Context(), "test", &scripted{1}, 0, 1, run)
		},
		"context canceled": func() (*energy.Used, error) { return energy.Measure(ended, "test", &scripted{1, 2}, 0, 1, run) },
	} {
		if u, err := f(); u != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v %v, want %q", u, err, want)
		}
	}
}
