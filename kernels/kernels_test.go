package kernels_test

import (
	"reflect"
	"strings"
	"testing"

	"gopregel/kernels"
)

func TestEmbedded(t *testing.T) {
	if len(kernels.All()) < 2 {
		t.Fatal("sources are missing")
	}
	for _, s := range kernels.All() {
		if len(s.Entries) == 0 || strings.Contains(s.Text, "#include") || strings.Contains(s.Text, "#pragma once") {
			t.Errorf("%s: %d entry points, or headers left", s.Name, len(s.Entries))
		}
		got, err := kernels.Get(s.Name)
		if err != nil || !reflect.DeepEqual(got, s) {
			t.Errorf("%s: %v", s.Name, err)
		}
		for _, e := range s.Entries {
			if got, err := s.Entry(e.Name); err != nil || !reflect.DeepEqual(got, e) {
				t.Errorf("%s %s: %v", s.Name, e.Name, err)
			}
		}
	}
	if _, err := kernels.Get("base"); err == nil || !strings.Contains(err.Error(), "wcc") {
		t.Error(err)
	}
	if text, err := kernels.Header("base.cuh"); err != nil || !strings.Contains(text, "typedef unsigned int u32;") {
		t.Error(err)
	}
}

func TestEntries(t *testing.T) {
	s, err := kernels.Parse("a.cu", `
/* extern "C" __global__ void no(u32 n); */ // extern "C" __global__ void nor(u32 n) {}
#define KERNEL extern "C" __global__ void \
  neither(u32 n)
struct State { u32 *p; };
extern "C" __global__ void later(u32 n);
template <class T> __global__ void generic(T x) {}
extern "C" __global__ void __launch_bounds__(256, 2) one(const u32 *__restrict__ a, unsigned long long n, float x[], State s) {
  const char *text = "extern \"C\" __global__ void quoted() {}";
}
extern "C" void __global__ two() {}
extern "C" {
__device__ int f() { return 1; }
__launch_bounds__(MAX(1, 2)) __global__ void three(void) {}
__global__ void later(u32, const struct State s) {}
}
`)
	if err != nil {
		t.Fatal(err)
	}
	at := func(line int) kernels.Position { return kernels.Position{File: "a.cu", Line: line} }
	want := []kernels.Entry{
		{"one", []kernels.Param{{"const u32 *", "a"}, {"unsigned long long", "n"}, {"float *", "x"}, {"State", "s"}}, at(8)},
		{"two", nil, at(11)},
		{"three", nil, at(14)},
		{"later", []kernels.Param{{"u32", ""}, {"const struct State", "s"}}, at(15)},
	}
	if !reflect.DeepEqual(s.Entries, want) {
		t.Fatalf("got  %v\nwant %v", s.Entries, want)
	}
}

func TestErrors(t *testing.T) {
	const ok = `extern "C" __global__ void f(u32 n) {}` + "\n"
	for _, c := range []struct{ text, want string }{
		{"", "a.cu:1: no entry point"},
		{"__device__ int f(int x) { return x; }", "a.cu:1: no entry point"},
		{"\n__global__ void f(u32 n) {}", `a.cu:2: kernel f is not extern "C"`},
		{ok + ok, "a.cu:2: a second entry point f; the first is at a.cu:1"},
		{"#include \"base.cuh\"\n\n" + ok + ok, "a.cu:4: a second entry point f; the first is at a.cu:3"},
		{"\n#include \"nosuch.cuh\"\n" + ok, `a.cu:2: no header "nosuch.cuh"; there are base.cuh`},
		{"#include \"wcc.cu\"\n" + ok, `a.cu:1: no header "wcc.cu"`},
		{"#include <cuda.h>\n" + ok, "a.cu:1: #include <cuda.h>: there are no system headers"},
		{"#include base.cuh\n" + ok, `a.cu:1: #include base.cuh: want #include "NAME.cuh"`},
		{"#if 1\n#include \"base.cuh\"\n#endif\n" + ok, `a.cu:2: #include "base.cuh" within #if`},
		{ok + "extern \"C\" __global__ void g(\n  u32 n,\n  size_t m) {}", `a.cu:4: kernel g: parameter 2, "size_t m", is of type "size_t"`},
		{`extern "C" __global__ void g(u32 &n) {}`, `a.cu:1: kernel g: parameter 1`},
		{`extern "C" __global__ void g(u32 *&n) {}`, `a.cu:1: kernel g: parameter 1 is a reference`},
		{`extern "C" __global__ void g(u32 n, ) {}`, `a.cu:1: kernel g: parameter 2`},
		{`extern "C" __global__ int g(u32 n) { return 0; }`, `a.cu:1: kernel g does not return void`},
		{`extern "C" __global__ void g(u32 n {`, `a.cu:1: the parameters of kernel g have no closing`},
		{`extern "C" __global__`, `a.cu:1: the source ends after __global__`},
		{`extern "C" __global__ void;`, `a.cu:1: ";" after __global__`},
		{`extern "C" __global__ void (u32 n) {}`, `a.cu:1: "{" after __global__`},
		{"#line 7 \"b.cu\"\n__global__ void f() {}", "b.cu:7: kernel f"},
	} {
		_, err := kernels.Parse("a.cu", c.text)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
	if _, err := kernels.Parse("a\n.cu", ok); err == nil {
		t.Error("a name of two lines was accepted")
	}
	if s, err := kernels.ParseFunctions("a.cu", "__device__ int f() { return 1; }"); err != nil || len(s.Entries) != 0 {
		t.Error(s, err)
	}
}

// What follows a header keeps its own line; a header is put in once.
func TestExpand(t *testing.T) {
	text, err := kernels.Expand(`a\b".cu`, "// #include \"nosuch.cuh\"\n/*\n#include \"nosuch.cuh\"\n*/\n # include \"base.cuh\" // numbers\nint x;\n#include\"base.cuh\"\nint y;")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"#line 1 \"base.cuh\"\n", "#line 6 \"a\\\\b\\\".cu\"\nint x;\n", "#line 8 \"a\\\\b\\\".cu\"\nint y;\n"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is there %d times in\n%s", want, strings.Count(text, want), text)
		}
	}
	if again, err := kernels.ParseFunctions("b.cu", text); err != nil || len(again.Entries) != 0 {
		t.Error(err)
	}
}

func TestRegistry(t *testing.T) {
	r, err := kernels.NewRegistry(kernels.All()...)
	if err != nil {
		t.Fatal(err)
	}
	mine, err := kernels.Parse("mine", `extern "C" __global__ void f(u32 n) {}`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Get("mine"); err == nil || !strings.Contains(err.Error(), "wcc") {
		t.Error(err)
	}
	if err := r.Register(mine); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Get("mine"); err != nil || got.Entries[0].Name != "f" {
		t.Error(got, err)
	}
	if r.Register(mine) == nil || r.Register(kernels.Source{}) == nil {
		t.Error("a name was taken twice, or none")
	}
	if _, err := kernels.NewRegistry(mine, mine); err == nil {
		t.Error("a name was taken twice")
	}
}

// What Parse accepts has entry points of different names, and reads the same
// again with its headers in place.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`extern "C" __global__ void __launch_bounds__(256) f(const u32 *a, float x) {}`,
		"#include \"base.cuh\"\nextern \"C\" {\n__global__ void f(Offset *a, struct S s[]) {} }",
		"/* \\\n */ // \\\n\n#line 3 \"x\"\n'\"' \"\\\"\" struct S; extern \"C\" __global__ void f(S) {",
		"#define f /* \n extern \"C\" __global__ void g(u32) {} */", "__global__ ((", "extern \"C\" { __global__ a b < , > (u32,,)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := kernels.Parse("a.cu", text)
		if err != nil {
			return
		}
		names := map[string]bool{}
		for _, e := range s.Entries {
			if names[e.Name] || e.Name == "" {
				t.Fatalf("entry point %q, again", e.Name)
			}
			names[e.Name] = true
		}
		again, err := kernels.Parse("a.cu", s.Text)
		if err != nil || len(s.Entries) == 0 || !reflect.DeepEqual(again.Entries, s.Entries) {
			t.Fatalf("%v: %v, then %v", err, s.Entries, again.Entries)
		}
	})
}
