package graphio

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func contiguous(base, n int) func(*rand.Rand) []string {
	return func(*rand.Rand) (ids []string) {
		for i := range n {
			ids = append(ids, strconv.Itoa(base+i))
		}
		return ids
	}
}

// farIDs are of every length up to 20 digits.
func farIDs(r *rand.Rand) (ids []string) {
	for range 100 {
		ids = append(ids, strconv.FormatUint(r.Uint64()>>r.UintN(64), 10))
	}
	ids = append(ids, "18446744073709551615", "0", "99999999", "100000000")
	slices.Sort(ids)
	return slices.Compact(ids)
}

func names(r *rand.Rand) []string {
	return []string{"a", "b", "Zoë", "-1", "0x", "1e5", "node.7", "x\"y", "Ünal", strconv.Itoa(r.IntN(100))}
}

func spacedNames(r *rand.Rand) []string {
	return append(names(r), "New York", "São Paulo", "a b c")
}

// weight writes a weight as some program would.
func (c *sample) weight(e edge) string {
	switch {
	case e.w == float64(int32(e.w)) && (c.weights == "int" || c.r.IntN(2) == 0 && e != c.edges[0]):
		return strconv.Itoa(int(e.w))
	case c.r.IntN(2) == 0:
		if s := strconv.FormatFloat(e.w, 'g', -1, 32); strings.ContainsAny(s, ".e") {
			return s
		}
	}
	return strconv.FormatFloat(e.w, "feE"[c.r.IntN(3)], 60, 64)
}

// lines writes edge lists with comments, blank lines, blanks and either line
// end.
func lines(separators ...string) func(c *sample) string {
	return func(c *sample) string {
		var text []string
		for _, e := range c.edges {
			if c.r.IntN(10) == 0 {
				text = append(text, []string{"# comment 1 2", "", "#", "  "}[c.r.IntN(4)])
			}
			sep := separators[c.r.IntN(len(separators))]
			line := e.u + sep + e.v
			if c.weights != "" {
				line += sep + c.weight(e)
			}
			if c.r.IntN(8) == 0 {
				line = " " + line + "  "
			}
			text = append(text, line)
		}
		return c.join(text)
	}
}

// join makes a text of lines, perhaps without the last line end.
func (c *sample) join(text []string) string {
	s := strings.Join(text, []string{"\n", "\r\n"}[c.r.IntN(2)])
	return s + []string{"", "\n", "\r\n"}[c.r.IntN(3)]
}

func withHeader(header string, f func(c *sample) string) func(c *sample) string {
	return func(c *sample) string {
		if header == "" {
			return "\uFEFF" + f(c)
		}
		return header + "\r\n" + f(c)
	}
}

func quotedLines(c *sample) string {
	var text []string
	quote := func(s string) string {
		if strings.Contains(s, `"`) || c.r.IntN(2) == 0 {
			return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		}
		return s
	}
	for _, e := range c.edges {
		text = append(text, quote(e.u)+","+quote(e.v)+","+c.weight(e))
	}
	return c.join(text)
}

func dimacsText(c *sample) string {
	text := []string{"c a comment", fmt.Sprintf("p sp %d %d", len(c.ids), len(c.edges))}
	for _, e := range c.edges {
		text = append(text, "a "+e.u+" "+e.v+" "+c.weight(e))
		if c.r.IntN(5) == 0 {
			text = append(text, []string{"c", "c more", ""}[c.r.IntN(3)])
		}
	}
	return c.join(text)
}

func matrixText(field string) func(c *sample) string {
	return func(c *sample) string {
		text := []string{"%%MatrixMarket matrix coordinate " + field + " general", "% comment", "", fmt.Sprintf("%d %d %d", len(c.ids), len(c.ids), len(c.edges))}
		for _, e := range c.edges {
			line := e.u + " " + e.v
			if c.weights != "" {
				line += "  " + c.weight(e)
			}
			text = append(text, line)
		}
		return c.join(text)
	}
}

// ligraText writes rows: a number on each line, or all on one.
func ligraText(c *sample) string {
	lists := c.lists()
	var offsets, targets, weights []string
	for _, u := range c.ids {
		offsets = append(offsets, strconv.Itoa(len(targets)))
		for list := lists[u]; len(list) > 0; list = list[1:] {
			targets = append(targets, list[0])
			if c.weights != "" {
				list = list[1:]
				weights = append(weights, list[0])
			}
		}
	}
	word := "AdjacencyGraph"
	if c.weights != "" {
		word = "WeightedAdjacencyGraph"
	}
	numbers := slices.Concat([]string{word, strconv.Itoa(len(c.ids)), strconv.Itoa(len(targets))}, offsets, targets, weights)
	if c.r.IntN(3) == 0 {
		return strings.Join(numbers, " ") + c.join(nil)
	}
	for i := range numbers {
		if c.r.IntN(5) == 0 {
			numbers[i] = []string{" ", "\n", "\t "}[c.r.IntN(3)] + numbers[i]
		}
	}
	return c.join(numbers)
}

func edgeArrayText(c *sample) string {
	word := "EdgeArray"
	if c.weights != "" {
		word = "WeightedEdgeArray"
	}
	text := []string{word}
	for _, e := range c.edges {
		line := e.u + " " + e.v
		if c.weights != "" {
			line += " " + c.weight(e)
		}
		text = append(text, line)
	}
	return c.join(text)
}

// gzipped makes two members, as `cat a.gz b.gz` does.
func gzipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	half := len(text) / 2
	for _, part := range []string{text[:half], text[half:]} {
		z := gzip.NewWriter(&b)
		if _, err := z.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func zstded(t testing.TB, text string) string {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	return string(z.EncodeAll([]byte(text), nil))
}
