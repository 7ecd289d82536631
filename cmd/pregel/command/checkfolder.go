package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// folder runs the tests of a package of the user's own that check programs: their
// names have Check in them. What they print is passed on.
func (k *checking) folder(ctx context.Context, dir string) error {
	if sources, err := filepath.Glob(filepath.Join(dir, "*.go")); err != nil || len(sources) == 0 {
		return input(fmt.Errorf("%s: found no Go files, allowed: the folder of a package, a job file or a program (%s)", dir, strings.Join(k.app.programNames(), ", ")))
	}
	if len(k.set) > 0 {
		return input(fmt.Errorf("--set: found a folder, whose tests set their parameters themselves; allowed: with a program or a job file"))
	}
	args := []string{"test", "-count=1", "-v", "-run", "Check"}
	if k.json {
		args = append(args, "-json")
	}
	var said bytes.Buffer
	c := exec.CommandContext(ctx, "go", append(args, ".")...)
	c.Dir = dir
	c.Env = append(os.Environ(), fmt.Sprintf("PREGELTEST_SEED=%d", k.seed))
	c.Stdout, c.Stderr = io.MultiWriter(k.app.out, &said), io.MultiWriter(k.app.err, &said)
	err := c.Run()
	var failed *exec.ExitError
	switch text := said.String(); {
	case errors.Is(err, exec.ErrNotFound):
		return input(fmt.Errorf("%s: the tests of a folder are run by Go, which is not on the PATH", dir))
	case ctx.Err() != nil:
		return ctx.Err()
	case strings.Contains(text, "[build failed]"), strings.Contains(text, "[setup failed]"), err != nil && !strings.Contains(text, "FAIL"):
		return input(fmt.Errorf("%s: its tests cannot be built", dir))
	case strings.Contains(text, "no tests to run"), strings.Contains(text, "[no test files]"):
		return input(fmt.Errorf("%s: found no test with Check in its name: write one that calls pregeltest.Check, as pregel new does", dir))
	case errors.As(err, &failed):
		return &exit{exitCertificate, fmt.Errorf("%s breaks laws; --seed %d repeats this", dir, k.seed)}
	}
	return err
}
