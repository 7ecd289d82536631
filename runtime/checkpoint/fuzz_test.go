package checkpoint

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
)

func smallState() *pregel.State {
	return &pregel.State{Program: "p", Supersteps: 3, Values: []struct{ A, B uint32 }{{1, 2}, {3, 4}}, Awake: bitmap.Bitmap{3}, Aggregates: []any{0.5, uint32(7)},
		Kept: []any{new(int64), &[]uint16{5, 6}}, To: []uint32{0, 1}, Messages: []float32{1, 2}}
}

// blankState shows the types of smallState.
func blankState() *pregel.State {
	return &pregel.State{Values: make([]struct{ A, B uint32 }, 2), Aggregates: []any{0.0, uint32(0)}, Kept: []any{new(int64), new([]uint16)}, Messages: []float32(nil)}
}

// FuzzRead reads what may be a file: as it is, and with its checksums put right, so
// that what lies behind them is reached. Nothing may panic, and a file that is taken
// must have sections that fill a state or are refused.
func FuzzRead(f *testing.F) {
	s := &Store{}
	path := filepath.Join(f.TempDir(), "good")
	if err := s.write(path, pregel.Mark{}, smallState()); err != nil {
		f.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add(bytes.Replace(good, []byte(`"bytes":8`), []byte(`"bytes":9`), 1))
	f.Add(bytes.Replace(good, []byte(`"bytes":16`), []byte(`"bytes":-1`), 1))
	f.Add(bytes.Replace(good, []byte(`"values"`), []byte(`"volume"`), 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, b := range [][]byte{data, repaired(data)} {
			c := &found{}
			if err := c.read(bytes.NewReader(b), int64(len(b))); err != nil {
				continue
			}
			list, finish, err := sections(blankState())
			if err != nil {
				t.Fatal(err)
			}
			if err := c.fillSections(bytes.NewReader(b), list, false); err == nil {
				finish()
			}
		}
	})
}

// repaired makes the checksums of a file what its content asks for, as far as it has
// the form of one.
func repaired(data []byte) []byte {
	if len(data) < preambleBytes {
		return nil
	}
	length := int(binary.LittleEndian.Uint32(data[len(magic)+4:]))
	if length < 0 || length > len(data)-preambleBytes {
		return nil
	}
	var h header
	if json.Unmarshal(data[preambleBytes:preambleBytes+length], &h) != nil {
		return nil
	}
	rest := data[preambleBytes+length:]
	at := 0
	for i := range h.Sections {
		s := &h.Sections[i]
		if s.Bytes < 0 || s.Bytes > int64(len(rest)-at) {
			break
		}
		s.Sum = crc32.Checksum(rest[at:at+int(s.Bytes)], castagnoli)
		at += int(s.Bytes)
	}
	text, err := json.Marshal(h)
	if err != nil {
		return nil
	}
	return append(append(preamble(text), text...), rest...)
}
