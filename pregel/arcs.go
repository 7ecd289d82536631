package pregel

import (
	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file is what functions of many arcs (EdgeOp.Many) are called with.
//
// Ends and weights are looked up when they are asked for: to read them for functions that do without
// takes longer than the rest of such a call.

// Arcs are what EdgeOp.Many is called with: at least one arc and at most ArcsAtOnce, of any
// vertices. They are good until the call returns.
type Arcs[M any] struct {
	// Messages has the offer of who sends along each arc; the call makes it the message.
	Messages []M
	ends     *ends
	dropped  [ArcsAtOnce / 64]uint64
}

// ArcsAtOnce is for how many arcs EdgeOp.Many is called at most.
const ArcsAtOnce = 256

// Drop says that nothing is sent along arc i.
func (a *Arcs[M]) Drop(i int) { a.dropped[i/64] |= 1 << (i % 64) }

// Sources are who sends along each arc. They are to be read only, as are the others.
func (a *Arcs[M]) Sources() []uint32 {
	if a.ends.pushed {
		return a.ends.ofOwners()
	}
	return a.ends.ofOthers()
}

// Targets are who the messages are for.
func (a *Arcs[M]) Targets() []uint32 {
	if a.ends.pushed {
		return a.ends.ofOthers()
	}
	return a.ends.ofOwners()
}

// Weights are those of the arcs, 1 in an unweighted graph and where the operation is Weightless.
func (a *Arcs[M]) Weights() []float64 { return a.ends.ofWeights() }

// sendMany is Send for many arcs, by the function of many: messages are offers first. It
// tells which are sent.
func (e EdgeOp[M]) sendMany(messages []M, us, vs []uint32, ws []float64) (sent []bool) {
	ends := ends{n: len(us), known: [3]bool{true, true, true}}
	copy(ends.others[:], us)
	copy(ends.owners[:], vs)
	copy(ends.weights[:], ws)
	if e.Weightless {
		mem.Fill(ends.weights[:len(ws)], 1)
	}
	a := Arcs[M]{Messages: messages, ends: &ends}
	e.Many(&a)
	for i := range us {
		sent = append(sent, a.dropped[i/64]>>(i%64)&1 == 0)
	}
	return sent
}

// Ends are those of arcs in pieces of rows, and their weights.
type ends struct {
	csrs   []graph.CSR
	n      int  // arcs
	rows   int  // pieces
	pushed bool // whose row it is sends, and others are known; else he is sent to
	picked bool // pieces are some arcs of up to callsAhead in a row, at places; others are known
	// Arcs are not in pieces, but in columns: rows is 0.
	columned bool
	columns  rowColumns
	places   [ArcsAtOnce]uint8
	pieces   [ArcsAtOnce]piece

	known          [3]bool
	owners, others [ArcsAtOnce]uint32
	weights        [ArcsAtOnce]float64
}

// What of ends is known.
const (
	knownOwners = iota
	knownOthers
	knownWeights
)

// A piece is a few arcs of the row of v.
type piece struct {
	v    uint32
	n    uint16
	at   uint8 // where they lie
	csr  uint8
	from uint64 // the arc from which on they lie in the CSR
}

func (e *ends) clear() { e.n, e.rows, e.columned, e.known = 0, 0, false, [3]bool{} }

// add adds the next n arcs.
func (e *ends) add(v uint32, csr int, from uint64, n int) {
	e.pieces[e.rows] = piece{v, uint16(n), uint8(e.n), uint8(csr), from}
	e.rows++
	e.n += n
}

// pick notes those of vs, other ends of the next arcs, who are in a set, or with flip of ones are not,
// and tells how many they are; no set has nobody. It has no branch on who is.
func (e *ends) pick(set bitmap.Bitmap, flip uint64, vs []uint32) (n int) {
	others, places := e.others[e.n:][:len(vs)], e.places[e.n:][:len(vs)]
	if set == nil {
		for k := range vs {
			places[k] = uint8(k)
		}
		return copy(others, vs)
	}
	for k, v := range vs {
		others[n], places[n] = v, uint8(k)
		n += int((set[v>>6] ^ flip) >> (v & 63) & 1)
	}
	return n
}

// run is pieces from number i on up to j, whose arcs lie in a row in their CSR, up to arc to.
func (e *ends) run(i int) (j int, to uint64) {
	p := &e.pieces[i]
	to = p.from + uint64(p.n)
	for j = i + 1; j < e.rows && e.pieces[j].from == to && e.pieces[j].csr == p.csr; j++ {
		to += uint64(e.pieces[j].n)
	}
	return j, to
}

func (e *ends) ofOwners() []uint32 {
	if !e.known[knownOwners] {
		if e.columned {
			e.columns.owners(&e.owners)
		}
		for _, p := range e.pieces[:e.rows] {
			list := e.owners[p.at:][:p.n]
			for i := range list {
				list[i] = p.v
			}
		}
		e.known[knownOwners] = true
	}
	return e.owners[:e.n]
}

func (e *ends) ofOthers() []uint32 {
	if !e.picked && !e.pushed && !e.known[knownOthers] {
		if e.columned {
			byColumns(&e.columns, e.others[:], e.csrs[0].Targets)
		}
		for i := 0; i < e.rows; {
			p := &e.pieces[i]
			j, to := e.run(i)
			copy(e.others[p.at:], e.csrs[p.csr].Targets[p.from:to])
			i = j
		}
		e.known[knownOthers] = true
	}
	return e.others[:e.n]
}

func (e *ends) ofWeights() []float64 {
	if e.known[knownWeights] {
		return e.weights[:e.n]
	}
	if e.columned {
		e.columns.weigh(e.weights[:e.n], e.csrs[0].Weights)
	}
	for i := 0; i < e.rows; {
		p := &e.pieces[i]
		c := &e.csrs[p.csr]
		if e.picked {
			weighPicked(e.weights[p.at:][:p.n], e.places[p.at:][:p.n], c.Weights, p.from)
			i++
			continue
		}
		j, to := e.run(i)
		weighAll(e.weights[p.at:][:to-p.from], c.Weights.Slice(p.from, to))
		i = j
	}
	e.known[knownWeights] = true
	return e.weights[:e.n]
}

// weighPicked notes the weights of the arcs at places behind from.
func weighPicked(list []float64, places []uint8, w graph.Weights, from uint64) {
	switch {
	case w.Int != nil:
		for i, k := range places {
			list[i] = float64(w.Int[from+uint64(k)])
		}
	case w.Float != nil:
		for i, k := range places {
			list[i] = float64(w.Float[from+uint64(k)])
		}
	default:
		weighAll(list, w)
	}
}

// weighAll makes weights, those of arcs in a row, numbers of 64 bits.
func weighAll(list []float64, w graph.Weights) {
	switch {
	case w.Int != nil:
		for i, x := range w.Int {
			list[i] = float64(x)
		}
	case w.Float != nil:
		for i, x := range w.Float {
			list[i] = float64(x)
		}
	default:
		for i := range list {
			list[i] = 1
		}
	}
}
