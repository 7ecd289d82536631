package checkpoint

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"

	"gopregel/pregel"
	"gopregel/pregel/atomicfile"
)

const (
	magic         = "PREGELCK"
	version       = 2
	preambleBytes = len(magic) + 12
	mostHeader    = 1 << 24
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A header says what a checkpoint is of, where it was made, and what follows.
type header struct {
	Of         []Fact    `json:"of"`
	Engine     string    `json:"engine"`
	Exact      bool      `json:"exact"`
	Bound      bool      `json:"bound"`
	Program    string    `json:"program"`
	Run        int       `json:"run"`
	Before     int       `json:"before"`
	Supersteps int       `json:"supersteps"`
	Pieces     int       `json:"pieces"`
	PartsRun   int       `json:"parts_run"`
	PartsAfter int       `json:"parts_after"`
	Priority   uint64    `json:"priority"`
	Metric     metric    `json:"metric"`
	Sections   []section `json:"sections"`
}

// A metric has its numbers as bits: they may be no number.
type metric struct {
	Name      string `json:"name"`
	Value     uint64 `json:"value_bits"`
	Tolerance uint64 `json:"tolerance_bits"`
}

// headerOf describes a state, with the sums of its sections.
func (s *Store) headerOf(at pregel.Mark, state *pregel.State) (header, error) {
	list, _, err := sections(state)
	if err != nil {
		return header{}, err
	}
	for i := range list {
		raw := list[i].raw()
		list[i].Bytes, list[i].Sum = int64(len(raw)), crc32.Checksum(raw, castagnoli)
	}
	m := state.Metric
	return header{Of: s.Of, Engine: s.Engine, Exact: state.Exact, Bound: state.Bound, Program: state.Program, Run: state.Run, Before: state.Before,
		Supersteps: state.Supersteps, Pieces: at.Pieces, PartsRun: state.PartsRun, PartsAfter: state.PartsBefore,
		Priority: state.Priority, Sections: list,
		Metric: metric{m.Name, math.Float64bits(m.Value), math.Float64bits(m.Tolerance)}}, nil
}

// preamble is what comes before the header.
func preamble(text []byte) []byte {
	b := []byte(magic)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(text, castagnoli))
}

// write makes the file of a state.
func (s *Store) write(path string, at pregel.Mark, state *pregel.State) error {
	h, err := s.headerOf(at, state)
	if err != nil {
		return err
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if len(text) > mostHeader {
		return fmt.Errorf("a header of %d bytes, at most %d fit", len(text), mostHeader)
	}
	file, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer file.Discard()
	s.reached("created")
	if _, err := file.Write(append(preamble(text), text...)); err != nil {
		return err
	}
	s.reached("header")
	for i := range h.Sections {
		if _, err := file.Write(h.Sections[i].raw()); err != nil {
			return err
		}
		s.reached(h.Sections[i].Name)
	}
	if err := file.Prepare(); err != nil {
		return err
	}
	s.reached("synced")
	if err := file.Commit(); err != nil {
		return err
	}
	s.reached("renamed")
	return nil
}

// reached tells tests how far the writing is.
func (s *Store) reached(stage string) {
	if s.stage != nil {
		s.stage(stage)
	}
}
