package cuda

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gopregel/runtime/cuda/driver"
)

// A Rate is something the device does so many times a second.
type Rate struct {
	Name      string
	PerSecond float64
}

// repeats is how often something is measured; the median counts.
const repeats = 7

// Bandwidth measures a copy within the device's memory: bytes read and written
// by the second.
func (e *Engine) Bandwidth(context.Context) (float64, error) {
	const size = 1 << 30
	rate := 0.0
	err := e.device.Do(func() error {
		a, err := e.alloc(size, "a buffer to copy")
		if err != nil {
			return err
		}
		defer e.free(a)
		b, err := e.alloc(size, "a buffer to copy to")
		if err != nil {
			return err
		}
		defer e.free(b)
		if err := a.Fill(0, size, 1); err != nil {
			return err
		}
		took, err := e.median(func() error { return b.CopyFrom(0, a, 0, size) })
		rate = 2 * size / took.Seconds()
		return err
	})
	return rate, err
}

// RandomAccess measures random reads of 4 bytes and atomic minima, by the size
// of the table.
func (e *Engine) RandomAccess(context.Context) ([]Rate, error) {
	var rates []Rate
	err := e.device.Do(func() error {
		for _, size := range []uint64{16 << 20, 64 << 20, 256 << 20} {
			for _, entry := range []string{"measure_random", "measure_atomic"} {
				r, err := e.random(entry, size)
				if err != nil {
					return err
				}
				rates = append(rates, r)
			}
		}
		return nil
	})
	return rates, err
}

// random measures one kernel on a table.
func (e *Engine) random(entry string, size uint64) (Rate, error) {
	const rounds, threads = 64, 256
	table, err := e.alloc(size, "a table")
	if err != nil {
		return Rate{}, err
	}
	defer e.free(table)
	if err := table.Fill(0, size, 0x7f); err != nil {
		return Rate{}, err
	}
	k, err := e.kernel("graph", entry, []string{"OFFSET=u32"})
	if err != nil {
		return Rate{}, err
	}
	args := driver.NewArgs().Buffer(table).Uint32(uint32(size/4 - 1)).Uint32(rounds)
	name := "random atomic minima"
	if entry == "measure_random" {
		args.Buffer(table)
		name = "random reads"
	}
	blocks := e.device.Info().Processors * 8
	took, err := e.median(func() error { return k.Launch(driver.Shape{Blocks: blocks, Threads: threads}, args) })
	return Rate{fmt.Sprintf("%s of 4 bytes in %d MB", name, size>>20), float64(blocks*threads*rounds*8) / took.Seconds()}, err
}

// median is the device's time for f.
func (e *Engine) median(f func() error) (time.Duration, error) {
	var list []time.Duration
	for range repeats {
		if err := e.start.Record(); err != nil {
			return 0, err
		}
		if err := f(); err != nil {
			return 0, err
		}
		if err := e.ends[0].Record(); err != nil {
			return 0, err
		}
		if err := e.device.Sync(); err != nil {
			return 0, err
		}
		took, err := e.ends[0].Since(e.start)
		if err != nil {
			return 0, err
		}
		list = append(list, took)
	}
	slices.Sort(list)
	return list[len(list)/2], nil
}
