package view

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"

	"github.com/klauspost/compress/gzip"
)

// How much of traces a page takes, in bytes as they are, and from where on it is
// compressed.
const (
	mostBytes     = 64 << 20
	compressBytes = 32 << 10
)

// A TooLarge is a trace that is too large for a page of its own.
type TooLarge struct {
	Name string
	Size int64
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("%s: %d MiB are too much for one page, at most %d MiB; --serve shows it from here, and a trace with values: changed, or with a sample, is smaller",
		e.Name, e.Size>>20, mostBytes>>20)
}

// A pageTrace is a trace in the data of a page.
type pageTrace struct {
	Records []json.RawMessage `json:"records"`
	Served  string            `json:"served,omitempty"` // the address of its file
}

// A stub stands for a record that a served page fetches.
type stub struct {
	Kind      string   `json:"kind"`
	Superstep int      `json:"superstep"`
	Init      string   `json:"init,omitempty"`
	Next      bool     `json:"next,omitempty"`
	Whole     bool     `json:"whole,omitempty"`
	At        [2]int64 `json:"at"` // offset and length
}

// records are all lines of the file.
func (f *File) records() ([]json.RawMessage, error) {
	text := make([]byte, f.size)
	if _, err := f.file.ReadAt(text, 0); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	list := make([]json.RawMessage, 0, len(f.lines))
	for _, l := range f.lines {
		list = append(list, bytes.TrimSpace(text[l.offset:l.offset+int64(l.length)]))
	}
	return list, nil
}

// outline are the lines of the file, with stubs for values and messages.
func (f *File) outline() ([]json.RawMessage, error) {
	var list []json.RawMessage
	for _, l := range f.lines {
		text := make([]byte, l.length)
		if slices.Contains([]string{"values", "messages"}, l.Kind) {
			s := stub{Kind: l.Kind, Superstep: l.Superstep, Init: l.Init, Next: l.next(), At: [2]int64{l.offset, int64(l.length)}}
			s.Whole = l.Kind == "values" && l.whole()
			var err error
			if text, err = json.Marshal(s); err != nil {
				return nil, err
			}
		} else if _, err := f.file.ReadAt(text, l.offset); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		list = append(list, bytes.TrimSpace(text))
	}
	return list, nil
}

// data is what the page carries, whole or as an outline, and its form.
func data(files []*File, served bool) (text template.JS, form string, err error) {
	var all struct {
		Traces []pageTrace `json:"traces"`
	}
	for i, f := range files {
		t := pageTrace{}
		if served {
			t.Served = fmt.Sprintf("trace/%d", i)
			t.Records, err = f.outline()
		} else {
			t.Records, err = f.records()
		}
		if err != nil {
			return "", "", err
		}
		all.Traces = append(all.Traces, t)
	}
	raw, err := json.Marshal(all) // with <, > and & escaped
	if err != nil || len(raw) < compressBytes {
		return template.JS(raw), "json", err
	}
	text, err = compress(raw)
	return text, "gzip", err
}

func compress(raw []byte) (template.JS, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err = io.Copy(z, bytes.NewReader(raw)); err == nil {
		err = z.Close()
	}
	return template.JS(base64.StdEncoding.EncodeToString(packed.Bytes())), err
}
