package cuda

import (
	"time"

	"gopregel/pregel"
	"gopregel/pregel/mem"
)

// timesBytes is the room for the times at which the kernels of a superstep began, and the
// last of them ended (kernels/step.cuh): before the tallies of a run that is traced.
const timesBytes = 8 * 8

// Places of the times.
const (
	timeEmit = iota
	timeGather
	timeFix
	timeApply = 5
	timeEnd   = 6
)

// stamps has the kernels of a superstep timed, of a program that tallies: each notes when
// it began, and what they have noted comes back with the tallies. Events would take the
// host as long as the shortest supersteps do.
type stamps struct{ on bool }

func (t *stamps) bytes() int {
	if t.on {
		return timesBytes
	}
	return 0
}

// stamp is told of a launch, of side k.
func (f *flight) stamp(slot, k int) { f.slots = append(f.slots, slot+2*k) }

// phases gives the time of each kernel in slots: up to the next, and of the last up to its end.
func (t *stamps) phases(raw []byte, slots []int, room *room) []pregel.PhaseTime {
	if !t.on {
		return nil
	}
	times, from := mem.View[uint64](raw[:timesBytes]), len(room.phases)
	for i, slot := range slots {
		end := timeEnd
		if i+1 < len(slots) {
			end = slots[i+1]
		}
		room.add(from, phaseOf(slot), time.Duration(times[end]-times[slot]))
	}
	return room.phases[from:]
}

// phaseOf is the phase that a kernel belongs to.
func phaseOf(slot int) string {
	switch slot {
	case timeEmit:
		return "emit"
	case timeApply:
		return "pull"
	}
	return "gather"
}
