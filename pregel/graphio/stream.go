package graphio

import (
	"bytes"
	"context"
	"io"

	"gopregel/pregel/parallel"
)

// streamBlocks reads the stream in one goroutine, which decompresses, while
// the workers do the blocks it has cut. As many buffers as there are workers,
// and two, go round.
func (t *text) streamBlocks(ctx context.Context, workers int, f func(int, *block) error) error {
	workers = parallel.Workers(workers)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := cutter{text: t, full: make(chan *block, 1), free: make(chan []byte, workers+2)}
	for range workers + 2 {
		c.free <- nil
	}
	var readErr error
	go func() {
		defer close(c.full)
		readErr = c.run(ctx)
	}()
	failed := newFirstError()
	parallel.Do(workers, func(w int) {
		for b := range c.full {
			if failed.skip(b.index) {
				continue
			}
			if err := f(w, b); err != nil {
				failed.set(b.index, err)
				cancel()
				continue
			}
			c.free <- b.text
		}
	})
	if failed.err != nil {
		return failed.err
	}
	return readErr
}

// A cutter reads a stream and cuts it into blocks at line ends.
type cutter struct {
	*text
	full  chan *block
	free  chan []byte
	index int
	rest  []byte // what was read behind the last line end
}

func (c *cutter) run(ctx context.Context) error {
	in := io.MultiReader(bytes.NewReader(c.pending), c.in)
	for ended := false; !ended; {
		var buffer []byte
		select {
		case buffer = <-c.free:
		case <-ctx.Done():
			return ctx.Err()
		}
		buffer = append(buffer[:0], c.rest...)
		var err error
		if buffer, ended, err = c.fill(ctx, in, buffer); err != nil {
			return err
		}
		end := bytes.LastIndexByte(buffer, '\n') + 1
		c.rest = append(c.rest[:0], buffer[end:]...)
		if end == 0 {
			continue
		}
		b := &block{text: padded(buffer[:end]), index: c.index, line: c.lines}
		c.index++
		c.lines += bytes.Count(b.text, []byte("\n"))
		select {
		case c.full <- b:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// fill reads until the buffer has a block and in it a line end, or to the end
// of the stream, where it adds a line end that is missing.
func (c *cutter) fill(ctx context.Context, in io.Reader, buffer []byte) (_ []byte, ended bool, _ error) {
	for want := len(buffer) + c.blockSize; ; want += want/2 + 1 {
		if cap(buffer) < want+textPadding+1 {
			grown := make([]byte, len(buffer), want+textPadding+1)
			copy(grown, buffer)
			buffer = grown
		}
		have := len(buffer)
		n, err := readFull(in, buffer[have:want])
		buffer = buffer[:have+n]
		switch {
		case ctx.Err() != nil:
			return buffer, false, ctx.Err()
		case err == io.EOF:
			if len(buffer) > 0 && buffer[len(buffer)-1] != '\n' {
				buffer = append(buffer, '\n')
			}
			return buffer, true, nil
		case err != nil:
			return buffer, false, c.readError(err)
		case bytes.IndexByte(buffer[have:], '\n') >= 0:
			return buffer, false, nil
		case len(buffer) > c.maxLine:
			return buffer, false, c.tooLong(c.lines + 1)
		}
	}
}

// readFull reads until p is full. Unlike io.ReadFull it leaves io.EOF and the
// io.ErrUnexpectedEOF of a decompressor apart.
func readFull(in io.Reader, p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var k int
		k, err = in.Read(p[n:])
		n += k
	}
	return n, err
}
