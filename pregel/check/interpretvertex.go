package check

import "gopregel/pregel"

// vertexRun interprets a vertex program.
type vertexRun struct {
	base
	vertex *pregel.VertexParts
	inbox  [][]any
}

func newVertexRun(b base) *vertexRun {
	return &vertexRun{base: b, vertex: b.parts.Vertex, inbox: make([][]any, b.n)}
}

func (r *vertexRun) init() {
	r.begin()
	r.end(-1)
}

// next counts the vertices that are awake or have messages.
func (r *vertexRun) next() (n uint64) {
	for v, awake := range r.awake {
		if awake || len(r.inbox[v]) > 0 {
			n++
		}
	}
	return n
}

func (r *vertexRun) step(s int) {
	sent := make([][]pregel.Sent, r.n)
	for _, v := range r.e.order(int(r.n)) {
		if !r.awake[v] && len(r.inbox[v]) == 0 {
			continue
		}
		sent[v] = r.compute(v, s)
	}
	r.inbox = make([][]any, r.n)
	r.sends = 0
	for _, list := range sent { // in the order of the senders, whoever came first
		r.sends += uint64(len(list))
		for _, m := range list {
			r.inbox[m.To] = append(r.inbox[m.To], m.Message)
		}
	}
	r.end(s)
}

func (r *vertexRun) compute(v uint32, s int) []pregel.Sent {
	r.e.at = v
	messages := r.inbox[v]
	if c := r.vertex.Combine; c != nil && len(messages) > 1 {
		r.sample(messages)
		sum := messages[0]
		for _, m := range messages[1:] {
			sum = c.Func(sum, m)
		}
		messages = []any{sum}
	}
	at, value := r.parts.At(v, int32(s), 0), r.parts.Get(v)
	next, awake, sent := r.vertex.Compute(at, value, messages)
	r.heard(call{what: "Compute", at: at, value: value, messages: messages, got: result{next, awake, sent}, run: func(slot int) result {
		x, awake, sent := r.vertex.Compute(r.parts.At(v, int32(s), slot), value, messages)
		return result{x, awake, sent}
	}})
	r.parts.Set(v, next)
	r.awake[v] = awake
	return sent
}
