package command

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"gopregel/pregel"
)

// A progress shows on a terminal how far a run is. Elsewhere (nil) it shows
// nothing. What it has drawn is gone when it is done.
type progress struct {
	bars *mpb.Progress
}

// newProgress returns nil unless on.
func newProgress(w io.Writer, on bool) *progress {
	if !on {
		return nil
	}
	return &progress{mpb.New(mpb.WithOutput(w), mpb.WithWidth(40))}
}

// close waits until nothing is drawn any more. All that was begun must be done.
func (p *progress) close() {
	if p != nil {
		p.bars.Wait()
	}
}

// loading shows a bar of bytes, or of whatever done and total count. tell may
// be called from several goroutines at once, in any order.
func (p *progress) loading(what string) (tell func(done, total int64), done func()) {
	if p == nil {
		return func(_, _ int64) {}, func() {}
	}
	return p.bar("loading " + what)
}

// writing shows a bar as loading does.
func (p *progress) writing(what string) (tell func(done, total int64), done func()) {
	if p == nil {
		return func(_, _ int64) {}, func() {}
	}
	return p.bar("writing " + what)
}

func (p *progress) bar(title string) (tell func(done, total int64), done func()) {
	bar := p.bars.New(0, mpb.BarStyle(),
		mpb.PrependDecorators(decor.Name(title+" ")),
		mpb.AppendDecorators(decor.NewPercentage("%3d"), decor.Elapsed(decor.ET_STYLE_MMSS, decor.WCSyncSpace)))
	var most atomic.Int64
	return func(done, total int64) {
		for old := most.Load(); done > old; old = most.Load() {
			if most.CompareAndSwap(old, done) {
				bar.SetTotal(max(total, done+1), false) // never complete: done removes it
				bar.SetCurrent(done)
			}
		}
	}, func() { bar.Abort(true) }
}

// supersteps shows the last superstep: how many vertices are awake, and how far
// its metric is from the tolerance.
func (p *progress) supersteps(ctx context.Context, limit int) (observe func(pregel.StepRecord), done func()) {
	if p == nil {
		return func(pregel.StepRecord) {}, func() {}
	}
	var last atomic.Pointer[pregel.StepRecord]
	text := func(decor.Statistics) string {
		r := last.Load()
		switch {
		case ctx.Err() != nil:
			return "ending at the next barrier; interrupt again to end at once"
		case r == nil:
			return "starting"
		}
		return stepText(*r, limit)
	}
	line := p.bars.New(0, mpb.NopStyle(), mpb.PrependDecorators(decor.Any(text)))
	return func(r pregel.StepRecord) { last.Store(&r) }, func() { line.Abort(true) }
}

func stepText(r pregel.StepRecord, limit int) string {
	text := fmt.Sprintf("%s: superstep %d", r.Program, r.Superstep+1)
	if limit > 0 {
		text += fmt.Sprintf(" of at most %d", limit)
	}
	text += fmt.Sprintf(", %s awake", count(r.Next))
	if r.Direction != pregel.Auto {
		text += ", " + r.Direction.String()
	}
	if m := r.Metric; m.Name != "" {
		text += fmt.Sprintf(", %s %.3g", m.Name, m.Value)
		if m.Tolerance > 0 {
			text += fmt.Sprintf(" (until %.3g)", m.Tolerance)
		}
	}
	return text
}
