// Package view makes pages that show traces of runs (gopregel/pregel/trace): the
// supersteps, their cost by the BSP model, and, of small graphs, values and messages.
//
// A page is one HTML file that loads nothing. Open reads a trace through once,
// strictly, and remembers where its lines lie; Write joins the modules in page/
// into one script (link.go) and puts it, the styles and the traces into the
// template. Serve gives the same page without the values and messages, which it
// then asks for by ranges of the file, so that a trace of any size can be looked at.
//
// In page/, modules without a document are apart from those with one: trace, states,
// why, breakpoint, bsp, player, layout, pivot, scale, labels and number are logic;
// chart, timeline, curves, drawing, graphview, inspector, panel and main draw.
package view

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"gopregel/pregel/trace"
)

// A File is a trace that has been read and found good.
type File struct {
	Name   string // as the user gave it
	Header trace.Header
	// Cut says where the trace was cut off; nil: it is whole.
	Cut error

	file  *os.File
	size  int64
	lines []line
	spool bool // file is a copy of ours, decompressed or unfolded
}

// A line is where a record lies in a file, and what a served page must know of
// those that it leaves out.
type line struct {
	Kind      string          `json:"kind"`
	Superstep int             `json:"superstep"`
	Init      string          `json:"init"`
	Next      json.RawMessage `json:"next"`     // of messages: a boolean
	Vertices  json.RawMessage `json:"vertices"` // of values

	offset int64
	length int
}

// Open reads a trace, compressed or not (.gz, .zst). A trace that was cut off is
// good up to there.
func Open(path string) (*File, error) {
	f := &File{Name: path}
	err := f.open()
	if err == nil {
		err = f.read()
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Close gives the file back.
func (f *File) Close() {
	if f.file == nil {
		return
	}
	_ = f.file.Close() // it was only read
	if f.spool {
		_ = os.Remove(f.file.Name())
	}
}

func (f *File) open() (err error) {
	if f.file, err = os.Open(f.Name); err != nil {
		return err
	}
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	if info.IsDir() {
		return fmt.Errorf("%s: is a directory, not a trace", f.Name)
	}
	if unpack := decompressor(f.Name); unpack != nil {
		return f.unpack(unpack)
	}
	return nil
}

func decompressor(name string) func(io.Reader) (io.Reader, error) {
	switch {
	case strings.HasSuffix(name, ".gz"):
		return func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }
	case strings.HasSuffix(name, ".zst"):
		return func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) }
	}
	return nil
}

// unpack puts a decompressed copy in the place of the file: its ranges are read.
// What a damaged or cut file has before the damage stays.
func (f *File) unpack(unpack func(io.Reader) (io.Reader, error)) error {
	return f.copied(func(to io.Writer, from io.Reader) error {
		in, err := unpack(from)
		if err == nil {
			_, err = io.Copy(to, in)
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		return err
	})
}

// copied puts a copy of ours in the place of the file.
func (f *File) copied(write func(to io.Writer, from io.Reader) error) (err error) {
	from := *f
	defer from.Close()
	if f.file, err = os.CreateTemp("", "pregel-view-*.jsonl"); err != nil {
		return err
	}
	f.spool = true
	if err := write(f.file, from.file); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	_, err = f.file.Seek(0, io.SeekStart)
	return err
}

// read checks every record, then notes where each line lies.
func (f *File) read() error {
	in := trace.NewReader(f.Name, f.file)
	for {
		rec, err := in.Next()
		var bad *trace.Error
		switch {
		case err == io.EOF:
			return f.lay(in.Folded())
		case errors.As(err, &bad) && bad.Truncated:
			f.Cut = err
			return f.lay(in.Folded())
		case err != nil:
			return err
		}
		if header, ok := rec.(*trace.Header); ok {
			f.Header = *header
		}
	}
}

// lay finds the lines, each of one record: the page knows no others.
func (f *File) lay(folded bool) error {
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if folded {
		if err := f.copied(trace.Unfold); err != nil {
			return err
		}
	}
	return f.index()
}

// index notes the lines; one that is cut off ends it.
func (f *File) index() error {
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(f.file, 1<<16)
	for {
		text, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		l := line{offset: f.size, length: len(text)}
		if len(text) == 0 {
			return nil
		}
		if err := json.Unmarshal(text, &l); err != nil {
			if f.Cut != nil {
				return nil
			}
			return fmt.Errorf("%s:%d: %w", f.Name, len(f.lines)+1, err)
		}
		f.lines = append(f.lines, l)
		f.size += int64(len(text))
	}
}

// next tells whether messages are read in the next superstep.
func (l *line) next() bool { return string(l.Next) == "true" }

// whole tells whether a record of values has all vertices.
func (l *line) whole() bool { return len(l.Vertices) == 0 || string(l.Vertices) == "null" }
