package graphio

import (
	"bytes"
	"context"
	"io"
	"sync"
	"sync/atomic"

	"gopregel/pregel/parallel"
)

// A block is a piece of a text: whole lines, each with its line end.
type block struct {
	text   []byte // textPadding bytes may be read beyond its end
	index  int    // 0, 1, … in the order of the file
	offset int64  // of text in a plain file
	line   int    // lines before it, of a stream
}

// blocks gives the rest of the text to f in blocks, up to workers at a time.
// The blocks are the same at each call. When f fails, the error of the first
// failing block of the file is returned, whichever worker came upon it first.
func (t *text) blocks(ctx context.Context, workers int, f func(worker int, b *block) error) error {
	if t.plain {
		return t.plainBlocks(ctx, workers, f)
	}
	return t.streamBlocks(ctx, workers, f)
}

// firstError keeps the error of the least block.
type firstError struct {
	index atomic.Int64 // of the failed block; later ones need not be done
	mu    sync.Mutex
	err   error
}

func newFirstError() *firstError {
	e := &firstError{}
	e.index.Store(1<<63 - 1)
	return e
}

func (e *firstError) set(index int, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if int64(index) < e.index.Load() {
		e.index.Store(int64(index))
		e.err = err
	}
}

func (e *firstError) skip(index int) bool { return int64(index) > e.index.Load() }

// plainBlocks cuts a plain file every blockSize bytes; a block has the lines
// that begin in its stretch.
func (t *text) plainBlocks(ctx context.Context, workers int, f func(int, *block) error) error {
	t.progress.add(int(t.offset))
	size := t.info.Size()
	count := int((size - t.offset + int64(t.blockSize) - 1) / int64(t.blockSize))
	workers = max(1, min(parallel.Workers(workers), count))
	failed := newFirstError()
	buffers := make([][]byte, workers)
	parallel.Range(workers, count, 1, func(w, i, _ int) {
		if failed.skip(i) {
			return
		}
		b := &block{index: i}
		err := ctx.Err()
		if err == nil {
			buffers[w], err = t.readBlock(b, buffers[w])
		}
		if err == nil && len(b.text) > 0 {
			err = f(w, b)
		}
		if err != nil {
			failed.set(i, err)
		}
	})
	return failed.err
}

// readBlock reads block b.index into the buffer, which it returns, grown.
func (t *text) readBlock(b *block, buffer []byte) ([]byte, error) {
	size := t.info.Size()
	lo := t.offset + int64(b.index)*int64(t.blockSize)
	hi := min(lo+int64(t.blockSize), size)
	from := lo
	if b.index > 0 {
		from-- // the line end before the block's first line
	}
	buffer, err := t.readAt(buffer[:0], from, hi)
	if err != nil {
		return buffer, err
	}
	t.progress.add(int(hi - lo))
	start := 0
	if b.index > 0 {
		start = bytes.IndexByte(buffer, '\n') + 1
		if start == 0 {
			return buffer, nil // no line begins here
		}
	}
	for scanned, step := len(buffer)-1, int64(4<<10); ; step *= 2 {
		if end := bytes.IndexByte(buffer[scanned:], '\n'); end >= 0 {
			buffer = buffer[:scanned+end+1]
			break
		}
		scanned = len(buffer)
		if at := from + int64(scanned); at >= size {
			buffer = append(buffer, '\n')
			break
		}
		if scanned > t.maxLine+t.blockSize {
			b.offset = from
			return buffer, t.tooLong(t.lineOf(b, bytes.LastIndexByte(buffer, '\n')+1))
		}
		at := from + int64(scanned)
		if buffer, err = t.readAt(buffer, at, min(at+step, size)); err != nil {
			return buffer, err
		}
	}
	b.offset = from + int64(start)
	b.text = padded(buffer)[start:]
	return buffer, nil
}

// readAt appends bytes lo to hi of the file to the buffer.
func (t *text) readAt(buffer []byte, lo, hi int64) ([]byte, error) {
	have, more := len(buffer), int(hi-lo)
	if cap(buffer)-have < more+textPadding+1 {
		grown := make([]byte, have, have+more+max(have/2, 4<<10)+textPadding+1)
		copy(grown, buffer)
		buffer = grown
	}
	n, err := t.file.ReadAt(buffer[have:have+more], lo)
	if n == more {
		return buffer[:have+more], nil
	}
	if err == io.EOF {
		return buffer, t.failAll("changed while it was read")
	}
	return buffer, err
}

// padded makes sure that textPadding bytes, which begin no number, follow.
func padded(b []byte) []byte {
	n := len(b)
	return append(b, make([]byte, textPadding)...)[:n]
}

// lineOf returns the number, from 1, of the line of place at in block b. A
// plain file is read again up to there, which only errors pay for.
func (t *text) lineOf(b *block, at int) int {
	if !t.plain {
		return b.line + bytes.Count(b.text[:at], []byte("\n")) + 1
	}
	lines := 1
	part := make([]byte, 1<<20)
	for rest := io.NewSectionReader(t.file, 0, b.offset+int64(at)); ; {
		n, err := rest.Read(part)
		lines += bytes.Count(part[:n], []byte("\n"))
		if err != nil {
			return lines
		}
	}
}

// fault makes an error of what a parser found wrong in block b.
func (t *text) fault(b *block, f *fault) error {
	return &FileError{Path: t.path, Line: t.lineOf(b, f.at), Problem: f.problem}
}
