package peer

import (
	"os/exec"
	"time"

	"gopregel/pregel/mem"
)

// lookEvery is how often a process is asked for its largest resident size. What it takes
// after it was asked last is not known of: less than a run, if it has several.
const lookEvery = 5 * time.Millisecond

// follow runs a command and returns its largest resident size in bytes, 0 where the
// system does not tell. What the system tells when a process has ended (Maxrss of Getrusage)
// is at least the size of the one that has started it.
func follow(c *exec.Cmd) (peak int64, err error) {
	if err := c.Start(); err != nil {
		return 0, err
	}
	peak = mem.PeakResidentOf(c.Process.Pid)
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case err := <-ended:
			return peak, err
		case <-look.C:
			peak = max(peak, mem.PeakResidentOf(c.Process.Pid))
		}
	}
}
