package emulator

import (
	"bytes"
	_ "embed" // the headers
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

var (
	//go:embed emulator.h
	plain string
	//go:embed emulator.cuh
	cuda string
	//go:embed translate.go
	translator string
)

// headers are what stands before every source.
var headers = plain + cuda

// Form is what decides, beside the compiler, on what a source is compiled to: one
// that is kept from an earlier build of this package is of no use to another.
var Form = strings.Join(append(append([]string{headers, translator}, options...), libraries...), "\n")

const compiler = "g++"

// ErrNoCompiler says that there is no g++.
var ErrNoCompiler = errors.New("the emulated device needs g++")

// Version returns the version of the compiler.
func Version() (string, error) {
	out, err := exec.Command(compiler, "-dumpfullversion").Output()
	if err != nil {
		return "", fmt.Errorf("%w (%w)", ErrNoCompiler, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// options make C++ mean what CUDA C means: numbers wrap around, any array may be
// read as another type, floats are rounded at every step. -Og compiles in two thirds of
// the time of -O1, which is most of what short tests take; modules run as fast.
var options = []string{"-std=c++17", "-Og", "-fPIC", "-shared", "-nostdlib", "-fno-exceptions", "-fno-rtti", "-fno-strict-aliasing", "-fwrapv",
	"-ffp-contract=off", "-fvisibility=hidden", "-fno-asynchronous-unwind-tables", "-w", "-D__CUDA_ARCH__=900"}

// libraries are those that a module may need beside what the process has, and no others:
// to link is a tenth of the time.
var libraries = []string{"-lm", "-lgcc"}

// A CompileError is what g++ says of a source.
type CompileError struct{ Log string }

func (e *CompileError) Error() string { return e.Log }

// Compile makes a shared object of a source. Name stands for it in messages.
func Compile(name, source string, defines []string) (image []byte, err error) {
	text, err := Translate(source)
	if err != nil {
		return nil, &CompileError{name + ": " + err.Error()}
	}
	folder, err := os.MkdirTemp("", "gopregel-emulator-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	object := filepath.Join(folder, "module.so")
	arguments := append([]string(nil), options...)
	for _, d := range defines {
		arguments = append(arguments, "-D"+d)
	}
	c := exec.Command(compiler, append(append(arguments, "-x", "c++", "-", "-o", object), libraries...)...)
	c.Stdin = strings.NewReader(fmt.Sprintf("%s\n#line 1 %q\n%s", headers, name, text))
	var log bytes.Buffer
	c.Stderr = &log
	switch err := c.Run(); err.(type) {
	case nil:
	case *exec.ExitError:
		return nil, &CompileError{strings.TrimSpace(log.String())}
	default:
		return nil, fmt.Errorf("%w (%w)", ErrNoCompiler, err)
	}
	return os.ReadFile(object)
}
