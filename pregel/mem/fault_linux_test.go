package mem_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// mapped makes a file of some pages, maps it and cuts it to a page.
func mapped(t *testing.T) *mem.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "graph.pgr")
	if err := os.WriteFile(path, make([]byte, 1<<16), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := mem.Map(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	if err := os.Truncate(path, int64(os.Getpagesize())); err != nil {
		t.Fatal(err)
	}
	return f
}

// A file that is cut while it is mapped is an error that names it, wherever it is
// read.
func TestFault(t *testing.T) {
	f := mapped(t)
	var sum atomic.Int64 // so that nothing is left out
	read := func() {
		for _, b := range f.Bytes() {
			sum.Add(int64(b))
		}
	}
	for name, f := range map[string]func() error{
		"a loop":      func() error { read(); return nil },
		"a copy":      func() error { copy(make([]byte, 1<<16), f.Bytes()); return nil },
		"a worker":    func() error { parallel.Do(3, func(int) { read() }); return nil },
		"a view":      func() error { sum.Add(int64(mem.View[uint64](f.Bytes())[5000])); return nil },
		"an assembly": func() error { mem.Prefetch(make([]uint64, 3<<20), mem.View[uint32](f.Bytes())); read(); return nil },
		"a compare":   func() error { sum.Add(int64(strings.Count(string(f.Bytes()), "x"))); return nil },
	} {
		err := mem.Guarded(f)
		var fault *mem.FaultError
		if !errors.As(err, &fault) || filepath.Base(fault.Path) != "graph.pgr" || fault.At < int64(os.Getpagesize()) || fault.Size != 1<<16 || fault.Now != int64(os.Getpagesize()) {
			t.Errorf("%s: error %v", name, err)
		}
		t.Log(err)
	}
}

// Other panics stay what they are.
func TestNoFault(t *testing.T) {
	_ = mapped(t)
	defer func() {
		r := recover()
		if r == nil || mem.Fault(r) != nil {
			t.Errorf("thrown was %v", r)
		}
	}()
	var none *int
	_ = mem.Guarded(func() error { *none = 1; return nil })
}

// mapIn is the environment of a child: the file that it maps with few addresses left.
const mapIn = "MEM_TEST_MAP"

// Where there are no addresses for a file there is an error that names it.
func TestMapWithoutRoom(t *testing.T) {
	if path := os.Getenv(mapIn); path != "" {
		fmt.Println(mapWithoutRoom(path))
		os.Exit(0)
	}
	path := filepath.Join(t.TempDir(), "graph.pgr")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 8<<30); err != nil {
		t.Fatal(err)
	}
	child := exec.Command(os.Args[0], "-test.run=^TestMapWithoutRoom$")
	child.Env = append(os.Environ(), mapIn+"="+path)
	out, err := child.CombinedOutput()
	if want := fmt.Sprintf("map %s (%d bytes): cannot allocate memory\n", path, 8<<30); err != nil || string(out) != want {
		t.Errorf("found %q, %v, want %q", out, err, want)
	}
}

// mapWithoutRoom leaves 512 MiB of addresses to what the process has.
func mapWithoutRoom(path string) error {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return err
	}
	var pages uint64
	if _, err := fmt.Sscan(string(text), &pages); err != nil {
		return err
	}
	limit := pages*uint64(os.Getpagesize()) + 512<<20
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		return err
	}
	_, err = mem.Map(path)
	return err
}
