package graphio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// progress counts the bytes read of a file and tells the user.
type progress struct {
	done  atomic.Int64
	total int64
	tell  func(done, total int64)
}

func (p *progress) add(n int) {
	if p.tell != nil && n > 0 {
		p.tell(p.done.Add(int64(n)), p.total)
	}
}

// A text is an open file of text: plain, so that it can be read anywhere and
// again, or a stream (compressed, or a pipe), which is read once. Its first
// lines are read one by one, the rest in blocks.
type text struct {
	path      string
	file      *os.File
	info      os.FileInfo
	plain     bool
	blockSize int
	progress  *progress
	passes    int64 // that a plain file will be read
	maxLine   int   // bytes of a line

	in      *bufio.Reader
	closers []func()
	pending []byte // a line given back, with its line end
	last    []byte // the line read last, with its line end
	offset  int64  // of the next line
	lines   int    // before it
}

const (
	defaultBlock = 256 << 10
	headBuffer   = 64 << 10
	maxLine      = 1 << 20 // bytes of a line of an edge list
	maxList      = 1 << 30 // of an adjacency list
	// textPadding bytes can be read behind each block, so that eight bytes may
	// be looked at wherever a number begins.
	textPadding = 8
)

// openText opens the file and sees by its first bytes whether it is
// compressed.
func openText(path string, blockSize int, passes int64, p *progress) (*text, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	t := &text{path: path, file: f, blockSize: blockSize, passes: passes, maxLine: maxLine, progress: p}
	t.closers = append(t.closers, func() { f.Close() })
	if err := t.start(); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

func (t *text) start() (err error) {
	if t.info, err = t.file.Stat(); err != nil {
		return err
	}
	if t.info.IsDir() {
		return &FileError{Path: t.path, Problem: "is a directory, not a graph file"}
	}
	raw := bufio.NewReaderSize(countingReader{t.file, t.progress}, headBuffer)
	magic := make([]byte, 4)
	regular := t.info.Mode().IsRegular()
	if regular {
		var n int
		n, err = t.file.ReadAt(magic, 0)
		magic = magic[:n]
	} else {
		magic, err = raw.Peek(4)
	}
	if err != nil && err != io.EOF { // what cannot be read is not taken for text
		return t.readError(err)
	}
	err = nil
	compressed := bytes.HasPrefix(magic, gzipMagic) || bytes.HasPrefix(magic, zstdMagic)
	t.plain = regular && !compressed
	if !t.plain {
		t.passes = 1
	}
	t.progress.total += t.passes * t.size()
	switch {
	case t.plain:
		t.in = bufio.NewReaderSize(io.NewSectionReader(t.file, 0, t.info.Size()), headBuffer)
	case compressed:
		err = t.decompress(raw, magic)
	default:
		t.in = raw
	}
	if err != nil {
		return t.readError(err)
	}
	return t.skipByteOrderMark()
}

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// decompress puts the reader of decompressed text into place. What a file is
// compressed with is told by its first bytes, not by its name.
func (t *text) decompress(raw *bufio.Reader, magic []byte) error {
	if bytes.HasPrefix(magic, gzipMagic) {
		z, err := gzip.NewReader(raw)
		if err == nil {
			t.in = bufio.NewReaderSize(z, headBuffer)
		}
		return err
	}
	z, err := zstd.NewReader(raw)
	if err == nil {
		t.closers = append(t.closers, z.Close)
		t.in = bufio.NewReaderSize(z, headBuffer)
	}
	return err
}

func (t *text) skipByteOrderMark() error {
	const mark = "\uFEFF"
	b, err := t.in.Peek(len(mark))
	if err != nil && err != io.EOF {
		return t.readError(err)
	}
	if string(b) == mark {
		t.offset = int64(len(mark))
		_, err := t.in.Discard(len(mark))
		return err
	}
	return nil
}

func (t *text) close() {
	for _, f := range t.closers {
		f()
	}
}

// size returns the bytes of the file, 0 when not known.
func (t *text) size() int64 {
	if t.info.Mode().IsRegular() {
		return t.info.Size()
	}
	return 0
}

// unchanged checks that the file is still what was opened: it is read more
// than once.
func (t *text) unchanged() error {
	now, err := t.file.Stat()
	if err != nil {
		return err
	}
	if t.plain && (now.Size() != t.info.Size() || !now.ModTime().Equal(t.info.ModTime())) {
		return &FileError{Path: t.path, Problem: "changed while it was read"}
	}
	return nil
}

// readError says what a failed read means.
func (t *text) readError(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &FileError{Path: t.path, Problem: "compressed data ends too early: the file is truncated"}
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return &FileError{Path: t.path, Problem: fmt.Sprintf("damaged gzip data (%v)", err)}
	}
	return fmt.Errorf("%s: %w", t.path, err)
}

type countingReader struct {
	in       io.Reader
	progress *progress
}

func (r countingReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.progress.add(n)
	return n, err
}
