package cuda

import (
	"errors"
	"sync/atomic"
	"time"

	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
)

// told is where a superstep's last block writes what the host asks about it (tell in
// kernels/step_phases.cuh): memory of the host, in which the host looks until it is there.
// A copy by the device, and the host's wait for it, would take several times as long.
type told struct {
	word []uint32 // the first one is 1 when the rest has been written
	text []byte
	at   uint64 // of word, for the device; 0: there is no room, so nothing is told
}

// What is told lies behind what else passes through the engine's pinned memory; the device
// writes it toldHead bytes behind the word that says so, another cache line.
const (
	toldHead  = 64   // TOLD in kernels/step.cuh
	toldBytes = 4096 // of room
)

// toldPlaces are the places of so many bytes for two supersteps, of which one may be begun
// before the other is told, as far as there is room.
func toldPlaces(p *driver.Pinned, bytes, room int) (list [2]told) {
	apart := toldApart(bytes)
	for i := range list {
		if i*apart+toldHead+bytes > room {
			break
		}
		from := pinnedBytes + i*apart
		all := p.Bytes()[from:][:toldHead+bytes]
		list[i] = told{mem.View[uint32](all[:4]), all[toldHead:], p.Address() + uint64(from)}
	}
	return list
}

// toldApart is how far apart they lie, in bytes.
func toldApart(bytes int) int { return (bytes + 2*toldHead - 1) / toldHead * toldHead }

// words is how many the device writes.
func (t *told) words() uint32 { return uint32((len(t.text) + 3) / 4) }

// expect is called before the launch.
func (t *told) expect() { atomic.StoreUint32(&t.word[0], 0) }

// patience is for how long the host looks itself: beyond, what it gains is little, and a
// device that has failed tells nothing.
const patience = time.Millisecond

// wait returns when it has been told.
func (t *told) wait(d *driver.Device) error {
	for begin := time.Now(); atomic.LoadUint32(&t.word[0]) == 0; {
		if time.Since(begin) > patience {
			return t.late(d)
		}
	}
	return nil
}

// late waits for the device's work to end.
func (t *told) late(d *driver.Device) error {
	if err := d.Sync(); err != nil {
		return err
	}
	if atomic.LoadUint32(&t.word[0]) == 0 {
		return errors.New("a superstep has ended on the device and told nothing")
	}
	return nil
}
