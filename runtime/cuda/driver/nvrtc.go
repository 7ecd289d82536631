//go:build cuda && cgo

package driver

// #cgo CFLAGS: -I${SRCDIR}/include
// #cgo LDFLAGS: -lcuda -ldl
// #include "nvrtc_api.h"
// #include <stdlib.h>
import "C"

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// nvrtcNames are the names of the library, newest first, and 11.2 stands for
// 11.2 to 11.8.
var nvrtcNames = []string{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"}

const nvrtcFailedCompilation = 6

// A compiler is NVRTC.
type compiler struct {
	api          *C.pregel_nvrtc // in C memory
	path         string
	major, minor int
	archs        []int // ascending: 90 for sm_90
}

// nvrtc opens the library at first use.
var nvrtc = sync.OnceValues(openCompiler)

// nvrtcPaths lists where the library is looked for: the toolkit that the user
// names, the loader's own places, the usual toolkit.
func nvrtcPaths() []string {
	var paths []string
	add := func(folder string) {
		for _, name := range nvrtcNames {
			paths = append(paths, filepath.Join(folder, name))
		}
	}
	if home := os.Getenv("CUDA_HOME"); home != "" {
		add(filepath.Join(home, "lib64"))
	}
	add("")
	add("/usr/local/cuda/lib64")
	add("/opt/cuda/lib64")
	return paths
}

func openCompiler() (*compiler, error) {
	var tried []string
	for _, path := range nvrtcPaths() {
		c, err := openNVRTC(path)
		if err == nil {
			return c, nil
		}
		tried = append(tried, "  "+err.Error())
	}
	return nil, fmt.Errorf("CUDA's compiler NVRTC is not there: install a CUDA toolkit (its part cuda-nvrtc, on Debian libnvrtc11.2), or set CUDA_HOME or LD_LIBRARY_PATH; tried\n%s", strings.Join(slices.Compact(tried), "\n"))
}

func openNVRTC(path string) (*compiler, error) {
	c := &compiler{path: path, api: (*C.pregel_nvrtc)(C.malloc(C.size_t(unsafe.Sizeof(C.pregel_nvrtc{}))))}
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	if text := C.pregel_nvrtc_open(c.api, name); text != nil {
		err := errors.New(C.GoString(text))
		C.free(unsafe.Pointer(c.api))
		return nil, err
	}
	var major, minor, n C.int
	if err := c.check(C.pregel_nvrtc_version(c.api, &major, &minor), "nvrtcVersion()"); err != nil {
		return nil, err
	}
	if err := c.check(C.pregel_nvrtc_arch_count(c.api, &n), "nvrtcGetNumSupportedArchs()"); err != nil {
		return nil, err
	}
	list := make([]C.int, max(n, 1))
	if err := c.check(C.pregel_nvrtc_archs(c.api, &list[0]), "nvrtcGetSupportedArchs()"); err != nil {
		return nil, err
	}
	for _, arch := range list[:n] {
		c.archs = append(c.archs, int(arch))
	}
	slices.Sort(c.archs)
	c.major, c.minor = int(major), int(minor)
	return c, nil
}

func (c *compiler) version() string { return fmt.Sprintf("%d.%d", c.major, c.minor) }

// check makes an error of a call's result.
func (c *compiler) check(result C.int, call string) error {
	if result == 0 {
		return nil
	}
	return fmt.Errorf("NVRTC (%s): %s: %s (%d)", c.path, call, C.GoString(C.pregel_nvrtc_error(c.api, result)), int(result))
}

// compile runs NVRTC. Without ptx the image is a cubin.
func (c *compiler) compile(name, source string, options []string, ptx bool) (image []byte, log string, err error) {
	texts := make([]*C.char, len(options)+2)
	for i, s := range slices.Concat([]string{source, name}, options) {
		texts[i] = C.CString(s)
		defer C.free(unsafe.Pointer(texts[i]))
	}
	var program unsafe.Pointer
	if err := c.check(C.pregel_nvrtc_create(c.api, &program, texts[0], texts[1]), fmt.Sprintf("nvrtcCreateProgram(%q)", name)); err != nil {
		return nil, "", err
	}
	defer C.pregel_nvrtc_destroy(c.api, &program)
	result := C.pregel_nvrtc_compile(c.api, program, C.int(len(options)), unsafe.SliceData(append(texts[2:], nil)))
	log, err = c.log(program)
	switch {
	case err != nil:
		return nil, "", err
	case result == nvrtcFailedCompilation:
		return nil, "", &CompileError{Name: name, Log: log}
	case result != 0:
		return nil, "", fmt.Errorf("%w\n%s", c.check(result, fmt.Sprintf("nvrtcCompileProgram(%q, %q)", name, options)), log)
	}
	image, err = c.image(program, ptx)
	return image, log, err
}

func (c *compiler) log(program unsafe.Pointer) (string, error) {
	var n C.size_t
	if err := c.check(C.pregel_nvrtc_log_size(c.api, program, &n), "nvrtcGetProgramLogSize()"); err != nil {
		return "", err
	}
	text := make([]byte, max(n, 1))
	err := c.check(C.pregel_nvrtc_log(c.api, program, (*C.char)(unsafe.Pointer(&text[0]))), "nvrtcGetProgramLog()")
	return strings.TrimRight(string(text), "\x00\n "), err
}

func (c *compiler) image(program unsafe.Pointer, ptx bool) ([]byte, error) {
	form := C.int(0)
	if ptx {
		form = 1
	}
	var n C.size_t
	if err := c.check(C.pregel_nvrtc_image_size(c.api, program, form, &n), "nvrtcGetCUBINSize()"); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, fmt.Errorf("NVRTC (%s) gave an empty image", c.path)
	}
	image := make([]byte, n)
	return image, c.check(C.pregel_nvrtc_image(c.api, program, form, (*C.char)(unsafe.Pointer(&image[0]))), "nvrtcGetCUBIN()")
}
