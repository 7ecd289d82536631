package energy

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Powercap is where Linux shows RAPL's counters.
const Powercap = "/sys/class/powercap"

// rapl adds up the zones of a machine: its packages, and memory where it is
// counted apart from them. Zones within a package (core, uncore) are part of
// it; psys is the whole platform, and would count the packages again.
type rapl struct {
	mu    sync.Mutex
	zones []zone
	used  float64 // microjoules since the meter was opened
}

// A zone is a counter of microjoules that goes back to 0 beyond its range.
type zone struct {
	name, path  string
	wrap, count uint64
}

// RAPL opens the counters below a folder such as Powercap. Reading them usually
// takes root's rights.
func RAPL(folder string) (Meter, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*", "name"))
	if err != nil {
		return nil, fmt.Errorf("energy: %w", err)
	}
	slices.Sort(names)
	r := new(rapl)
	for _, path := range names {
		text, err := os.ReadFile(path)
		name := strings.TrimSpace(string(text))
		if err != nil || !strings.HasPrefix(name, "package-") && name != "dram" || twin(path) {
			continue
		}
		z, err := openZone(name, filepath.Dir(path))
		if err != nil {
			return nil, err
		}
		r.zones = append(r.zones, z)
	}
	if len(r.zones) == 0 {
		return nil, fmt.Errorf("energy: no RAPL counters in %s", folder)
	}
	return r, nil
}

// twin tells whether a zone is the second view of one: intel-rapl-mmio shows
// counters of intel-rapl again.
func twin(path string) bool {
	folder := filepath.Base(filepath.Dir(path))
	return strings.HasPrefix(folder, "intel-rapl-mmio")
}

func openZone(name, folder string) (z zone, err error) {
	z = zone{name: name, path: filepath.Join(folder, "energy_uj")}
	if z.wrap, err = readNumber(filepath.Join(folder, "max_energy_range_uj")); err != nil {
		return z, err
	}
	z.count, err = readNumber(z.path)
	return z, err
}

func readNumber(path string) (uint64, error) {
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrPermission):
		return 0, fmt.Errorf("energy: RAPL is for root alone here: %w", err)
	case err != nil:
		return 0, fmt.Errorf("energy: %w", err)
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("energy: %s: found %q, want a whole number", path, strings.TrimSpace(string(text)))
	}
	return n, nil
}

// Joules returns what has been used since the meter was opened. A counter that
// goes round more than once between two calls (minutes at full power) loses a
// round.
func (r *rapl) Joules() (float64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.zones {
		z := &r.zones[i]
		now, err := readNumber(z.path)
		if err != nil {
			return 0, err
		}
		step := now - z.count
		if now < z.count {
			step += z.wrap
		}
		z.count = now
		r.used += float64(step)
	}
	return r.used / 1e6, nil
}

// Close does nothing.
func (r *rapl) Close() error { return nil }
