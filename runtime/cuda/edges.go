package cuda

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
)

// This file has the device put edges in order that stand with vertices (kernels/edges.cu). The host takes
// ten times as long for that as for their copy.

// An EdgeList is edges on the device, in order of lesser and greater end. Sources are the lesser ends, and
// all are by the graph's own numbers where it is prepared.
type EdgeList struct {
	Count                    uint64
	Source, Target, Weight   *driver.Buffer // Count numbers of 4 bytes each
	session                  *Session
	lesser, greater, weights *driver.Buffer    // as they came
	count                    *driver.Buffer    // of them
	number                   [2]*driver.Buffer // places in those, being sorted
	key, spareKey, spare     *driver.Buffer
	cut                      cutLists // the list
	buffers                  []*driver.Buffer
}

// EdgesFrom is from how many vertices on that pays: its launches take longer than the host does for few.
const EdgesFrom = 1 << 15

// EdgeList puts edges in order that stand with some first vertices, of up to 2^31, of which each has one at the most.
// ends has each as its lesser end, then, in the lower half of 64 bits, its greater, all ones for none; order is
// OwnNumbers, nil: they are named as they are. nil: there is no room, or was none before. It is for Program.End.
func (s *Session) EdgeList(ends, weights, order *driver.Buffer) (*EdgeList, error) {
	if s.graph.N == 0 || s.graph.N > 1<<31 || s.graph.without(edgesInOrder) || s.graph.edgesFull {
		return nil, nil
	}
	l, before, begin := &EdgeList{session: s}, len(s.buffers), time.Now()
	err := l.sorted(ends, weights, order)
	var full *driver.OutOfMemory
	if errors.As(err, &full) {
		s.giveBack(before)
		s.graph.edgesFull = true
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s.engine.made(edgesInOrder, edgesInOrder, begin, l.buffers...)
	return l, nil
}

// OwnNumbers returns the graph's own number of each vertex, where values of a prepared graph are asked
// for by these: nil if they are not, or there is no room. It is for Program.Begin.
func (s *Session) OwnNumbers(b *pregel.Bringing) (*driver.Buffer, error) {
	if b == nil || s.graph.without(edgesInOrder) || s.graph.edgesFull {
		return nil, nil
	}
	own, err := s.graph.own(b)
	if own == nil || err != nil {
		return nil, err
	}
	return own.order, nil
}

// sorted makes the list in order. An array is the next one's room when nothing reads it any more.
func (l *EdgeList) sorted(ends, weights, order *driver.Buffer) error {
	if err := l.rooms(ends.Size() / 8); err != nil {
		return err
	}
	if err := l.list(ends, weights, order); err != nil || l.Count == 0 {
		return err
	}
	if err := l.cutUp(); err != nil {
		return err
	}
	// By the greater ends, then by the lesser ones.
	if err := l.sort(l.greater, l.number[0], l.key, l.number[1]); err != nil {
		return err
	}
	if err := l.take(l.lesser, l.number[1], l.key); err != nil {
		return err
	}
	if err := l.sort(l.key, l.number[1], l.lesser, l.number[0]); err != nil {
		return err
	}
	if err := l.take(l.greater, l.number[0], l.key); err != nil {
		return err
	}
	l.Source, l.Target, l.Weight = l.lesser, l.key, l.number[1]
	return l.take(l.weights, l.number[0], l.Weight)
}

// rooms makes room for up to n edges: before anything is launched, so that none is in vain.
func (l *EdgeList) rooms(n uint64) (err error) {
	for _, x := range []**driver.Buffer{&l.lesser, &l.greater, &l.weights, &l.number[0], &l.number[1], &l.key, &l.spareKey, &l.spare} {
		if *x, err = l.buffer(4 * n); err != nil {
			return err
		}
	}
	l.count, err = l.buffer(4)
	return err
}

func (l *EdgeList) buffer(bytes uint64) (*driver.Buffer, error) {
	b, err := l.session.Buffer(bytes, edgesInOrder)
	if err == nil {
		l.buffers = append(l.buffers, b)
	}
	return b, err
}

// list lists the edges as they come.
func (l *EdgeList) list(ends, weights, order *driver.Buffer) error {
	n := uint32(ends.Size() / 8)
	if err := l.count.Fill(0, 4, 0); err != nil {
		return err
	}
	err := l.launch("edges", "edges_list", blocks(int(n), stepThreads), driver.NewArgs().Buffer(ends).Buffer(weights).Buffer(order).Uint32(n).
		Buffer(l.count).Buffer(l.lesser).Buffer(l.greater).Buffer(l.weights).Buffer(l.number[0]))
	if err != nil {
		return err
	}
	var found [4]byte
	err = l.session.engine.readSmall(l.count, 0, found[:])
	l.Count = uint64(binary.LittleEndian.Uint32(found[:]))
	return err
}

// take takes from a list what stands at some places.
func (l *EdgeList) take(list, number, to *driver.Buffer) error {
	return l.launch("edges", "edges_take", blocks(int(l.Count), stepThreads), driver.NewArgs().Buffer(list).Buffer(number).Uint32(uint32(l.Count)).Buffer(to))
}

// launch starts a kernel that goes by no weights and no offsets of the graph.
func (l *EdgeList) launch(source, entry string, blocks int, args *driver.Args) error {
	k, err := l.session.engine.kernel(source, entry, []string{"OFFSET=u32", "WEIGHTED=1", "WEIGHT=i32"})
	if err != nil {
		return err
	}
	return k.Launch(driver.Shape{Blocks: blocks, Threads: stepThreads}, args)
}

const mostPieces = 512 // of a list that is sorted, each of pieceArcs or more

// sort puts numbers in the order of keys below the graph's number of vertices; those of one key stay as they are.
// It leaves keys and numbers, and overwrites the spare ones.
func (l *EdgeList) sort(keys, numbers, toKeys, toNumbers *driver.Buffer) error {
	passes, shifts := 0, uint32(0)
	for shift := range uint32(4) {
		if passes == 0 || bits.Len32(l.session.graph.N-1) > int(8*shift) {
			shifts |= 8 * shift << (8 * passes)
			passes++
		}
	}
	w := &structure{} // struct Lists of kernels/sort.cu
	w.buffers(nil, numbers, keys, toNumbers, toKeys, l.spare, l.spareKey)
	w.u32(1, uint32(passes), shifts, 0)
	for _, x := range sortPasses(w.b, passes, l.cut) {
		if err := l.launch("sort", x.entry, x.blocks, x.args); err != nil {
			return err
		}
	}
	return nil
}

// cutUp cuts the list into pieces, and makes room for the digits of each.
func (l *EdgeList) cutUp() (err error) {
	cuts := appendCuts(nil, 0, l.Count, max(pieceArcs, (l.Count+mostPieces-1)/mostPieces))
	c := &l.cut
	c.lists, c.count = 1, uint32(len(cuts)/2)
	if c.pieces, err = l.send(mem.Bytes(cuts)); err != nil {
		return err
	}
	if c.first, err = l.send(mem.Bytes([]uint32{0, c.count})); err != nil {
		return err
	}
	c.table, err = l.buffer(uint64(c.count) * sortThreads * 8)
	return err
}

func (l *EdgeList) send(list []byte) (*driver.Buffer, error) {
	b, err := l.buffer(uint64(len(list)))
	if err != nil {
		return nil, err
	}
	return b, b.Write(0, list)
}
