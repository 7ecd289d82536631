package parallel_test

import (
	"testing"
	"time"

	"gopregel/pregel/parallel"
)

// walk takes so many steps, each of which costs what cost says for its way, and
// returns how many were done together and what all of them took.
func walk(steps int, cost func(step int, together bool) time.Duration) (together int, took time.Duration) {
	var p parallel.Pace
	for i := range steps {
		both := p.Together()
		c := cost(i, both)
		if both {
			together++
		}
		took += c
		p.Note(1000, c)
	}
	return together, took
}

func constant(alone, both time.Duration) func(int, bool) time.Duration {
	return func(_ int, together bool) time.Duration {
		if together {
			return both
		}
		return alone
	}
}

// The faster way is taken nearly always, whichever it is, and a way that stalls now and
// then is nearly never tried.
func TestPaceKeepsToTheFaster(t *testing.T) {
	const steps, alone = 20_000, 100 * time.Microsecond
	if n, _ := walk(steps, constant(alone, alone*6/10)); n < steps*97/100 {
		t.Errorf("together is faster: taken in %d of %d steps", n, steps)
	}
	if n, _ := walk(steps, constant(alone, alone*2)); n > steps/20 {
		t.Errorf("alone is faster: together taken in %d of %d steps", n, steps)
	}
	stalls := constant(alone, 40*alone)
	if n, took := walk(steps, stalls); n > 20 || took > steps*alone*21/20 {
		t.Errorf("together is 40 times as slow: taken in %d of %d steps, %v in all; alone all would be %v", n, steps, took, steps*alone)
	}
}

// When the machine changes, so does the way, in less than the blocks without a trial.
func TestPaceFollows(t *testing.T) {
	const steps, alone = 40_000, 100 * time.Microsecond
	later := 0
	n, _ := walk(steps, func(step int, together bool) time.Duration {
		c := constant(alone, alone/2)
		if step < steps/2 {
			c = constant(alone, alone*4)
		}
		if together && step >= steps/2 {
			later++
		}
		return c(step, together)
	})
	if later < steps/4 || n-later > steps/40 {
		t.Errorf("together is slower, then faster: taken in %d and then %d of %d steps each", n-later, later, steps/2)
	}
}

// Where together was kept to for long, it is left as soon as it becomes the slower.
func TestPaceLeaves(t *testing.T) {
	const steps, alone = 40_000, 100 * time.Microsecond
	later := 0
	walk(steps, func(step int, together bool) time.Duration {
		both := alone / 2
		if step >= steps/2 {
			both = alone * 2
		}
		if together && step >= steps/2 {
			later++
		}
		return constant(alone, both)(step, together)
	})
	if later > steps/40 {
		t.Errorf("together became slower: still taken in %d of %d steps", later, steps/2)
	}
}
