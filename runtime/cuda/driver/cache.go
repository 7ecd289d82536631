//go:build (cuda || emulate) && cgo

package driver

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"gopregel/pregel/atomicfile"
)

// The cache holds a file for each compiled form, named by all that decides on
// it: the SHA-256 of magic and content, then the content: the length of the log
// (8 bytes, little-endian), log, image. What does not add up is compiled again.
const cacheMagic = "gopregel compiled kernel 1\n"

// entry is the place of a compiled form in the cache.
type entry struct{ folder, key string }

// key is a name for all parts together; each is preceded by its length.
func key(name, source string, options []string, versions ...string) string {
	h := sha256.New()
	io.WriteString(h, cacheMagic)
	for _, part := range append(append([]string{name, source}, options...), versions...) {
		fmt.Fprintf(h, "%d\n%s\n", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (e entry) path() string { return filepath.Join(e.folder, e.key+".cubin") }

func checksum(content []byte) []byte {
	sum := sha256.Sum256(append([]byte(cacheMagic), content...))
	return sum[:]
}

// load returns what is stored, if it is there and whole.
func (e entry) load() (Compiled, bool) {
	if e.folder == "" {
		return Compiled{}, false
	}
	file, err := os.ReadFile(e.path())
	if err != nil || len(file) < sha256.Size+8 {
		return Compiled{}, false
	}
	sum, content := file[:sha256.Size], file[sha256.Size:]
	if !bytes.Equal(sum, checksum(content)) {
		return Compiled{}, false
	}
	n := binary.LittleEndian.Uint64(content)
	content = content[8:]
	if n >= uint64(len(content)) {
		return Compiled{}, false
	}
	return Compiled{Log: string(content[:n]), Image: content[n:], Cached: true}, true
}

// store writes the file under another name first, so that others see it whole
// or not at all.
func (e entry) store(c Compiled) error {
	if e.folder == "" {
		return nil
	}
	if err := os.MkdirAll(e.folder, 0o755); err != nil {
		return err
	}
	content := binary.LittleEndian.AppendUint64(nil, uint64(len(c.Log)))
	content = append(append(content, c.Log...), c.Image...)
	return atomicfile.Write(e.path(), func(w io.Writer) error {
		_, err := w.Write(append(checksum(content), content...))
		return err
	})
}
