package command

import (
	"fmt"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// A tracer runs a process and fails one of its operations on files, as the kernel
// would: by ptrace, so that nothing in what is tested is there for the test.
//
// The process asks for it by looking for files that are not there:
// /fault/begin/KIND/N arms the tracer, which then counts the operations on files
// below root and fails number N, from 1 on; /fault/end ends that, and is said to
// exist if an operation has been failed.
type tracer struct {
	root    string
	threads map[int]*thread
	files   map[int]string // descriptors of files below root

	kind  string
	count int
	left  int  // until the one that fails; 0: none is to
	hit   bool // it has failed
	full  bool // after a short write all writes fail
	ops   map[string]int
}

// A thread is between the entry and the exit of a system call, or outside.
type thread struct {
	inside bool
	regs   syscall.PtraceRegs // at the entry
	result int64              // what the call is to return, if it is not 0
	path   string
}

const (
	sysRename   = 82
	noThread    = 0x20000000 // __WNOTHREAD: children of other threads are not ours
	exitKill    = 0x100000   // PTRACE_O_EXITKILL
	failedCall  = ^uint64(0)
	atDirectory = "/fault/"
)

// operations are the system calls that can fail, and how. Removing a file cannot:
// who cleans up after a fault has nothing better to do.
var operations = map[uint64]struct {
	name  string
	path  int // which argument is a path; 0: the first is a descriptor
	errno syscall.Errno
}{
	syscall.SYS_OPENAT: {"open", 2, syscall.EIO}, syscall.SYS_NEWFSTATAT: {"stat", 2, syscall.EIO}, syscall.SYS_READLINKAT: {"readlink", 2, syscall.EIO},
	syscall.SYS_RENAMEAT: {"rename", 2, syscall.EIO}, 316: {"rename", 2, syscall.EIO}, sysRename: {"rename", 1, syscall.EIO},
	syscall.SYS_READ: {"read", 0, syscall.EIO}, syscall.SYS_PREAD64: {"read", 0, syscall.EIO}, syscall.SYS_FSTAT: {"stat", 0, syscall.EIO},
	syscall.SYS_WRITE: {"write", 0, syscall.ENOSPC}, syscall.SYS_PWRITE64: {"write", 0, syscall.ENOSPC},
	syscall.SYS_FSYNC: {"sync", 0, syscall.EIO}, syscall.SYS_FCHMOD: {"chmod", 0, syscall.EPERM}, syscall.SYS_CLOSE: {"close", 0, syscall.EIO},
	syscall.SYS_MMAP: {"map", 0, syscall.ENOMEM},
}

// run runs the process to its end and returns its exit status.
func (t *tracer) run(c *exec.Cmd) (int, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	t.threads, t.files, t.ops = map[int]*thread{}, map[int]string{}, map[string]int{}
	c.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := c.Start(); err != nil {
		return 0, fmt.Errorf("ptrace: %w", err)
	}
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(c.Process.Pid, &status, syscall.WALL, nil); err != nil {
		return 0, err
	}
	err := syscall.PtraceSetOptions(c.Process.Pid, syscall.PTRACE_O_TRACESYSGOOD|syscall.PTRACE_O_TRACECLONE|exitKill)
	if err != nil {
		return 0, err
	}
	if err := syscall.PtraceSyscall(c.Process.Pid, 0); err != nil {
		return 0, err
	}
	for {
		pid, err := syscall.Wait4(-1, &status, syscall.WALL|noThread, nil)
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return 0, err
		case status.Exited() && pid == c.Process.Pid:
			return status.ExitStatus(), nil
		case status.Signaled() && pid == c.Process.Pid:
			return 0, fmt.Errorf("ended by %v", status.Signal())
		case !status.Stopped():
			delete(t.threads, pid)
			continue
		}
		signal := 0
		switch s := status.StopSignal(); s {
		case syscall.SIGTRAP | 0x80:
			t.call(pid)
		case syscall.SIGTRAP, syscall.SIGSTOP: // of a clone, and of the thread that it has made
		default:
			signal = int(s)
		}
		_ = syscall.PtraceSyscall(pid, signal) // a thread that is gone is waited for
	}
}

// call is at the entry or the exit of a system call.
func (t *tracer) call(pid int) {
	h := t.threads[pid]
	if h == nil {
		h = &thread{}
		t.threads[pid] = h
	}
	h.inside = !h.inside
	if h.inside {
		if syscall.PtraceGetRegs(pid, &h.regs) == nil {
			h.result, h.path = 0, ""
			t.enter(pid, h)
		}
		return
	}
	var regs syscall.PtraceRegs
	if syscall.PtraceGetRegs(pid, &regs) != nil {
		return
	}
	if h.result != 0 {
		regs.Rax = uint64(h.result)
		_ = syscall.PtraceSetRegs(pid, &regs)
	}
	t.leave(h, int64(regs.Rax))
}

func argument(r *syscall.PtraceRegs, i int) uint64 {
	return [...]uint64{0, r.Rdi, r.Rsi, r.Rdx, r.R10, r.R8}[i]
}

func (t *tracer) enter(pid int, h *thread) {
	op, known := operations[h.regs.Orig_rax]
	if !known {
		return
	}
	descriptor := h.regs.Rdi
	if h.regs.Orig_rax == syscall.SYS_MMAP {
		descriptor = h.regs.R8
	}
	if op.path > 0 {
		h.path = text(pid, argument(&h.regs, op.path))
		if words, ok := strings.CutPrefix(h.path, atDirectory); ok {
			t.mark(h, strings.Split(words, "/"))
			return
		}
		if !strings.HasPrefix(h.path, t.root) {
			return
		}
	} else if t.files[int(int32(descriptor))] == "" {
		return
	}
	t.operation(pid, h, op.name, op.errno)
}

// mark arms and disarms.
func (t *tracer) mark(h *thread, words []string) {
	switch words[0] {
	case "begin":
		t.kind = words[1]
		t.left, _ = strconv.Atoi(words[2])
		t.hit, t.full = false, false
	case "end":
		t.left, t.full = 0, false
		h.result = -int64(syscall.ENOENT)
		if t.hit {
			h.result = -int64(syscall.EEXIST)
		}
	}
}

// operation counts one and fails it if it is the one, or if the disk is full.
func (t *tracer) operation(pid int, h *thread, name string, errno syscall.Errno) {
	if t.full && name == "write" {
		t.fail(pid, h, errno)
		return
	}
	if t.left == 0 || t.kind == "short" && name != "write" {
		return
	}
	t.count++
	if t.left--; t.left > 0 {
		return
	}
	t.hit = true
	t.ops[name]++
	switch {
	case t.kind == "short" && h.regs.Rdx > 1:
		h.regs.Rdx /= 2
		t.full = true
		_ = syscall.PtraceSetRegs(pid, &h.regs)
	case name == "close": // the descriptor is gone all the same
		h.result = -int64(errno)
	default:
		t.fail(pid, h, errno)
	}
}

// fail has the kernel do nothing.
func (t *tracer) fail(pid int, h *thread, errno syscall.Errno) {
	regs := h.regs
	regs.Orig_rax = failedCall
	_ = syscall.PtraceSetRegs(pid, &regs)
	h.result = -int64(errno)
}

// leave keeps the list of descriptors.
func (t *tracer) leave(h *thread, result int64) {
	switch h.regs.Orig_rax {
	case syscall.SYS_OPENAT:
		if result >= 0 && strings.HasPrefix(h.path, t.root) {
			t.files[int(result)] = h.path
		}
	case syscall.SYS_CLOSE:
		delete(t.files, int(h.regs.Rdi))
	}
}

// text reads a string of the process.
func text(pid int, address uint64) string {
	var b [4096]byte
	n, _ := syscall.PtracePeekData(pid, uintptr(address), b[:256])
	s, _, found := strings.Cut(string(b[:n]), "\x00")
	if !found {
		return ""
	}
	return s
}
