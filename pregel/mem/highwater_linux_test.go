package mem

import "testing"

func TestHighWater(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"Name:\tx\nVmPeak:\t  900 kB\nVmHWM:\t   21204 kB\nVmRSS:\t 1 kB\n": 21204 * 1024,
		"Name:\tx\n":            0,
		"Name:\nVmHWM: some kB": 0,
	} {
		if got := highWater([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
