package trace

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// encode appends a record as a line. Supersteps, of which a run has many, are
// written without reflection; a test holds both ways to each other.
func encode(to []byte, r Record) ([]byte, error) {
	if s, ok := r.(*Superstep); ok {
		return appendSuperstep(to, s), nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("a record of kind %s: %w", r.kind(), err)
	}
	to = append(append(append(to, `{"kind":"`...), r.kind()...), `",`...)
	return append(append(to, text[1:]...), '\n'), nil
}

func appendSuperstep(to []byte, s *Superstep) []byte {
	to = append(to, `{"kind":"superstep"`...)
	to = appendKey(to, "superstep", int64(s.Superstep))
	to = appendText(to, "program", s.Program)
	for _, f := range [...]struct{ key, text string }{{"direction", s.Direction}, {"frontier", s.Frontier}, {"why", s.Why}} {
		if f.text != "" {
			to = appendText(to, f.key, f.text)
		}
	}
	to = appendKey(to, "awake", s.Awake)
	to = appendKey(to, "arcs", s.Arcs)
	to = appendKnown(to, "sent", s.Sent)
	to = appendKnown(to, "combined", s.Combined)
	to = appendKey(to, "next", s.Next)
	to = appendKey(to, "nanoseconds", s.Nanoseconds)
	to = appendPhases(to, s.Phases)
	if s.Barrier != 0 {
		to = appendKey(to, "barrier", s.Barrier)
	}
	if s.Bytes != 0 {
		to = appendKey(to, "bytes", s.Bytes)
	}
	to = appendKnown(to, "atomics", s.Atomics)
	if c := s.Contention; c != nil {
		to = strconv.AppendUint(append(to, `,"contention":{"most":`...), c.Most, 10)
		to = append(appendFloat(append(to, `,"mean":`...), c.Mean, 64), '}')
	}
	return append(appendEnd(to, s), '}', '\n')
}

// appendEnd writes what only some supersteps have.
func appendEnd(to []byte, s *Superstep) []byte {
	for i, a := range s.Aggregates {
		if i == 0 {
			to = append(to, `,"aggregates":[`...)
		} else {
			to = append(to, ',')
		}
		to = append(to, a...)
		if i == len(s.Aggregates)-1 {
			to = append(to, ']')
		}
	}
	if m := s.Metric; m != nil {
		to = appendString(append(to, `,"metric":{"name":`...), m.Name)
		to = appendFloat(append(to, `,"value":`...), float64(m.Value), 64)
		to = append(appendFloat(append(to, `,"tolerance":`...), float64(m.Tolerance), 64), '}')
	}
	if s.Relaxed {
		to = append(to, `,"relaxed":true`...)
	}
	return to
}

func appendPhases(to []byte, list []Phase) []byte {
	for i, p := range list {
		if i == 0 {
			to = append(to, `,"phases":[`...)
		} else {
			to = append(to, ',')
		}
		to = appendString(append(to, `{"name":`...), p.Name)
		to = append(appendTimes(append(to, `,"workers":`...), p.Workers), '}')
		if i == len(list)-1 {
			to = append(to, ']')
		}
	}
	return to
}

func appendKey[T int64 | uint64](to []byte, key string, x T) []byte {
	to = append(append(append(to, ',', '"'), key...), '"', ':')
	if x < 0 {
		return strconv.AppendInt(to, int64(x), 10)
	}
	return strconv.AppendUint(to, uint64(x), 10)
}

func appendKnown(to []byte, key string, x *uint64) []byte {
	if x == nil {
		return to
	}
	return appendKey(to, key, *x)
}

func appendText(to []byte, key, text string) []byte {
	return appendString(append(append(append(to, ',', '"'), key...), '"', ':'), text)
}

// appendString writes a string as JSON: one that is plain as it stands.
func appendString(to []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, err := json.Marshal(text)
			if err != nil {
				quoted = []byte(`""`)
			}
			return append(to, quoted...)
		}
	}
	return append(append(append(to, '"'), text...), '"')
}

// appendTimes writes a list; none is null.
func appendTimes(to []byte, list []int64) []byte {
	if list == nil {
		return append(to, "null"...)
	}
	to = append(to, '[')
	for k, t := range list {
		if k > 0 {
			to = append(to, ',')
		}
		to = strconv.AppendInt(to, t, 10)
	}
	return append(to, ']')
}
