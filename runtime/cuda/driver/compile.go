//go:build cuda && cgo

package driver

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"gorgonia.org/cu"
)

// Compiler returns the version of NVRTC, such as "11.8".
func Compiler() (string, error) {
	c, err := nvrtc()
	if err != nil {
		return "", err
	}
	return c.version(), nil
}

// Compile compiles a source with NVRTC. It needs no device. Name stands for the
// source in messages, as in #line.
//
// The image is a cubin for the architecture or, when NVRTC is too old to know
// that, PTX for the newest it knows, which the driver translates at loading.
func Compile(name, source string, o CompileOptions) (Compiled, error) {
	c, err := nvrtc()
	if err != nil {
		return Compiled{}, err
	}
	target, ptx, err := c.target(o.Arch)
	if err != nil {
		return Compiled{}, fmt.Errorf("%s: %w", name, err)
	}
	options := []string{"--gpu-architecture=" + target, "--std=c++17", "-default-device"}
	for _, define := range o.Defines {
		options = append(options, "--define-macro="+define)
	}
	options = append(options, o.Flags...)
	e := entry{folder: o.Cache, key: key(name, source, options, c.version(), strconv.Itoa(cu.Version()))}
	if compiled, ok := e.load(); ok {
		return compiled, nil
	}
	image, log, err := c.compile(name, source, options, ptx)
	if err != nil {
		return Compiled{}, err
	}
	compiled := Compiled{Image: image, Log: log}
	if err := e.store(compiled); err != nil {
		compiled.Log = fmt.Sprintf("%s\nthe compiled form was not cached: %v", compiled.Log, err)
	}
	return compiled, nil
}

var archPattern = regexp.MustCompile(`^sm_([0-9]+)[a-z]?$`)

// target says for what to compile, and whether that is PTX.
func (c *compiler) target(arch string) (target string, ptx bool, err error) {
	match := archPattern.FindStringSubmatch(arch)
	if match == nil {
		return "", false, fmt.Errorf("architecture %q: should be of the form sm_90", arch)
	}
	number, err := strconv.Atoi(match[1])
	if err != nil || len(c.archs) == 0 {
		return "", false, fmt.Errorf("architecture %q: NVRTC %s knows %v", arch, c.version(), c.archs)
	}
	newest := c.archs[len(c.archs)-1]
	switch {
	case slices.Contains(c.archs, number):
		return arch, false, nil
	case number > newest:
		return fmt.Sprintf("compute_%d", newest), true, nil
	}
	return "", false, fmt.Errorf("NVRTC %s (%s) does not compile for %s, only for %v", c.version(), c.path, arch, c.archs)
}
