package peer

import (
	"fmt"
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
	const naps = "for i in $(seq $1); do sleep 0.05; done"
	for _, c := range []struct {
		script      string
		least, most int64
	}{
		{naps, 1 << 10, large / 2},
		{"dd if=/dev/zero of=/dev/null bs=128M count=2; " + naps, 1 << 10, large / 2}, // that of the shell
		{"exec dd if=/dev/zero of=/dev/null bs=128M count=$((8 * $1))", large, large * 3 / 2},
	} {
		// Where others have the machine it may be over before it is looked at: the next has
		// more to do.
		for times := 1; ; times *= 4 {
			peak, err := follow(exec.Command("sh", "-c", c.script, "sh", fmt.Sprint(times)))
			if err == nil && peak >= c.least && peak <= c.most {
				break
			}
			if t.Logf("%s, %d: %d bytes, %v; want %d to %d (this test has %d)", c.script, times, peak, err, c.least, c.most, len(own)); times > 50 {
				t.Fatal("it is not known what that takes")
			}
		}
	}
	if _, err := follow(exec.Command("sh", "-c", "exit 3")); err == nil || err.Error() != "exit status 3" {
		t.Errorf("of one that fails: %v", err)
	}
	if _, err := follow(exec.Command("./nobody")); err == nil {
		t.Error("of one that is not there: no error")
	}
}
