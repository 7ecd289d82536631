package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

func (a *app) devicesCommand() *cobra.Command {
	var asJSON, measure bool
	c := &cobra.Command{
		Use:   "devices",
		Short: "Lists the GPUs that jobs can run on",
		Long: `Lists the GPUs that jobs can run on (engine.device: cuda, engine.gpu: NUMBER):
name, compute capability, multiprocessors, memory free and in all, and the
bandwidth of a copy within it, measured now: bytes read and written a second.
The versions are those of CUDA that the driver knows, and of the compiler NVRTC.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			list, err := devices(c.Context(), measure)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(a.out, list)
			}
			return list.write(a.out)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	c.Flags().BoolVar(&measure, "measure", true, "measure the bandwidth")
	return c
}

// A deviceList is what devices prints.
type deviceList struct {
	Driver   string       `json:"driver"` // CUDA version that the driver knows
	Compiler string       `json:"nvrtc"`
	Devices  []deviceInfo `json:"devices"`
}

type deviceInfo struct {
	Number     int      `json:"gpu"`
	Name       string   `json:"name"`
	Capability string   `json:"compute_capability"`
	Processors int      `json:"multiprocessors"`
	Free       uint64   `json:"memory_free"`
	Memory     uint64   `json:"memory"`
	Bandwidth  *float64 `json:"copy_bytes_per_second"` // null: not measured
}

func devices(ctx context.Context, measure bool) (*deviceList, error) {
	found, err := driver.Devices()
	if err == nil && len(found) == 0 {
		err = driver.ErrNoDevice
	}
	if err != nil {
		return nil, err
	}
	list := &deviceList{Driver: cudaVersion(found[0].Driver)}
	if list.Compiler, err = driver.Compiler(); err != nil {
		return nil, err
	}
	for _, i := range found {
		d := deviceInfo{
			Number: i.Ordinal, Name: i.Name, Capability: fmt.Sprintf("%d.%d", i.Major, i.Minor),
			Processors: i.Processors, Memory: i.Memory,
		}
		if err := d.look(ctx, measure); err != nil {
			return nil, fmt.Errorf("GPU %d, %s: %w", i.Ordinal, i.Name, err)
		}
		list.Devices = append(list.Devices, d)
	}
	return list, nil
}

// look finds what the device itself must be asked for.
func (d *deviceInfo) look(ctx context.Context, measure bool) error {
	e, err := cuda.Open(cuda.Options{Device: d.Number})
	if err != nil {
		return err
	}
	if d.Free, err = e.Free(); err == nil && measure {
		var rate float64
		rate, err = e.Bandwidth(ctx)
		d.Bandwidth = &rate
	}
	return errors.Join(err, e.Close())
}

// cudaVersion writes 13000 as 13.0.
func cudaVersion(v int) string { return fmt.Sprintf("%d.%d", v/1000, v%1000/10) }

func (l *deviceList) write(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "driver: CUDA %s; compiler: NVRTC %s\n", l.Driver, l.Compiler); err != nil {
		return err
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "gpu\tname\tcapability\tmultiprocessors\tmemory free\tof\tcopy")
	for _, d := range l.Devices {
		rate := "not measured"
		if d.Bandwidth != nil {
			rate = bytesPerSecond(*d.Bandwidth)
		}
		fmt.Fprintf(out, "%d\t%s\t%s\t%d\t%s\t%s\t%s\n", d.Number, d.Name, d.Capability, d.Processors, size(d.Free), size(d.Memory), rate)
	}
	return out.Flush()
}
