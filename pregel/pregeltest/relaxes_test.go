package pregeltest_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest"
)

// relaxed is loudest with its declaration.
type relaxed struct{ loudest }

func (relaxed) Relaxes() bool { return true }

// depth counts supersteps, against the law.
type depth struct{}

func (depth) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.SourceID[uint32]()}
}
func (depth) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if v.ID == 0 {
		return 0, true
	}
	return math.MaxUint32, false
}
func (depth) Emit(v pregel.Vertex[uint32]) uint32 { return v.ID }
func (depth) Apply(v pregel.Vertex[uint32], _ uint32, _ bool) (uint32, bool) {
	return min(v.Value, uint32(v.Superstep)+1), v.Value == math.MaxUint32
}
func (depth) Relaxes() bool { return true }

// visits adds up: a message that comes twice counts twice.
type visits struct{ relaxed }

func (visits) Apply(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
	return v.Value + m, m > 0 && v.Value < 100
}

func TestRelaxes(t *testing.T) {
	pregeltest.Relaxes(t, newEngine, run(relaxed{}))
}

func TestRelaxesFindsWhatBreaksTheLaw(t *testing.T) {
	for name, p := range map[string]pregel.EdgeProgram[uint32, uint32]{"supersteps": depth{}, "sums": visits{}} {
		text := failing(t, func(t rapid.TB) { pregeltest.Relaxes(t, newEngine, run(p)) })
		if !strings.Contains(text, "against bsp: vertex ") {
			t.Errorf("%s: the report names no vertex: %s", name, text)
		}
	}
	text := failing(t, func(t rapid.TB) { pregeltest.Relaxes(t, newEngine, run(loudest{})) })
	if !strings.Contains(text, "pregel.Relaxer") {
		t.Errorf("the refusal is not reported: %s", text)
	}
}
