package graphio

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gopregel/pregel/graph"
)

func padText(s string) []byte { return padded([]byte(s)) }

func TestNumber(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	for i := range 20000 {
		x := r.Uint64() >> r.UintN(64)
		digits := strconv.FormatUint(x, 10)
		if i%3 == 0 {
			digits = strings.Repeat("0", r.IntN(12)) + digits
		}
		text := digits + string(rune(r.IntN(256))) + "9"
		if c := text[len(digits)]; c >= '0' && c <= '9' {
			continue
		}
		value, end := number(padText(text)[:len(text)+textPadding], 0)
		if len(digits) > 19 {
			if end != 0 {
				t.Fatalf("number(%q) = %d, %d", text, value, end)
			}
			continue
		}
		if value != x || end != len(digits) {
			t.Fatalf("number(%q) = %d, %d", text, value, end)
		}
	}
	for c := range 256 {
		if c >= '0' && c <= '9' {
			continue
		}
		if value, end := number(padText("x" + string([]byte{byte(c)}) + "12345678")[:10], 1); end != 1 {
			t.Fatalf("number at byte %d = %d, %d", c, value, end)
		}
	}
}

func TestSmallFloat(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	taken := 0
	for range 50000 {
		text := strconv.FormatFloat(r.Float64()*math.Pow10(r.IntN(9)), 'f', r.IntN(12), 64)
		value, end := smallFloat(padText(text + "\n")[:len(text)+1+textPadding], 0)
		if end == 0 {
			continue
		}
		taken++
		want, err := strconv.ParseFloat(text, 32)
		if err != nil || float32(want) != value || end != len(text) {
			t.Fatalf("smallFloat(%q) = %v to %d, want %v", text, value, end, want)
		}
	}
	if taken < 1000 {
		t.Errorf("only %d numbers were taken", taken)
	}
}

func TestParseWeight(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		kind weightKind
		want float64
	}{
		{"0", wholeWeight, 0}, {"-0", wholeWeight, 0}, {"+7", wholeWeight, 7}, {"-2147483648", wholeWeight, math.MinInt32},
		{"2147483647", wholeWeight, math.MaxInt32}, {"2147483648", wideWeight, 1 << 31}, {"99999999999999999999", wideWeight, 1e20},
		{"000000000000000000000000007", wideWeight, 7}, {"1.", pointWeight, 1}, {".5", pointWeight, .5}, {"-1.25E-2", pointWeight, -0.0125},
		{"1e-60", pointWeight, 0}, {"3.4028235e38", pointWeight, math.MaxFloat32},
	} {
		w, problem := parseWeight([]byte(c.text))
		if got := float64(w.value); problem != "" || w.kind != c.kind || float32(got) != float32(c.want) {
			t.Errorf("%s: %+v %q, want kind %d and %v", c.text, w, problem, c.kind, c.want)
		}
	}
}

// fast and line agree: a text that fast may take gives what line gives alone.
func TestFastAgainstLine(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	pieces := []string{"0", "7", "12345678", "123456789", "4294967295", "18446744073709551615", "18446744073709551616", " ", "\t", ",", "  ", "\r", "-", "+",
		"1.5", "0.1", "-2.25", "16777217.0", "3e2", "2147483647", "2147483648", "a ", "x", "#", "."}
	for range 50000 {
		text := randomText(r, pieces)
		p := edgeParser{dialect: plainDialect(), highest: maxID, columns: []int{0, 2, 3}[r.IntN(3)], mode: weightMode(r.IntN(4))}
		switch r.IntN(4) {
		case 0:
			p.lowest, p.highest = 1, 1+r.Uint64N(6)
		case 1:
			p.prefix, p.comments = 'a', "c"
			p.class[','] = inField
		}
		if p.columns == 3 != (p.mode != skipWeights) {
			continue
		}
		fast, slow := withFault(&p, text), withFault(slowParser{&p}, text)
		if fast != slow {
			t.Fatalf("%q with columns %d mode %d prefix %q:\nfast %s\nslow %s", text, p.columns, p.mode, p.prefix, fast, slow)
		}
	}
}

func randomText(r *rand.Rand, pieces []string) string {
	var b strings.Builder
	for range 1 + r.IntN(3) {
		if r.IntN(2) == 0 { // often a line that is right
			sep := []string{" ", "\t", ","}[r.IntN(3)]
			u, v := r.Uint64()>>r.UintN(64), r.Uint64()>>r.UintN(64)
			if r.IntN(2) == 0 {
				u, v = u%10, v%10
			}
			fmt.Fprintf(&b, "%s%d%s%d", []string{"", "a "}[r.IntN(2)], u, sep, v)
			if r.IntN(2) == 0 {
				b.WriteString(sep + pieces[r.IntN(len(pieces))])
			}
		} else {
			for range r.IntN(6) {
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
		}
		b.WriteString([]string{"\n", "\r\n"}[r.IntN(2)])
	}
	return b.String()
}

// slowParser parses all lines by edgeParser.line.
type slowParser struct{ *edgeParser }

func (p slowParser) parse(text []byte, to *batch) *fault {
	at := 0
	for line := range strings.Lines(string(text)) {
		if problem := p.line([]byte(strings.TrimSuffix(line, "\n")), at, to); problem != "" {
			return &fault{at, problem}
		}
		at += len(line)
	}
	return nil
}

func withFault(p parser, text string) string {
	var k batch
	f := p.parse(padText(text), &k)
	if f != nil {
		return fmt.Sprint(*f)
	}
	wide := fault{}
	if k.wide != nil {
		wide = *k.wide
	}
	return fmt.Sprint(k.u, k.v, k.ints, k.floats, k.float, k.point, wide)
}

func TestIDSet(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	for _, size := range []int{0, 1, 100, 50000} {
		for _, spread := range []uint{0, 10, 44, 50, 63} {
			workers := 1 + r.IntN(4)
			s := newIDSet(0, workers)
			var want []uint64
			for range size {
				id := r.Uint64() >> r.UintN(spread+1)
				if r.IntN(3) == 0 {
					id %= 1 << 21
				}
				want = append(want, id)
			}
			for lo := 0; lo < size; lo += 1000 {
				s.add(r.IntN(workers), want[lo:min(size, lo+1000)])
			}
			k, count := s.finish()
			slices.Sort(want)
			want = slices.Compact(want)
			if got := k.list(); !slices.Equal(got, want) || count != uint64(len(want)) {
				t.Fatalf("%d ids, want %d", len(got), len(want))
			}
			checkRanks(t, r, k, want)
		}
	}
}

func checkRanks(t *testing.T, r *rand.Rand, k *ranks, ids []uint64) {
	t.Helper()
	to := make([]uint32, len(ids))
	if bad := k.vertices(ids, to); bad >= 0 {
		t.Fatalf("id %d not found", ids[bad])
	}
	for i, v := range to {
		if uint32(i) != v {
			t.Fatalf("id %d is vertex %d, want %d", ids[i], v, i)
		}
	}
	for range 1000 {
		id := r.Uint64() >> r.UintN(64)
		_, in := slices.BinarySearch(ids, id)
		if bad := k.vertices([]uint64{id}, make([]uint32, 1)); in != (bad < 0) {
			t.Fatalf("id %d: found %v, want %v", id, bad < 0, in)
		}
	}
}

func TestContiguousIDsNeedNoTable(t *testing.T) {
	t.Parallel()
	g := mustRead(t, textFile(t, "g.txt", "5 6\n7 8\n"), Options{})
	if g.IDs().Numbers() != nil || g.IDs().Base() != 5 {
		t.Error("ids 5 to 8 have a table")
	}
	g = mustRead(t, textFile(t, "g.txt", "5 6\n9 8\n"), Options{})
	if !slices.Equal(g.IDs().Numbers(), []uint64{5, 6, 8, 9}) || g.Weighted() != graph.Unweighted {
		t.Errorf("ids %v", g.IDs().Numbers())
	}
}
