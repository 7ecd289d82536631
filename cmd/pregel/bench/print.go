package bench

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Print writes the rows as a table, and those without some form as another.
func Print(w io.Writer, rows []Row) error {
	whole := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Without != nil })
	return errors.Join(printWhole(w, whole), printForms(w, rows))
}

func printWhole(w io.Writer, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	device := slices.ContainsFunc(rows, func(r Row) bool { return r.Wall != nil })
	prepared := slices.ContainsFunc(rows, func(r Row) bool { return r.PrepareSeconds != nil })
	digits, wall, order := 2, "", ""
	if device {
		digits, wall = 3, "wall ms\t"
	}
	if prepared {
		order = "prepare\tits ms\t"
	}
	fmt.Fprintf(t, "program\t%sper\tmedian ms\tmin\tquartiles\tmax\t%sGTEPS\tMB moved\tof bandwidth\tpeak MB\tsupersteps\tcertified\t\n", order, wall)
	ms := func(seconds float64) string { return fixed(seconds*1e3, digits) }
	for _, r := range rows {
		if device {
			wall = ms(*r.Wall) + "\t"
		}
		if prepared {
			order = r.Prepare + "\t" + optional(r.PrepareSeconds, ms) + "\t"
		}
		fmt.Fprintf(t, "%s\t%s%s\t%s\t%s\t%s to %s\t%s\t%s%.3f\t%s\t%s\t%s\t%d\t%d\t\n",
			r.Program, order, r.Unit, ms(r.Median), ms(r.Min), ms(r.FirstQuartile), ms(r.ThirdQuartile), ms(r.Max), wall, r.TEPS/1e9,
			optional(r.Bytes, megabytes), optional(r.Share, percent), megabytes(float64(r.Peak)), r.Supersteps, r.Certified)
	}
	err := errors.Join(t.Flush(), printBrought(w, rows))
	for _, r := range rows {
		if u := r.Energy; u != nil && err == nil {
			_, err = fmt.Fprintf(w, "energy of %s: %.1f J for %d runs in %.1f s (%s): %.1f W, %.3g MTEPS/W\n", r.Program, u.Joules, u.Runs, u.Seconds, u.Meter, u.Watts, u.MTEPSPerWatt)
		}
	}
	return err
}

// printBrought tells of which programs a device's times leave out what the host does with the answer.
func printBrought(w io.Writer, rows []Row) error {
	var names []string
	for _, r := range rows {
		if r.Wall != nil && !r.Ordered && !slices.Contains(names, r.Program) {
			names = append(names, r.Program)
		}
	}
	if len(names) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "brought into the graph's own order by the host, in wall alone: %s\n", strings.Join(names, ", "))
	return err
}

// optional writes a number that may be missing.
func optional(x *float64, write func(float64) string) string {
	if x == nil {
		return "-"
	}
	return write(*x)
}

func fixed(x float64, digits int) string { return strconv.FormatFloat(x, 'f', digits, 64) }

func megabytes(bytes float64) string { return fixed(bytes/1e6, 1) }

func percent(share float64) string { return fixed(share*100, 0) + " %" }

// PrintGo writes every timed run as a line in the format of Go benchmarks, for
// benchstat. The name says the program and the graph.
func PrintGo(w io.Writer, graphName string, rows []Row) error {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(a.Program, b.Program) })
	if _, err := fmt.Fprintf(w, "goos: %s\ngoarch: %s\nUnit MTEPS better=higher\n", runtime.GOOS, runtime.GOARCH); err != nil {
		return err
	}
	for _, r := range rows {
		name := "Benchmark/" + r.Program + "/" + graphName
		if r.PrepareSeconds != nil {
			name += "/prepare=" + r.Prepare
		}
		if r.Without != nil {
			name += "/without=" + strings.ReplaceAll(r.Without.Name, " ", "_")
		}
		for i, seconds := range r.Times {
			teps := float64(r.edges[i]) / seconds
			if _, err := fmt.Fprintf(w, "%s 1 %s ns/op %s MTEPS\n", name, short(seconds*1e9, 1), short(teps/1e6, 3)); err != nil {
				return err
			}
		}
	}
	return nil
}

// short writes a number with at most so many digits behind the point.
func short(x float64, digits int) string {
	scale := math.Pow10(digits)
	return strconv.FormatFloat(math.Round(x*scale)/scale, 'f', -1, 64)
}

// PrintCSV writes the rows as CSV, with the names that JSON has; what is missing
// is empty.
func PrintCSV(w io.Writer, graphName string, rows []Row) error {
	c := csv.NewWriter(w)
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	maybe := func(x *float64) string {
		if x == nil {
			return ""
		}
		return number(*x)
	}
	list := [][]string{{"graph", "program", "prepare", "unit", "runs", "median_seconds", "min_seconds", "max_seconds", "first_quartile_seconds",
		"third_quartile_seconds", "mean_seconds", "standard_deviation_seconds", "teps", "supersteps", "certified", "wall_median_seconds",
		"prepare_seconds", "bytes", "bytes_per_second", "bandwidth_share", "peak_bytes", "device_bytes", "joules", "mteps_per_watt",
		"without", "form_seconds", "form_bytes"}}
	for _, r := range rows {
		device, joules, efficiency := "", "", ""
		form := []string{"", "", ""}
		if r.Device != nil {
			device = strconv.FormatUint(*r.Device, 10)
		}
		if r.Energy != nil {
			joules, efficiency = number(r.Energy.Joules), number(r.Energy.MTEPSPerWatt)
		}
		if f := r.Without; f != nil {
			form = []string{f.Name, number(f.Seconds), strconv.FormatUint(f.Bytes, 10)}
		}
		list = append(list, append([]string{graphName, r.Program, r.Prepare, r.Unit, strconv.Itoa(r.Runs), number(r.Median), number(r.Min), number(r.Max),
			number(r.FirstQuartile), number(r.ThirdQuartile), number(r.Mean), number(r.Deviation), number(r.TEPS), strconv.Itoa(r.Supersteps),
			strconv.Itoa(r.Certified), maybe(r.Wall), maybe(r.PrepareSeconds), maybe(r.Bytes), maybe(r.BytesPerSecond), maybe(r.Share),
			strconv.FormatInt(r.Peak, 10), device, joules, efficiency}, form...))
	}
	return c.WriteAll(list)
}
