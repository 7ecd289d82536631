package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/pregel/graphio/cache"
)

// What became of the cache of a prepared graph.
const (
	cacheHit     = "hit"     // the graph and its prepared form are those of the file
	cacheWritten = "written" // they are there for later runs
	cacheNone    = "none"    // the note says why
)

// A prepareReport says on which form of the graph the program ran.
type prepareReport struct {
	Order string  `json:"order"`
	Cache string  `json:"cache"`
	File  *string `json:"file"`  // null: there can be none
	Note  *string `json:"note"`  // why nothing is kept, or what was wrong with the file that was there
	AsIs  bool    `json:"as_is"` // the program ran on the graph as it is, where it takes less time
}

func (p *prepareReport) String() string {
	text := "by " + p.Order
	switch p.Cache {
	case cacheHit:
		text += ", read from " + *p.File
	case cacheWritten:
		text += ", kept in " + *p.File
	default:
		text += ", not kept"
	}
	if p.Note != nil {
		text += ": " + *p.Note
	}
	if p.AsIs {
		text += "; not used: the program takes less time on the graph as it is"
	}
	return text
}

// A keeper finds and keeps the prepared form of a job's graph. What keeps it
// from that is noted, and no error of the run.
type keeper struct {
	place *cache.Place // nil: there is none
	took  time.Duration
	*prepareReport
}

// newKeeper returns nil for a graph that is taken in the order it has.
func newKeeper(j *job.Job) *keeper {
	if j.Prepare.Order == "none" {
		return nil
	}
	k := &keeper{prepareReport: &prepareReport{Order: j.Prepare.Order, Cache: cacheNone}}
	switch {
	case !j.Prepare.Cache:
		k.note("prepare.cache is false")
		return k
	case j.Graph.Generate != nil:
		k.note("a generated graph has no file to lie beside")
		return k
	}
	place, err := cache.Find(cache.Request{
		Path: j.GraphPath(), Options: readOptions(&j.Graph, j.Engine.Workers), Order: j.Prepare.Order, Program: libraryText(built()),
	})
	if err != nil {
		k.note("%v", err)
		return k
	}
	k.place, k.File = place, &place.Path
	return k
}

func (k *keeper) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if k.Note != nil {
		text = *k.Note + "; " + text
	}
	k.Note = &text
}

// off gives up keeping.
func (k *keeper) off(err error) {
	k.place = nil
	k.note("%v", err)
}

// restore takes graph and prepared form from the file that a former run has
// left, if it is there and good.
func (k *keeper) restore(ctx context.Context) *pregel.Prepared {
	if k.place == nil || !k.place.Exists() {
		return nil
	}
	start := time.Now()
	found, err := k.place.Read(ctx)
	k.took += time.Since(start)
	if err == nil {
		var p *pregel.Prepared
		if p, err = pregel.Restore(found.User, found.Graph); err == nil {
			p.Took, k.took = k.took, 0
			k.Cache = cacheHit
			return p
		}
		err = errors.Join(err, found.User.Close())
	}
	if !errors.Is(err, fs.ErrNotExist) { // another process may have taken it away
		k.note("%s was of no use: %v", filepath.Base(k.place.Path), err)
	}
	return nil
}

// bind looks at the graph's file before it is read, unless there is no use: in
// a folder that cannot be written to.
func (k *keeper) bind(ctx context.Context) {
	if k == nil || k.place == nil {
		return
	}
	start := time.Now()
	err := writable(k.place.Path)
	if err == nil {
		err = k.place.Bind(ctx)
	}
	k.took += time.Since(start)
	if err != nil {
		k.off(err)
	}
}

// keep writes the file for later runs. It returns the seconds that all looking
// and keeping has taken, nil where nothing of it was done.
func (k *keeper) keep(ctx context.Context, p *pregel.Prepared, bars *progress) *float64 {
	if k.place != nil {
		start := time.Now()
		err := k.write(ctx, p, bars)
		k.took += time.Since(start)
		if err != nil {
			k.off(err)
		} else {
			k.Cache = cacheWritten
		}
	}
	if k.took == 0 {
		return nil
	}
	return seconds(k.took)
}

func (k *keeper) write(ctx context.Context, p *pregel.Prepared, bars *progress) error {
	tell, done := bars.writing(filepath.Base(k.place.Path))
	defer done()
	return k.place.Write(ctx, p.User(), p.Graph, tell)
}
