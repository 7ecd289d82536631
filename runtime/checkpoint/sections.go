package checkpoint

import (
	"fmt"
	"reflect"
	"strings"

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

// partName begins the names of sections that are parts of a Commit.
const partName = "part "

// sections are what a state is made of. After reading, finish must be called.
func sections(s *pregel.State) (list []section, finish func(), err error) {
	b := builder{program: s.Program}
	finish = func() {}
	if s.Program != pregel.CommitName {
		finish = b.own(s)
	}
	for i, p := range s.Parts {
		b.add(fmt.Sprintf("%s%d", partName, i), reflect.ValueOf(p), false)
	}
	return b.list, finish, b.err
}

// builder makes a list of sections.
type builder struct {
	program string
	list    []section
	err     error // the first
}

func (b *builder) add(name string, at reflect.Value, fixed bool) {
	element := at.Type().Elem()
	if element.Kind() == reflect.Slice {
		element = element.Elem()
	}
	text, err := layout(element)
	if err != nil && b.err == nil {
		b.err = fmt.Errorf("program %s cannot be kept in a checkpoint: its %s: %w", b.program, name, err)
	}
	b.list = append(b.list, section{Name: name, Type: text, at: at, fixed: fixed})
}

// own adds what a program has of a state.
func (b *builder) own(s *pregel.State) (finish func()) {
	values, messages := pointerTo(s.Values), pointerTo(s.Messages)
	if s.Values != nil {
		b.add("values", values, true)
	}
	b.add("awake", reflect.ValueOf(&s.Awake), false)
	b.add("waiting", reflect.ValueOf(&s.Waiting), false)
	b.add("settled", reflect.ValueOf(&s.Settled), false)
	b.add("to", reflect.ValueOf(&s.To), false)
	if s.Messages != nil {
		b.add("messages", messages, false)
	}
	aggregates := make([]reflect.Value, len(s.Aggregates))
	for i, a := range s.Aggregates {
		aggregates[i] = pointerTo(a)
		b.add(fmt.Sprintf("aggregator %d", i), aggregates[i], true)
	}
	for i, p := range s.Kept {
		b.add(fmt.Sprintf("variable %d", i), reflect.ValueOf(p), false)
	}
	return func() {
		if s.Messages != nil {
			s.Messages = messages.Elem().Interface()
		}
		for i, a := range aggregates {
			s.Aggregates[i] = a.Elem().Interface()
		}
	}
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

// isPart tells whether it is a part of a Commit.
func (s section) isPart() bool { return strings.HasPrefix(s.Name, partName) }

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
		if bytes == 0 { // a list that is none stays so
			s.at.Elem().SetLen(0)
			return nil, nil
		}
		s.at.Elem().Set(reflect.MakeSlice(t, int(bytes/size), int(bytes/size)))
	}
	raw := s.raw()
	if int64(len(raw)) != bytes {
		return nil, fmt.Errorf("%d bytes, want %d", bytes, len(raw))
	}
	return raw, nil
}
