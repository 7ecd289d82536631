package checkpoint

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"slices"

	"gopregel/pregel"
)

// A found checkpoint is one whose file is whole.
type found struct {
	path  string
	start int64 // of the sections
	header
}

// hasParts tells whether it has the parts of a Commit.
func (f *found) hasParts() bool {
	return slices.ContainsFunc(f.Sections, section.isPart)
}

// inspect reads a file to its end, and returns what it has in its header if all
// sums are right.
func inspect(path string) (*found, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	f := &found{path: path}
	if err := f.read(file, info.Size()); err != nil {
		return nil, damaged(path, err)
	}
	return f, nil
}

// damaged is the error of a file with wrong content; others keep theirs.
func damaged(path string, err error) error {
	var system *os.PathError
	if errors.As(err, &system) {
		return err
	}
	return &DamagedError{path, err.Error()}
}

// read checks a file of so many bytes.
func (f *found) read(r io.Reader, size int64) error {
	in := bufio.NewReaderSize(r, 1<<20)
	if err := f.readHeader(in, size); err != nil {
		return err
	}
	left := size - f.start
	for i := range f.Sections {
		s := &f.Sections[i]
		if s.Bytes < 0 || s.Bytes > left {
			return fmt.Errorf("it ends within the section %s", s.Name)
		}
		left -= s.Bytes
		sum := crc32.New(castagnoli)
		if _, err := io.CopyN(sum, in, s.Bytes); err != nil {
			return fmt.Errorf("the section %s: %w", s.Name, err)
		}
		if sum.Sum32() != s.Sum {
			return fmt.Errorf("the section %s has the checksum %08x, want %08x", s.Name, sum.Sum32(), s.Sum)
		}
	}
	if left != 0 {
		return fmt.Errorf("%d bytes follow its last section", left)
	}
	return nil
}

func (f *found) readHeader(in io.Reader, size int64) error {
	var b [preambleBytes]byte
	if _, err := io.ReadFull(in, b[:]); err != nil {
		return cut(err, "its first bytes")
	}
	if string(b[:len(magic)]) != magic {
		return fmt.Errorf("it begins with %q, want %q", b[:len(magic)], magic)
	}
	if v := binary.LittleEndian.Uint32(b[len(magic):]); v != version {
		return fmt.Errorf("it is of version %d, want %d", v, version)
	}
	length, want := binary.LittleEndian.Uint32(b[len(magic)+4:]), binary.LittleEndian.Uint32(b[len(magic)+8:])
	f.start = int64(preambleBytes) + int64(length)
	if length > mostHeader || f.start > size {
		return fmt.Errorf("a header of %d bytes in a file of %d", length, size)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(in, text); err != nil {
		return cut(err, "its header")
	}
	if sum := crc32.Checksum(text, castagnoli); sum != want {
		return fmt.Errorf("the header has the checksum %08x, want %08x", sum, want)
	}
	if err := json.Unmarshal(text, &f.header); err != nil {
		return fmt.Errorf("the header: %w", err)
	}
	if f.Run < 0 || f.Before < 0 || f.Supersteps < 0 || f.Pieces < 0 || f.PartsRun < 0 || f.PartsAfter < 0 {
		return fmt.Errorf("it is after %d and %d supersteps of run %d, %d pieces; its parts after %d of run %d", f.Before, f.Supersteps, f.Run, f.Pieces, f.PartsAfter, f.PartsRun)
	}
	return nil
}

func cut(err error, within string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("it ends within %s", within)
	}
	return err
}

// fill puts the checkpoint into a state that shows the types: the parts of a Commit
// alone, or all but those.
func (f *found) fill(s *pregel.State) error {
	list, finish, err := sections(s)
	if err != nil {
		return err
	}
	file, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := f.fillSections(file, list, s.Program == pregel.CommitName); err != nil {
		return fmt.Errorf("checkpoint %s: %w", f.path, err)
	}
	finish()
	s.Run, s.Before, s.Supersteps, s.Priority, s.Exact = f.Run, f.Before, f.Supersteps, f.Priority, f.Exact
	s.PartsRun, s.PartsBefore = f.PartsRun, f.PartsAfter
	s.Metric = pregel.Metric{Name: f.Metric.Name, Value: math.Float64frombits(f.Metric.Value), Tolerance: math.Float64frombits(f.Metric.Tolerance)}
	return nil
}

// placed are the sections that are parts of a Commit, or the others, with their
// places in the file.
func (f *found) placed(parts bool) (list []section, starts []int64) {
	at := f.start
	for _, s := range f.Sections {
		if s.isPart() == parts {
			list, starts = append(list, s), append(starts, at)
		}
		at += s.Bytes
	}
	return list, starts
}

func (f *found) fillSections(in io.ReaderAt, list []section, parts bool) error {
	has, starts := f.placed(parts)
	if len(list) != len(has) {
		return fmt.Errorf("the program %s has %d parts in it, %d here", f.Program, len(has), len(list))
	}
	for i := range list {
		was, is := has[i], &list[i]
		if was.Name != is.Name || was.Type != is.Type {
			return fmt.Errorf("part %d of the program %s is %s of %s, here %s of %s", i, f.Program, was.Name, was.Type, is.Name, is.Type)
		}
		raw, err := is.room(was.Bytes)
		if err != nil {
			return fmt.Errorf("%s: %w", is.Name, err)
		}
		if _, err := io.ReadFull(io.NewSectionReader(in, starts[i], was.Bytes), raw); err != nil {
			return fmt.Errorf("%s: %w", is.Name, err)
		}
		if sum := crc32.Checksum(raw, castagnoli); sum != was.Sum {
			return fmt.Errorf("%s has changed since it was opened: checksum %08x, want %08x", is.Name, sum, was.Sum)
		}
	}
	return nil
}
