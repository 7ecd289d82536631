package trace

import (
	"encoding/json"
	"fmt"
	"strconv"

	"gopregel/pregel"
)

// encode appends a record as a line. Supersteps, of which a run has many, graphs and
// answers are written without reflection; tests hold both ways to each other.
func encode(to []byte, r Record) ([]byte, error) {
	switch r := r.(type) {
	case *Superstep:
		return appendSuperstep(to, r), nil
	case *steps:
		return appendSteps(to, r), nil
	case *Program:
		return appendProgram(to, r), nil
	case wholeGraph:
		return appendGraph(to, r.Graph), nil
	case answered:
		return encodeAnswered(to, r)
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("a record of kind %s: %w", r.kind(), err)
	}
	to = append(append(append(to, `{"kind":"`...), r.kind()...), `",`...)
	return append(append(to, text[1:]...), '\n'), nil
}

func appendSuperstep(to []byte, s *Superstep) []byte {
	to = strconv.AppendInt(append(to, `{"kind":"superstep","superstep":`...), int64(s.Superstep), 10)
	to = appendText(to, `,"program":`, s.Program)
	if s.Direction != "" {
		to = appendText(to, `,"direction":`, s.Direction)
	}
	if s.Frontier != "" {
		to = appendText(to, `,"frontier":`, s.Frontier)
	}
	switch {
	case s.choice.Rule != "":
		to = appendChoice(append(to, `,"why":`...), s.choice)
	case s.Why != "":
		to = appendText(to, `,"why":`, s.Why)
	}
	to = strconv.AppendUint(append(to, `,"awake":`...), s.Awake, 10)
	to = strconv.AppendUint(append(to, `,"arcs":`...), s.Arcs, 10)
	to = appendKnown(to, `,"sent":`, s.Sent)
	to = appendKnown(to, `,"combined":`, s.Combined)
	to = strconv.AppendUint(append(to, `,"next":`...), s.Next, 10)
	to = strconv.AppendInt(append(to, `,"nanoseconds":`...), s.Nanoseconds, 10)
	if s.Timed != 0 {
		to = strconv.AppendInt(append(to, `,"timed":`...), int64(s.Timed), 10)
	}
	to = appendPhases(to, s.Phases)
	if s.Barrier != 0 {
		to = strconv.AppendInt(append(to, `,"barrier":`...), s.Barrier, 10)
	}
	if s.Bytes != 0 {
		to = strconv.AppendUint(append(to, `,"bytes":`...), s.Bytes, 10)
	}
	to = appendKnown(to, `,"atomics":`, s.Atomics)
	if c := s.Contention; c != nil {
		to = strconv.AppendUint(append(to, `,"contention":{"most":`...), c.Most, 10)
		to = append(appendFloat(append(to, `,"mean":`...), c.Mean, 64), '}')
	}
	return append(appendEnd(to, s), '}', '\n')
}

// appendChoice writes the words of a choice where they stand, unless they have to be
// quoted.
func appendChoice(to []byte, c pregel.Choice) []byte {
	if !plain(c.Rule) {
		return appendString(to, c.String())
	}
	return append(c.Append(append(to, '"')), '"')
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

func appendKnown(to []byte, key string, x *uint64) []byte {
	if x == nil {
		return to
	}
	return strconv.AppendUint(append(to, key...), *x, 10)
}

func appendText(to []byte, key, text string) []byte { return appendString(append(to, key...), text) }

// plain tells whether a text is written as it stands.
func plain[T string | []byte](text T) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// appendString writes a string as JSON: one that is plain as it stands.
func appendString(to []byte, text string) []byte {
	if plain(text) {
		return append(append(append(to, '"'), text...), '"')
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		quoted = []byte(`""`)
	}
	return append(to, quoted...)
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
		to = appendSmall(to, t)
	}
	return append(to, ']')
}
