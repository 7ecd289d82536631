package pregel

import (
	"strconv"
	"strings"
)

// A Choice is the rule by which an engine has chosen, and the two numbers that the
// rule compares: words are made of it only where it is shown.
type Choice struct {
	Rule        string // {have} and {limit} stand for the numbers; "": there was no choice
	Have, Limit uint64
}

// String says it in words.
func (c Choice) String() string { return string(c.Append(nil)) }

// Append appends the words.
func (c Choice) Append(to []byte) []byte {
	rest := c.Rule
	for {
		at := strings.IndexByte(rest, '{')
		if at < 0 {
			return append(to, rest...)
		}
		to, rest = append(to, rest[:at]...), rest[at:]
		switch {
		case strings.HasPrefix(rest, "{have}"):
			to, rest = strconv.AppendUint(to, c.Have, 10), rest[len("{have}"):]
		case strings.HasPrefix(rest, "{limit}"):
			to, rest = strconv.AppendUint(to, c.Limit, 10), rest[len("{limit}"):]
		default:
			to, rest = append(to, '{'), rest[1:]
		}
	}
}
