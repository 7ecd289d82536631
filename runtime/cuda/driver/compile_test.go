//go:build cuda

package driver

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopregel/kernels"
)

const addSource = `
extern "C" __global__ void add(unsigned *to, unsigned n, unsigned x) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += x * FACTOR;
}
`

// needCompiler opens NVRTC, which comes with every toolkit.
func needCompiler(t testing.TB) *compiler {
	t.Helper()
	c, err := nvrtc()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCompile(t *testing.T) {
	t.Parallel()
	c := needCompiler(t)
	version, err := Compiler()
	if err != nil || version != c.version() {
		t.Fatalf("Compiler: %q, %v", version, err)
	}
	compiled, err := Compile("add.cu", addSource, CompileOptions{Arch: "sm_90", Defines: []string{"FACTOR=2"}})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(compiled.Image, []byte("\x7fELF")) || !bytes.Contains(compiled.Image, []byte("add")) || compiled.Cached {
		t.Errorf("image of %d bytes, cached %v, begins with %q", len(compiled.Image), compiled.Cached, compiled.Image[:4])
	}
}

func TestCompileErrors(t *testing.T) {
	t.Parallel()
	needCompiler(t)
	_, err := Compile("add.cu", addSource, CompileOptions{Arch: "sm_90"})
	var compile *CompileError
	if !errors.As(err, &compile) || compile.Name != "add.cu" || !strings.Contains(compile.Log, "add.cu(4)") || !strings.Contains(compile.Log, `"FACTOR"`) {
		t.Errorf("undefined name: %v", err)
	}
	_, err = Compile("add.cu", "#line 7 \"mine.cu\"\nint f( { }\n", CompileOptions{Arch: "sm_90"})
	if !errors.As(err, &compile) || !strings.Contains(compile.Log, "mine.cu(7)") {
		t.Errorf("with #line: %v", err)
	}
	// Headers put in between leave the user's file and line as they are.
	mine, err := kernels.Parse("shortest.cu", "// mine\n#include \"base.cuh\"\n\nextern \"C\" __global__ void f(u32 *to) {\n  to[0] = nowhere;\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Compile(mine.Name, mine.Text, CompileOptions{Arch: "sm_90", Defines: []string{"OFFSET=u32", "WEIGHTED=0", "WEIGHT=i32"}})
	if !errors.As(err, &compile) || !strings.HasPrefix(err.Error(), "shortest.cu does not compile:\n") ||
		!strings.Contains(compile.Log, `shortest.cu(5): error: identifier "nowhere" is undefined`) {
		t.Errorf("the user's file and line: %v", err)
	}
	for _, arch := range []string{"", "90", "sm_", "compute_90", "sm_90; rm", "sm_1"} {
		if _, err := Compile("add.cu", addSource, CompileOptions{Arch: arch}); err == nil || errors.As(err, &compile) {
			t.Errorf("architecture %q: %v", arch, err)
		}
	}
}

// A device that is newer than NVRTC gets PTX of the newest architecture.
func TestCompileForNewerDevice(t *testing.T) {
	t.Parallel()
	needCompiler(t)
	compiled, err := Compile("add.cu", addSource, CompileOptions{Arch: "sm_999", Defines: []string{"FACTOR=2"}})
	if err != nil || !bytes.Contains(compiled.Image, []byte(".entry add")) {
		t.Errorf("%d bytes, %v", len(compiled.Image), err)
	}
}

func TestWarningsAreKept(t *testing.T) {
	t.Parallel()
	needCompiler(t)
	o := CompileOptions{Arch: "sm_90", Cache: t.TempDir()}
	for range 2 {
		compiled, err := Compile("warn.cu", "__global__ void f() { int unused; }", o)
		if err != nil || !strings.Contains(compiled.Log, "warn.cu(1)") {
			t.Errorf("cached %v: log %q, %v", compiled.Cached, compiled.Log, err)
		}
	}
}

func TestCache(t *testing.T) {
	t.Parallel()
	needCompiler(t)
	folder := filepath.Join(t.TempDir(), "a", "b")
	o := CompileOptions{Arch: "sm_90", Defines: []string{"FACTOR=3"}, Cache: folder}
	compile := func(cached bool, source string, o CompileOptions) Compiled {
		t.Helper()
		c, err := Compile("add.cu", source, o)
		if err != nil || c.Cached != cached {
			t.Fatalf("cached %v, %v; want %v", c.Cached, err, cached)
		}
		return c
	}
	first := compile(false, addSource, o)
	if again := compile(true, addSource, o); !bytes.Equal(first.Image, again.Image) {
		t.Error("another image comes from the cache")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	flipped := slices.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	for what, damaged := range map[string][]byte{"empty": nil, "short": whole[:20], "cut": whole[:len(whole)-1], "longer": append(slices.Clone(whole), 0), "flipped": flipped} {
		if err := os.WriteFile(files[0], damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		if c := compile(false, addSource, o); !bytes.Equal(first.Image, c.Image) {
			t.Errorf("%s: another image", what)
		}
		compile(true, addSource, o)
	}
	compile(false, addSource+" ", o)
	compile(false, addSource, CompileOptions{Arch: "sm_80", Defines: o.Defines, Cache: folder})
	compile(false, addSource, CompileOptions{Arch: "sm_90", Defines: []string{"FACTOR=4"}, Cache: folder})
}

// The name of a file in the cache depends on all that decides on the compiled
// form, and on where one part ends and the next begins.
func TestCacheKey(t *testing.T) {
	t.Parallel()
	type parts struct {
		name, source     string
		options          []string
		compiler, driver string
	}
	name := func(p parts) string { return key(p.name, p.source, p.options, p.compiler, p.driver) }
	base := parts{"a.cu", "x", []string{"--gpu-architecture=sm_90", "-DA"}, "11.8", "12020"}
	seen := map[string]parts{name(base): base}
	for _, p := range []parts{
		{"b.cu", base.source, base.options, base.compiler, base.driver},
		{base.name, "y", base.options, base.compiler, base.driver},
		{base.name, base.source, []string{"--gpu-architecture=sm_80", "-DA"}, base.compiler, base.driver},
		{base.name, base.source, []string{"--gpu-architecture=sm_90", "-DB"}, base.compiler, base.driver},
		{base.name, base.source, []string{"-DA", "--gpu-architecture=sm_90"}, base.compiler, base.driver},
		{base.name, base.source, base.options[:1], base.compiler, base.driver},
		{base.name, base.source, base.options, "12.4", base.driver},
		{base.name, base.source, base.options, base.compiler, "13000"},
		{"a.c", "ux", base.options, base.compiler, base.driver},
		{base.name, base.source, append(slices.Clone(base.options), base.compiler), base.driver, ""},
	} {
		if other, ok := seen[name(p)]; ok {
			t.Errorf("%q and %q have one name", p, other)
		}
		seen[name(p)] = p
	}
	if name(base) != name(parts{"a.cu", "x", slices.Clone(base.options), "11.8", "12020"}) {
		t.Error("the same parts have another name")
	}
}

// What a process that was killed has left half-written is neither read nor in
// the way.
func TestCacheHalfWritten(t *testing.T) {
	t.Parallel()
	e := entry{folder: t.TempDir(), key: key("a.cu", "x", nil)}
	want := Compiled{Image: []byte("image"), Log: "a warning"}
	if err := os.WriteFile(e.path()+".tmp", []byte("half"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, ok := e.load(); ok {
		t.Error("something is read before anything is written")
	}
	if err := e.store(want); err != nil {
		t.Fatal(err)
	}
	got, ok := e.load()
	if !ok || !got.Cached || got.Log != want.Log || !bytes.Equal(got.Image, want.Image) {
		t.Errorf("%+v, %v", got, ok)
	}
	// A file of another key is not taken for this one's, however whole it is.
	if _, ok := (entry{folder: e.folder, key: key("a.cu", "y", nil)}).load(); ok {
		t.Error("another key's file is read")
	}
	if err := os.Remove(e.path()); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(e.path(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := e.store(want); err == nil {
		t.Error("a folder in the place of the file is overwritten")
	}
	if left, _ := filepath.Glob(filepath.Join(e.folder, "*")); len(left) != 2 {
		t.Errorf("a failed write has left %v", left)
	}
}

// What cannot be cached is compiled all the same, and the log says why.
func TestCacheThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	needCompiler(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := Compile("add.cu", addSource, CompileOptions{Arch: "sm_90", Defines: []string{"FACTOR=3"}, Cache: file})
	if err != nil || len(c.Image) == 0 || !strings.Contains(c.Log, "not cached") {
		t.Errorf("log %q, %v", c.Log, err)
	}
}

func TestCompileIsConcurrent(t *testing.T) {
	t.Parallel()
	needCompiler(t)
	o := CompileOptions{Arch: "sm_90", Defines: []string{"FACTOR=5"}, Cache: t.TempDir()}
	errs := make(chan error)
	for range 8 {
		go func() {
			_, err := Compile("add.cu", addSource, o)
			errs <- err
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if files, err := filepath.Glob(filepath.Join(o.Cache, "*")); err != nil || len(files) != 1 {
		t.Errorf("eight writers of one file have left %v, %v", files, err)
	}
}

func TestCompilerThatIsNotThere(t *testing.T) {
	t.Parallel()
	if _, err := openNVRTC("/nowhere/libnvrtc.so.12"); err == nil || !strings.Contains(err.Error(), "/nowhere/libnvrtc.so.12") {
		t.Errorf("no library: %v", err)
	}
	if _, err := openNVRTC("libm.so.6"); err == nil || !strings.Contains(err.Error(), "nvrtcVersion") {
		t.Errorf("another library: %v", err)
	}
}
