//go:build cuda

package cuda_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/programs/bfs"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// faultEnv tells the test binary that it is the process with the fault.
const faultEnv = "GOPREGEL_FAULT"

// A user's kernel that writes out of bounds ends its run with an error, and not
// the process: that goes on, on the CPU at least, and ends as it should. The
// process is one of its own, so that no other test has its device taken away.
func TestFault(t *testing.T) {
	device(t)
	c := exec.Command(os.Args[0], "-test.run", "^TestFaultyProcess$", "-test.v", "-test.timeout", "60s")
	c.Env = append(os.Environ(), faultEnv+"=1", kernelsEnv+"="+kernelCache(t))
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("the process with the fault: %v\n%s", err, out)
	}
	for _, want := range []string{"the fault is reported", "then on the CPU: right", "then on the device: ", "--- PASS: TestFaultyProcess"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the process with the fault has not printed %q:\n%s", want, out)
		}
	}
	t.Logf("%s", out)
}

// TestFaultyProcess is the other process of TestFault.
func TestFaultyProcess(t *testing.T) {
	if os.Getenv(faultEnv) == "" {
		t.Skip("part of TestFault")
	}
	e := open(t, cuda.Options{})
	g := line(t, 100)
	p := &cuda.KernelProgram{Name: "wild.cu", Source: wild, Value: "uint32", Message: "uint32", Combine: "max", Edge: "copy"}
	begin := time.Now()
	_, err := p.Run(t.Context(), &pregel.Job{Graph: g, Engine: e})
	var at *pregel.ProgramError
	var call *driver.Error
	if !errors.As(err, &at) || at.Program != "wild.cu" || at.Superstep != 3 || !errors.As(err, &call) || !call.Fatal() {
		t.Fatalf("error %T: %v", err, err)
	}
	for _, part := range []string{"wild.cu", "superstep 3", call.Name} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the message does not say %q: %v", part, err)
		}
	}
	fmt.Printf("the fault is reported, after %v: %v\n", time.Since(begin).Round(time.Millisecond), err)
	leavesZeros(t, e)

	a := &bfs.BFS{Source: "0"}
	run := func(e pregel.Engine) error {
		answer, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: e})
		if err != nil {
			return err
		}
		return a.Certify(t.Context(), g, &answer.Table)
	}
	if err := run(cpu.New(cpu.Options{})); err != nil {
		t.Fatal(err)
	}
	fmt.Println("then on the CPU: right")
	switch err := run(e); {
	case err == nil:
		fmt.Println("then on the device: right")
	case !errors.As(err, &call) && !strings.Contains(err.Error(), "closed"):
		t.Fatalf("then on the device: %T: %v", err, err)
	default:
		fmt.Printf("then on the device: %v\n", err)
	}
}
