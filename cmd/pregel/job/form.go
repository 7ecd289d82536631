package job

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A form is what a string has to be, where it stands for an amount. Fields name
// theirs by the tag form:"…".
type form struct {
	words   string         // says so
	pattern *regexp.Regexp // all of it: what matches has a value
}

var forms = map[string]form{
	"duration": {"a time with its unit, such as 30s, 5m or 1h30m", regexp.MustCompile(`^([1-9][0-9]{0,5}h)?([1-9][0-9]{0,5}m)?([1-9][0-9]{0,5}s)?([1-9][0-9]{0,5}ms)?$`)},
	"size":     {"a size with its unit, such as 512MiB or 2GiB", regexp.MustCompile(`^[1-9][0-9]{0,5}(B|KiB|MiB|GiB|TiB|kB|MB|GB|TB)$`)},
}

// durationOf is the value of a string of the form duration, 0 of none.
func durationOf(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0
	}
	return d
}

var unitBytes = []struct {
	name  string
	bytes uint64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1},
}

// bytesOf is the value of a string of the form size, 0 of none.
func bytesOf(text string) uint64 {
	for _, u := range unitBytes {
		if number, ok := strings.CutSuffix(text, u.name); ok {
			n, err := strconv.ParseUint(number, 10, 64)
			if err != nil {
				return 0
			}
			return n * u.bytes
		}
	}
	return 0
}
