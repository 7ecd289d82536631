package emulator

import (
	"strings"
	"testing"
)

func TestTranslate(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"__shared__ u32 x;":                                                                            "typedef u32 emu_shared_0; emu_shared_0 &x = *(emu_shared_0 *)emu->shared(0, sizeof(emu_shared_0)); ",
		"__shared__ unsigned long long x[N / 32][64];":                                                 "typedef unsigned long long emu_shared_0[N / 32][64]; emu_shared_0 &x = ",
		"__shared__ u32 roots[SLOTS], n;":                                                              "emu_shared_0 &roots = *(emu_shared_0 *)emu->shared(0, sizeof(emu_shared_0)); typedef u32 emu_shared_1; emu_shared_1 &n = ",
		"extern __shared__ float list[];":                                                              "float *list = (float *)emu->dynamic();",
		`asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(x) : "l"(p) : "memory");`:                  "x = emu_acquire(p);",
		`asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));`:                                         "t = emu->time();",
		"extern \"C\" __global__ void __launch_bounds__(THREADS, 2) f(const Run r,\n u32 (*g)(u32)) {": `extern "C" void f(const Run r, u32 (*g)(u32)); EMU_ENTRY(f, THREADS, 2) extern "C" __global__ void __launch_bounds__(THREADS, 2) f(const Run r,` + "\n",
		`extern "C" __global__ void f() {}`:                                                            `extern "C" void f(); EMU_ENTRY(f, 0) extern "C" __global__ void f() {}`,
	} {
		got, err := Translate(source)
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("%s\nbecomes %s\nwant    %s\n%v", source, got, want, err)
		}
		if strings.Count(got, "\n") != strings.Count(source, "\n") {
			t.Errorf("%q: other lines than %q", got, source)
		}
	}
	if _, err := Translate("__shared__ Tree<int, float> (*x)[4];"); err == nil || !strings.Contains(err.Error(), "not emulated") {
		t.Errorf("a form that is not known: %v", err)
	}
}
