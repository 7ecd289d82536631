package plan

import (
	"bytes"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// A Memory is what a host can still give.
type Memory struct {
	Available uint64 // bytes; 0: not known
	By        string // what says so
}

// HostMemory reads how much memory this process may still take: what the system
// has available, what its control groups leave, or what is left of its address space
// (ulimit -v), whichever is least. root is the root of the file system.
func HostMemory(root fs.FS) Memory {
	m := Memory{}
	if x, ok := field(root, "proc/meminfo", "MemAvailable:"); ok {
		m = Memory{x * 1024, "MemAvailable"}
	}
	for _, dir := range groups(root) {
		left, ok := groupLeft(root, dir)
		if ok && (m.By == "" || left < m.Available) {
			m = Memory{left, "the limit of the control group"}
		}
	}
	if left, ok := addressesLeft(root); ok && (m.By == "" || left < m.Available) {
		m = Memory{left, AddressSpace}
	}
	return m
}

// AddressSpace is what a limit of the address space is called.
const AddressSpace = "the limit of the address space, ulimit -v"

// reserved addresses are what the Go runtime takes beside its heap: arenas that are not
// full, and the stacks of threads.
const reserved = 256 << 20

// addressesLeft is what the address space of the process may still grow by, if that is
// limited: beyond it the Go runtime ends the process, whatever memory there is.
func addressesLeft(root fs.FS) (uint64, bool) {
	text, err := fs.ReadFile(root, "proc/self/limits")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		rest, found := strings.CutPrefix(line, "Max address space")
		if words := strings.Fields(rest); found && len(words) > 0 {
			limit, err := strconv.ParseUint(words[0], 10, 64)
			used, _ := field(root, "proc/self/status", "VmSize:")
			return limit - min(limit, 1024*used+reserved), err == nil // else it is "unlimited"
		}
	}
	return 0, false
}

// groups lists the folders of the control groups that the process is in, with
// those above them.
func groups(root fs.FS) (dirs []string) {
	text, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		base := "sys/fs/cgroup"
		switch {
		case parts[1] == "":
		case strings.Contains(","+parts[1]+",", ",memory,"):
			base = "sys/fs/cgroup/memory"
		default:
			continue
		}
		for own := strings.Trim(parts[2], "/"); ; own = path.Dir(own) {
			if own == "." || own == "" {
				dirs = append(dirs, base)
				break
			}
			dirs = append(dirs, path.Join(base, own))
		}
	}
	return dirs
}

// groupLeft is what a group may still take; files it keeps in memory can go.
func groupLeft(root fs.FS, dir string) (uint64, bool) {
	limit, ok := number(root, path.Join(dir, "memory.max"))
	used, _ := number(root, path.Join(dir, "memory.current"))
	cached, _ := field(root, path.Join(dir, "memory.stat"), "inactive_file")
	if !ok {
		if limit, ok = number(root, path.Join(dir, "memory.limit_in_bytes")); !ok {
			return 0, false
		}
		used, _ = number(root, path.Join(dir, "memory.usage_in_bytes"))
		cached, _ = field(root, path.Join(dir, "memory.stat"), "total_inactive_file")
	}
	used -= min(used, cached)
	return limit - min(limit, used), limit < 1<<62 // version 1 writes a huge number for none
}

func number(root fs.FS, name string) (uint64, bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	x, err := strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64)
	return x, err == nil
}

// field reads the number behind a name at the begin of a line.
func field(root fs.FS, name, key string) (uint64, bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) >= 2 && words[0] == key {
			x, err := strconv.ParseUint(words[1], 10, 64)
			return x, err == nil
		}
	}
	return 0, false
}
