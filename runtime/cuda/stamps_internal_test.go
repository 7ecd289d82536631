package cuda

import (
	"reflect"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/mem"
)

// A kernel's time goes up to the next, the last one's up to its end, and what is of one
// phase is added up; those that were not launched have none.
func TestStamps(t *testing.T) {
	times := []uint64{timeEmit: 100, timeGather: 110, timeFix: 130, timeGather + 2: 160, timeFix + 2: 200, timeApply: 250, timeEnd: 310, 7: 9999}
	for _, c := range []struct {
		slots [][2]int
		want  []pregel.PhaseTime
	}{
		{[][2]int{{timeApply, 0}}, []pregel.PhaseTime{{Name: "pull", Workers: []time.Duration{60}}}},
		{[][2]int{{timeEmit, 0}, {timeGather, 0}, {timeFix, 0}, {timeGather, 1}, {timeFix, 1}, {timeApply, 0}}, []pregel.PhaseTime{
			{Name: "emit", Workers: []time.Duration{10}}, {Name: "gather", Workers: []time.Duration{140}}, {Name: "pull", Workers: []time.Duration{60}}}},
		{[][2]int{{timeGather, 1}, {timeApply, 0}}, []pregel.PhaseTime{
			{Name: "gather", Workers: []time.Duration{90}}, {Name: "pull", Workers: []time.Duration{60}}}},
	} {
		s, f := stamps{on: true}, flight{}
		for _, x := range c.slots {
			f.stamp(x[0], x[1])
		}
		if got := s.phases(mem.Bytes(times), f.slots, new(room)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %v, want %v", c.slots, got, c.want)
		}
	}
}
