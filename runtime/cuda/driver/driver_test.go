package driver

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestErrorTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want string
	}{
		{&Error{Call: "cuMemAlloc(4096)", Code: 2, Name: "CUDA_ERROR_OUT_OF_MEMORY", Text: "out of memory"},
			"cuMemAlloc(4096): CUDA_ERROR_OUT_OF_MEMORY (2): out of memory"},
		{&OutOfMemory{What: "ranks", Want: 100, Free: 40, Total: 60},
			"device memory: ranks needs 100 bytes, 40 of 60 are free"},
		{&CompileError{Name: "mine.cu", Log: "mine.cu(3): error: expected a \";\""},
			"mine.cu does not compile:\nmine.cu(3): error: expected a \";\""},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%T says %q, want %q", c.err, got, c.want)
		}
	}
	if !strings.Contains(ErrNotBuilt.Error(), "make gpu") {
		t.Errorf("%q does not say what to do", ErrNotBuilt)
	}
}

func TestFatal(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]bool{0: false, 2: false, 201: false, 600: false, 700: true, 715: true, 719: true, 720: false, 801: false} {
		err := fmt.Errorf("superstep 3: %w", &Error{Code: code})
		var e *Error
		if !errors.As(err, &e) || e.Fatal() != want {
			t.Errorf("code %d: fatal %v, want %v", code, e.Fatal(), want)
		}
	}
}
