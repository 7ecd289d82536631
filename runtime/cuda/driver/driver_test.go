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
		{&Error{Call: "cuStreamSynchronize()", Code: 700, Name: "CUDA_ERROR_ILLEGAL_ADDRESS", Text: "an illegal memory access was encountered"},
			"cuStreamSynchronize(): CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory access was encountered; all that the device held is lost, and an earlier call may be the cause"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%T says %q, want %q", c.err, got, c.want)
		}
	}
	for err, what := range map[error]string{ErrNotBuilt: "make gpu", ErrLost: "close it and open it again", ErrRestart: "start the process again"} {
		if !strings.Contains(err.Error(), what) {
			t.Errorf("%q does not say what to do: %s", err, what)
		}
	}
}

func TestFatal(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]bool{0: false, 2: false, 201: false, 214: true, 600: false, 700: true, 701: false, 702: true, 704: false,
		709: true, 710: true, 712: false, 714: true, 715: true, 716: true, 717: true, 718: true, 719: true, 720: false, 801: false} {
		err := fmt.Errorf("superstep 3: %w", &Error{Code: code})
		var e *Error
		if !errors.As(err, &e) || e.Fatal() != want {
			t.Errorf("code %d: fatal %v, want %v", code, e.Fatal(), want)
		}
	}
}
