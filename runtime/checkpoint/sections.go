package checkpoint

import (
	"fmt"
	"reflect"

	"gopregel/pregel"
	"gopregel/pregel/mem"
)

// A section is a part of a state: a slice of numbers or structs.
type section struct {
	Name  string `json:"name"`
	Type  string `json:"type"` // of an element
	Bytes int64  `json:"bytes"`
	Sum   uint32 `json:"crc32c"`

	// What it is written of, and read into: a pointer to a slice, or to one element. The
	// slice of values has its length already, the others get theirs.
	at    reflect.Value
	fixed bool
}

// sections are the parts of a state. After reading, finish must be called.
func sections(s *pregel.State) (list []section, finish func(), err error) {
	add := func(name string, at reflect.Value, fixed bool) {
		element := at.Type().Elem()
		if element.Kind() == reflect.Slice {
			element = element.Elem()
		}
		text, problem := layout(element)
		if problem != nil && err == nil {
			err = fmt.Errorf("program %s cannot be kept in a checkpoint: its %s: %w", s.Program, name, problem)
		}
		list = append(list, section{Name: name, Type: text, at: at, fixed: fixed})
	}
	values, messages := pointerTo(s.Values), pointerTo(s.Messages)
	if s.Values != nil {
		add("values", values, true)
	}
	add("awake", reflect.ValueOf(&s.Awake), false)
	add("waiting", reflect.ValueOf(&s.Waiting), false)
	add("settled", reflect.ValueOf(&s.Settled), false)
	add("to", reflect.ValueOf(&s.To), false)
	if s.Messages != nil {
		add("messages", messages, false)
	}
	aggregates := make([]reflect.Value, len(s.Aggregates))
	for i, a := range s.Aggregates {
		aggregates[i] = pointerTo(a)
		add(fmt.Sprintf("aggregator %d", i), aggregates[i], true)
	}
	for i, p := range s.Kept {
		add(fmt.Sprintf("variable %d", i), reflect.ValueOf(p), false)
	}
	return list, func() {
		if s.Messages != nil {
			s.Messages = messages.Elem().Interface()
		}
		for i, a := range aggregates {
			s.Aggregates[i] = a.Elem().Interface()
		}
	}, err
}

// pointerTo points to a copy of x, which may be nil.
func pointerTo(x any) reflect.Value {
	if x == nil {
		return reflect.Value{}
	}
	p := reflect.New(reflect.TypeOf(x))
	p.Elem().Set(reflect.ValueOf(x))
	return p
}

// raw shows the section's bytes.
func (s *section) raw() []byte {
	if s.at.Type().Elem().Kind() == reflect.Slice {
		return mem.RawSlice(s.at.Elem())
	}
	return mem.RawPointed(s.at)
}

// room makes room for so many bytes, and shows it.
func (s *section) room(bytes int64) ([]byte, error) {
	t := s.at.Type().Elem()
	if t.Kind() == reflect.Slice && !s.fixed {
		size := int64(t.Elem().Size())
		if size == 0 || bytes%size != 0 {
			return nil, fmt.Errorf("%d bytes are no list of %v", bytes, t.Elem())
		}
		s.at.Elem().Set(reflect.MakeSlice(t, int(bytes/size), int(bytes/size)))
	}
	raw := s.raw()
	if int64(len(raw)) != bytes {
		return nil, fmt.Errorf("%d bytes, want %d", bytes, len(raw))
	}
	return raw, nil
}
