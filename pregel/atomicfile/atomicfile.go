// Package atomicfile writes files that are either complete or not there.
//
// A file is written under a temporary name in the folder of its target, synced
// and renamed. Whoever opens the target sees the old content or the new one,
// and a failed or cancelled write leaves no trace. A target that is a symbolic
// link stays one: the file it points to is replaced. A target that is no
// regular file but can be written to (a pipe, /dev/stdout) is written to as it
// stands, without a temporary file.
package atomicfile

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

const bufferSize = 64 << 10

// Write makes the file at path of what f writes. When f, the writing, or the
// rename fails, the error names path and the file is as it was before.
func Write(path string, f func(w io.Writer) error) error {
	file, err := Create(path)
	if err != nil {
		return err
	}
	defer file.Discard()
	if err := f(file); err != nil {
		return file.name(err)
	}
	return file.Commit()
}

// A File is a file on its way to its target. It is an io.Writer; either
// Commit or Discard ends it.
type File struct {
	path      string // as the caller gave it
	target    string // where links lead; empty for a device or pipe
	temporary string
	f         *os.File
	w         *bufio.Writer
	ready     bool // all is written, synced and closed
	done      bool
}

// Create opens a temporary file for the given target. A new file gets mode
// 0644 less the umask, an existing one keeps its mode.
func Create(path string) (*File, error) {
	file := &File{path: path}
	err := file.open()
	if err != nil {
		return nil, file.name(err)
	}
	file.w = bufio.NewWriterSize(file.f, bufferSize)
	return file, nil
}

func (file *File) open() error {
	info, err := os.Stat(file.path)
	switch {
	case err == nil && info.IsDir():
		return errors.New("is a directory")
	case err == nil && !info.Mode().IsRegular():
		file.f, err = os.OpenFile(file.path, os.O_WRONLY, 0)
		return err
	case err == nil:
		if err := checkWritable(file.path); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if file.target, err = follow(file.path); err != nil {
		return err
	}
	if err := file.createTemporary(); err != nil || info == nil {
		return err
	}
	if err := file.f.Chmod(info.Mode().Perm()); err != nil {
		file.Discard()
		return err
	}
	return nil
}

// checkWritable refuses a file that its owner protected: a rename would
// replace it all the same.
func checkWritable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

func (file *File) createTemporary() error {
	file.temporary = filepath.Join(filepath.Dir(file.target), ".pregel-"+rand.Text()+".tmp")
	f, err := os.OpenFile(file.temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	file.f = f
	return err
}

// follow returns where a chain of symbolic links ends, also when nothing is
// there yet.
func follow(path string) (string, error) {
	for range 40 {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		next, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(next) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", err
			}
			next = filepath.Join(dir, next)
		}
		path = next
	}
	return "", errors.New("too many symbolic links")
}

// Write appends p.
func (file *File) Write(p []byte) (int, error) {
	n, err := file.w.Write(p)
	if err != nil {
		err = file.name(err)
	}
	return n, err
}

// Prepare writes out and syncs what Write has been given, so that Commit has
// nothing left to do but the rename. Files that belong together are prepared
// one after the other, then committed.
func (file *File) Prepare() error {
	if file.ready || file.done {
		return nil
	}
	err := file.w.Flush()
	if err == nil && file.target != "" {
		err = file.f.Sync()
	}
	if closing := file.f.Close(); err == nil {
		err = closing
	}
	file.ready = true
	if err != nil {
		file.Discard()
		return file.name(err)
	}
	return nil
}

// Commit puts the file in its place. After an error nothing is left of it.
func (file *File) Commit() error {
	if file.done {
		return file.name(errors.New("already committed or discarded"))
	}
	if err := file.Prepare(); err != nil {
		return err
	}
	if file.target == "" {
		file.done = true
		return nil
	}
	if err := os.Rename(file.temporary, file.target); err != nil {
		file.Discard()
		return file.name(err)
	}
	file.done = true
	syncFolder(filepath.Dir(file.target))
	return nil
}

// Discard removes the temporary file. After Commit it does nothing.
func (file *File) Discard() {
	if file.done {
		return
	}
	file.done = true
	if !file.ready {
		file.f.Close()
	}
	if file.target != "" {
		os.Remove(file.temporary)
	}
}

// syncFolder makes the rename itself durable. Some systems cannot sync a
// folder; the file is whole all the same.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// name makes err speak of the target, once, and not of the temporary file.
func (file *File) name(err error) error {
	var named *Error
	if errors.As(err, &named) && named.Path == file.path {
		return err
	}
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &link) && link.Old == file.temporary:
		err = link.Err
	case errors.As(err, &path) && (path.Path == file.path || path.Path == file.temporary):
		err = path.Err
	}
	return &Error{Path: file.path, Err: err}
}

// An Error is what kept a file from being written.
type Error struct {
	Path string
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("write %s: %v", e.Path, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
