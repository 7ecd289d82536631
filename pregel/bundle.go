package pregel

import "gopregel/pregel/graph"

// This file makes messages of a bundle of arcs, and combines those of each row, by functions of many.
//
// The messages of a piece of a row lie in a row. Those of a long piece are halved: its first half is
// combined with its last one, until one message is left. Short ones, for which that would be calls
// for two or three, are done together: first messages with second ones, what comes of it with third
// ones, and so on; from the longest piece to the shortest, so that those that have a k-th message are
// the first.
//
// Cost: O(log n) calls for a piece of n messages; less than shortPiece for all short ones.

// A bundle is arcs, and their messages.
type bundle[M any] struct {
	ends
	messages [ArcsAtOnce]M
	arcs     Arcs[M]

	first   uint32       // vertex with a result,
	results []M          // which all behind it have
	got     uint64       // who has one, as bits
	alone   [1]M         // the result of a row alone,
	along   [1]graph.CSR // of one CSR

	as, bs [ArcsAtOnce]M     // short pieces combined, and what with
	at     [ArcsAtOnce]uint8 // where those begin
}

// shortPiece is up to how many messages a piece is combined together with others.
const shortPiece = 16

// begin empties the bundle, for the rows of vertices from first on, along these.
func (m *bundle[M]) begin(csrs []graph.CSR, first uint32, results []M) {
	m.clear()
	m.csrs, m.picked, m.pushed = csrs, false, false
	m.first, m.results, m.got = first, results, 0
}

// one is a list of one CSR.
func (m *bundle[M]) one(c graph.CSR) []graph.CSR {
	m.along[0] = c
	return m.along[:]
}

// send makes messages of the offers.
func (m *bundle[M]) send(e *EdgeOp[M]) {
	a := &m.arcs
	a.Messages, a.ends, a.dropped = m.messages[:m.n], &m.ends, [ArcsAtOnce / 64]uint64{}
	switch {
	case e.Many != nil:
		e.Many(a)
	case e.along != nil:
		us, vs, weights := a.Sources(), a.Targets(), a.Weights()
		for i, x := range a.Messages {
			x, ok := e.along(x, us[i], vs[i], weights[i])
			if a.Messages[i] = x; !ok {
				a.Drop(i)
			}
		}
	}
}

// drops tells whether any message is dropped.
func (m *bundle[M]) drops() bool { return m.arcs.dropped != [ArcsAtOnce / 64]uint64{} }

// leaveOut closes the gaps that dropped messages are.
func (m *bundle[M]) leaveOut() {
	n := 0
	for i := range m.pieces[:m.rows] {
		p := &m.pieces[i]
		from, to := int(p.at), int(p.at)+int(p.n)
		p.at = uint8(n)
		p.n = 0
		for ; from < to; from++ {
			kept := ^m.arcs.dropped[from/64] >> (from % 64) & 1
			m.messages[n] = m.messages[from]
			n += int(kept)
			p.n += uint16(kept)
		}
	}
}

// kept is what is sent, and to whom, of a bundle that is pushed.
func (m *bundle[M]) kept() (vs []uint32, xs []M) {
	n := m.n
	if m.drops() {
		n = 0
		for i := range m.n {
			m.others[n], m.messages[n] = m.others[i], m.messages[i]
			n += int(^m.arcs.dropped[i/64] >> (i % 64) & 1)
		}
	}
	return m.others[:n], m.messages[:n]
}

// combine combines the messages of each piece, and what comes of it with the result of the row.
func (m *bundle[M]) combine(c *Monoid[M]) {
	if m.drops() {
		m.leaveOut()
	}
	if c.Many == nil {
		m.oneByOne(c)
		return
	}
	if m.halve(c.Many) > 0 {
		m.together(c.Many)
	}
	for _, p := range m.pieces[:m.rows] {
		if p.n == 0 {
			continue
		}
		x, k := m.messages[p.at], p.v-m.first
		if m.got>>k&1 != 0 {
			x = c.Func(m.results[k], x)
		}
		m.results[k] = x
		m.got |= 1 << k
	}
}

// oneByOne combines the messages of each row from the identity on, in their order, as is done where no
// function is one of many: to the last bit.
func (m *bundle[M]) oneByOne(c *Monoid[M]) {
	for _, p := range m.pieces[:m.rows] {
		if p.n == 0 {
			continue
		}
		acc, k := c.Identity, p.v-m.first
		if m.got>>k&1 != 0 {
			acc = m.results[k]
		}
		for _, x := range m.messages[p.at:][:p.n] {
			acc = c.Func(acc, x)
		}
		m.results[k] = acc
		m.got |= 1 << k
	}
}

// halve combines the messages of long pieces into their first ones, and tells how many others have more
// than a message.
func (m *bundle[M]) halve(many func(as, bs []M)) (short int) {
	for _, p := range m.pieces[:m.rows] {
		if p.n <= shortPiece {
			if p.n > 1 {
				short++
			}
			continue
		}
		xs := m.messages[p.at:][:p.n]
		for n := len(xs); n > 1; n -= n / 2 {
			many(xs[:n/2], xs[n-n/2:n])
		}
	}
	return short
}

// together does so with short pieces.
func (m *bundle[M]) together(many func(as, bs []M)) {
	more := m.sort() // pieces with more messages than that
	at := m.at[:more[1]]
	as := m.as[:len(at)]
	for i, k := range at {
		as[i] = m.messages[k]
	}
	for k := 1; more[k] > 0; k++ {
		bs := m.bs[:more[k]]
		for i, p := range at[:len(bs)] {
			bs[i] = m.messages[int(p)+k]
		}
		many(as[:len(bs)], bs)
	}
	for i, k := range at {
		m.messages[k] = as[i]
	}
}

// sort lists where short pieces of more than a message begin, the longest first, and counts those
// with more than k messages. It looks through all once for each length that there is: a counter for
// each length is read again before it has been written where neighbours have the same.
func (m *bundle[M]) sort() (more [shortPiece + 1]uint8) {
	pieces, lengths := m.pieces[:m.rows], uint32(0)
	for _, p := range pieces {
		lengths |= 1 << min(p.n, shortPiece+1)
	}
	k := 0
	for n := uint16(shortPiece); n > 1; n-- {
		more[n] = uint8(k)
		if lengths>>n&1 == 0 {
			continue
		}
		for _, p := range pieces {
			m.at[k] = p.at
			if p.n == n {
				k++
			}
		}
	}
	more[1] = uint8(k)
	return more
}
