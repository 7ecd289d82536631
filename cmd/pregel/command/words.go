package command

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gopregel/pregel"
)

// count writes a whole number with its thousands apart.
func count[T int | uint64 | int64](n T) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + " " + text[i:]
	}
	return text
}

// plural writes a number of things.
func plural[T int | uint64 | int64](n T, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if thing == "vertex" {
		return count(n) + " vertices"
	}
	return count(n) + " " + thing + "s"
}

// short writes a number to three digits with a prefix of thousands,
// to be followed by a unit.
func short(x float64) string {
	for _, p := range []struct {
		size float64
		name string
	}{{1e12, " T "}, {1e9, " G "}, {1e6, " M "}, {1e3, " k "}} {
		if x >= p.size {
			return digits(x/p.size) + p.name
		}
	}
	return digits(x) + " "
}

// bytesPerSecond writes a bandwidth: 4.27 TB/s.
func bytesPerSecond(x float64) string {
	text := short(x) + "B/s"
	if x >= 1e3 {
		text = strings.Replace(text, " B/s", "B/s", 1)
	}
	return text
}

// size writes a number of bytes.
func size(n uint64) string {
	x, unit := float64(n), "B"
	for _, next := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if x < 1024 {
			break
		}
		x, unit = x/1024, next
	}
	return digits(x) + " " + unit
}

// digits writes about three significant digits.
func digits(x float64) string {
	switch {
	case x >= 100 || x == math.Trunc(x):
		return strconv.FormatFloat(x, 'f', 0, 64)
	case x >= 10:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// duration writes seconds in a fitting unit.
func duration(seconds float64) string {
	switch {
	case seconds < 1e-3:
		return digits(seconds*1e6) + " µs"
	case seconds < 1:
		return digits(seconds*1e3) + " ms"
	case seconds < 100:
		return digits(seconds) + " s"
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}

// factText writes the value of a fact.
func factText(value any) string {
	switch v := value.(type) {
	case int:
		return count(v)
	case int64:
		return count(v)
	case uint64:
		return count(v)
	case float64:
		return strconv.FormatFloat(v, 'g', 10, 64)
	}
	return fmt.Sprint(value)
}

// stopText writes a stop record.
func stopText(s pregel.Stop) string {
	text := fmt.Sprintf("%s after %s", s.Reason, plural(s.Supersteps, "superstep"))
	switch m := s.Metric; {
	case m.Name != "" && m.Tolerance > 0:
		text += fmt.Sprintf(" (%s %.3g, tolerance %.3g)", m.Name, m.Value, m.Tolerance)
	case m.Name != "":
		text += fmt.Sprintf(" (%s %.3g)", m.Name, m.Value)
	}
	return text
}
