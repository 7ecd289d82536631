package graphio

import (
	"bytes"
	"math"
)

// fast parses lines of the plain form and returns where the first other line
// begins.
func (p *edgeParser) fast(text []byte, at int, to *batch) int {
	n, span := len(text), p.highest-p.lowest
	b := text[:n+textPadding]
	for at < n {
		i := at
		if p.prefix != 0 {
			if b[i] != p.prefix || b[i+1] != ' ' {
				return at
			}
			i += 2
		}
		u, end := number(b, i)
		if end == i || p.class[b[end]] == inField || u-p.lowest > span {
			return at
		}
		i = end + 1
		v, end := number(b, i)
		if end == i || v-p.lowest > span {
			return at
		}
		i = end
		switch {
		case p.columns == 0:
			if p.class[b[i]] == inField && !lineEnds(b[i:]) {
				return at
			}
			i += bytes.IndexByte(b[i:], '\n')
		case p.columns == 3:
			if p.class[b[i]] == inField {
				return at
			}
			if i = p.fastWeight(b, i+1, to); i < 0 {
				return at
			}
		}
		if b[i] == '\r' {
			i++
		}
		if b[i] != '\n' {
			return at
		}
		to.u, to.v = append(to.u, u), append(to.v, v)
		at = i + 1
	}
	return at
}

// fastWeight parses a weight that is followed by a line end and returns where
// it ends, or -1.
func (p *edgeParser) fastWeight(b []byte, i int, to *batch) int {
	if p.mode == skipWeights {
		return -1
	}
	start := i
	if b[i] == '-' {
		i++
	}
	w, end := number(b, i)
	if end > i && w <= math.MaxInt32 && b[end] <= '\r' && lineEnds(b[end:]) {
		value := int32(w)
		if i > start {
			value = -value
		}
		if p.mode == floatWeights || to.float {
			to.toFloats()
			to.floats = append(to.floats, float32(value))
		} else {
			to.ints = append(to.ints, value)
		}
		return end
	}
	f, end := smallFloat(b, i)
	if end == i || p.mode == intWeights || !lineEnds(b[end:]) {
		return -1
	}
	if i > start {
		f = -f
	}
	to.toFloats()
	to.point = true
	to.floats = append(to.floats, f)
	return end
}

func lineEnds(b []byte) bool { return b[0] == '\n' || b[0] == '\r' && b[1] == '\n' }
