package trace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Unfold copies a trace that a Reader has found good, up to where it was cut off, and
// gives each superstep a line of its own. All other lines stay as they are.
func Unfold(to io.Writer, from io.Reader) error {
	in, out := bufio.NewReaderSize(from, 1<<16), bufio.NewWriterSize(to, 1<<16)
	u := &unfolding{out: out}
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		if bad := u.line(line); bad != nil {
			return fmt.Errorf("line %d: %w", number, bad)
		}
		if err != nil {
			return out.Flush()
		}
	}
}

type unfolding struct {
	out   *bufio.Writer
	state state
	text  []byte
	room  room
}

// line copies one, or what it stands for. One that cannot be read was cut off.
func (u *unfolding) line(text []byte) error {
	rec, err := u.look(text)
	p, packed := rec.(*packed)
	if err != nil || !packed {
		_, err = u.out.Write(text)
		return err
	}
	u.state.last = p.Superstep - 1
	if err := p.check(&u.state); err != nil {
		return err
	}
	w := over(p.steps)
	for w.next(&u.room) {
		u.text = appendSuperstep(u.text[:0], &u.room.Superstep)
		if _, err := u.out.Write(u.text); err != nil {
			return err
		}
	}
	return nil
}

// look reads the header, and lines that may be of many supersteps.
func (u *unfolding) look(text []byte) (Record, error) {
	if u.state.header != nil && !bytes.Contains(text, []byte(`"supersteps"`)) {
		return nil, nil
	}
	rec, err := parse(text)
	if h, ok := rec.(*Header); ok && err == nil {
		u.state.header = h
	}
	return rec, err
}
