package peer

import (
	"os/exec"
	"testing"
)

// What a process takes at its largest is known, whatever that takes who has started it.
func TestFollow(t *testing.T) {
	const large = 128 << 20
	own := make([]byte, 2*large)
	for i := range own {
		own[i] = byte(i)
	}
	for _, c := range []struct {
		script      string
		least, most int64
	}{
		{"sleep 0.05", 1 << 10, large / 2},
		{"dd if=/dev/zero of=/dev/null bs=128M count=2; sleep 0.05", 1 << 10, large / 2}, // that of the shell
		{"exec dd if=/dev/zero of=/dev/null bs=128M count=8", large, large * 3 / 2},
	} {
		peak, err := follow(exec.Command("sh", "-c", c.script))
		if err != nil || peak < c.least || peak > c.most {
			t.Errorf("%s: %d bytes, %v; want %d to %d (this test has %d)", c.script, peak, err, c.least, c.most, len(own))
		}
	}
	if _, err := follow(exec.Command("sh", "-c", "exit 3")); err == nil || err.Error() != "exit status 3" {
		t.Errorf("of one that fails: %v", err)
	}
	if _, err := follow(exec.Command("./nobody")); err == nil {
		t.Error("of one that is not there: no error")
	}
}
