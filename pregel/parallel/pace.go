package parallel

import "time"

// Pace finds out whether the steps of a loop take less time when one goroutine does
// them alone or when several do them together, each step as the other would. Which it
// is depends on how much a step is, and on what else the machine has to do: who has
// lost its processor to another process is waited for, for longer than a thousand small
// steps take.
//
// Steps are taken in blocks; the way that took less for the same work is kept, and the
// other tried again from time to time, ever more rarely; if that is to do them together,
// a step may take a hundred times as long. A block of those ends with the first
// such step. The zero value begins with steps alone.
type Pace struct {
	together bool // the block's way
	steps    int  // of the block
	work     uint64
	took     time.Duration
	cost     [2]float64 // nanoseconds a unit of work, alone and together; 0: not known
	kept     int        // blocks since the other way was tried
	keep     int        // blocks together until the next trial; 0: togetherKept
	patience int        // blocks alone until the next trial; 0: firstPatience
}

const (
	// Steps of a block. What it costs alone is asked often, as a step of a search that
	// grows costs less and less for its work.
	aloneBlock    = 8
	togetherBlock = 32
	// Those who help have to be woken first.
	paceWarm = 4
	// A step together may take so many times what it takes alone, and at least so long.
	paceWorst     = 4
	paceWorstTime = 200 * time.Microsecond

	togetherKept  = 4  // blocks together until the other way is tried, at first
	mostKept      = 64 // and at last
	firstPatience = 16 // likewise of blocks alone
	mostPatience  = 1024
)

// Together tells how to do the next step.
func (p *Pace) Together() bool { return p.together }

// Note says how much work a step was, and how long it took in the way that Together
// has told.
func (p *Pace) Note(work uint64, took time.Duration) {
	p.steps++
	hopeless := p.together && took > paceWorstTime && float64(took) > paceWorst*p.cost[0]*float64(work)
	if hopeless {
		p.work, p.took = 0, 0
	}
	if p.together && p.steps <= paceWarm && !hopeless {
		return
	}
	p.work += max(work, 1)
	p.took += took
	if p.steps >= togetherBlock || !p.together && p.steps >= aloneBlock || hopeless {
		p.judge()
	}
}

// judge ends a block, and chooses the way of the next.
func (p *Pace) judge() {
	way := 0
	if p.together {
		way = 1
	}
	p.cost[way] = float64(p.took) / float64(p.work)
	p.steps, p.work, p.took = 0, 0, 0
	p.kept++
	switch better := p.cost[1] != 0 && p.cost[1] < p.cost[0]; {
	case better:
		p.together, p.patience = true, 0
		if p.keep = max(p.keep, togetherKept); p.kept > p.keep {
			p.together, p.kept, p.keep = false, 0, min(2*p.keep, mostKept)
		}
	case way == 1: // together was worse
		p.together, p.kept, p.keep = false, 0, 0
		p.patience = min(2*max(p.patience, firstPatience), mostPatience)
	default:
		p.together = p.cost[1] == 0 || p.kept >= max(p.patience, firstPatience)
	}
}
