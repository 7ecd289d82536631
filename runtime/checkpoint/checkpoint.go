// Package checkpoint keeps the state of a job in files, so that another process can
// go on where one was ended.
//
// A Store is the pregel.Checkpointer of one job, with a folder of its own. At the
// barriers that Options choose it writes a file for the state there (write.go): to a
// temporary name, synced, renamed, so that a file is visible only when it is
// complete. The newest few are left. When a job is resumed, the newest that is whole is
// taken (read.go); of those that are not, Problems says what is wrong with them. A
// checkpoint is bound to what it is of, by the facts that it holds (Fact): one of
// another graph, program, parameter or version is an error that names them, and no
// older one is tried.
//
// # The file
//
//	magic "PREGELCK", version, length and CRC-32C of the header
//	header, JSON: facts, engine, place in the job, and the sections with their Go
//	types, lengths and CRC-32C
//	sections: values, awake, waiting, settled, to, messages, one for each aggregator,
//	each variable kept and each part of the last Commit, as they lie in memory,
//	little-endian; after a Commit, or within a phase, its parts alone
//
// Every byte is covered by a checksum or compared, and the length is known: a file
// that is cut, longer, or changed anywhere is found out before any of it is used. The
// form is the same for all engines.
package checkpoint

import (
	"fmt"
	"strings"
	"time"
)

// A Fact is something that the rest of a run depends on and that must be the same
// when it goes on.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Options say where, when and of what checkpoints are kept.
type Options struct {
	Dir string
	// One is due after so many supersteps, or after so much time since the last was
	// complete; 0: not for that reason.
	Supersteps int
	Interval   time.Duration
	Count      int // how many stay; at least 1
	Of         []Fact
	// Engine is the engine's name, with the device's. Strict is whether runs are to be the
	// same bit for bit: a program that adds up floats then goes on only on the engine
	// that it was begun on.
	Engine string
	Strict bool
	// Warn gets what keeps a checkpoint from being written; the run goes on. nil: it
	// ends.
	Warn func(error)
}

// A Point is where a checkpoint was made.
type Point struct {
	File       string // its path
	Supersteps int    // of the whole job
	Pieces     int    // of the phase then under way, that can be left between two
}

// A DamagedError is that of a file that is not whole.
type DamagedError struct {
	File string
	Why  string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("checkpoint %s is damaged: %s", e.File, e.Why)
}

// A MismatchError is that of a whole checkpoint of something else.
type MismatchError struct {
	File        string
	Differences []Difference
}

// A Difference is a fact that was another one then.
type Difference struct{ Name, Found, Want string }

func (e *MismatchError) Error() string {
	var words []string
	for _, d := range e.Differences {
		words = append(words, fmt.Sprintf("%s was %s then, is %s now", d.Name, or(d.Found, "not there"), or(d.Want, "not there")))
	}
	return fmt.Sprintf("checkpoint %s is of another run: %s", e.File, strings.Join(words, "; "))
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// An UnfinishedError is that of a folder with checkpoints that nobody has asked to go
// on from.
type UnfinishedError struct {
	Dir    string
	Newest Point
}

func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("%s has the checkpoints of an unfinished run, the newest after %d supersteps", e.Dir, e.Newest.Supersteps)
}

// differences compares the facts of a file with those wanted.
func differences(found, want []Fact) []Difference {
	var list []Difference
	values := map[string]string{}
	for _, f := range found {
		values[f.Name] = f.Value
	}
	for _, f := range want {
		if values[f.Name] != f.Value {
			list = append(list, Difference{f.Name, values[f.Name], f.Value})
		}
		delete(values, f.Name)
	}
	for _, f := range found {
		if value, left := values[f.Name]; left {
			list = append(list, Difference{f.Name, value, ""})
		}
	}
	return list
}
