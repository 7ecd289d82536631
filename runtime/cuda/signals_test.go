//go:build cuda || emulate

package cuda_test

import (
	"strings"
	"testing"

	"gopregel/pregel"
)

// deaf is a hearer that minds only that a message came: on a device messages are bits.
// What it has been sent more than once before it settles needs each of these bits to
// fall.
type deaf struct{ hearer }

func (p deaf) Apply(v pregel.Vertex[heard], _ uint32, got bool) (heard, bool) {
	return p.hearer.Apply(v, uint32(v.Superstep), got)
}

func (p deaf) Twin() pregel.Twin {
	t := p.hearer.Twin()
	t.Name, t.Signals = "deaf.cu", true
	t.Source = strings.Replace(t.Source, "* 31 + m +", "* 31 + v.superstep +", 1)
	return t
}

// Programs with bits for messages do what they do on the CPU, which has boxes, for any
// number of messages until they settle.
func TestSignals(t *testing.T) {
	device(t)
	eachSought(t, func(what string, s sought) {
		compareSeekers(t, what+", deaf", s, deaf{s.program})
	})
}
