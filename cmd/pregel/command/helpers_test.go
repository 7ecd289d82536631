package command

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
)

// helpers are commands that the scripts run beside pregel.
func helpers() map[string]func() {
	return map[string]func(){
		// keys FILE writes the values of a JSON file, one a line; measured numbers
		// as NUMBER.
		"keys": func() {
			var x any
			in := json.NewDecoder(bytes.NewReader(mustRead(os.Args[1])))
			in.UseNumber()
			if err := in.Decode(&x); err != nil {
				log.Fatal(err)
			}
			if in.More() {
				log.Fatal("something stands behind the JSON value")
			}
			lines := flatten("", x)
			slices.Sort(lines)
			fmt.Println(strings.Join(lines, "\n"))
		},
		// gzip-cut IN OUT compresses, and leaves out the end.
		"gzip-cut": func() {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			if _, err := z.Write(bytes.Repeat(mustRead(os.Args[1]), 1000)); err != nil {
				log.Fatal(err)
			}
			z.Close()
			mustWrite(os.Args[2], b.Bytes()[:b.Len()*2/3])
		},
		// cut IN OUT leaves out the last twenty bytes.
		"cut": func() {
			b := mustRead(os.Args[1])
			mustWrite(os.Args[2], b[:len(b)-20])
		},
		// rubbish OUT writes bytes that mean nothing.
		"rubbish": func() {
			random := rand.NewChaCha8([32]byte{1})
			b := make([]byte, 4096)
			random.Read(b)
			mustWrite(os.Args[1], append([]byte{0xfe}, b...))
		},
		// flip FILE turns round a bit in the middle.
		"flip": func() {
			b := mustRead(os.Args[1])
			b[len(b)/2] ^= 4
			mustWrite(os.Args[1], b)
		},
	}
}

func mustRead(path string) []byte {
	b, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	return b
}

func mustWrite(path string, b []byte) {
	if err := os.WriteFile(path, b, 0o644); err != nil {
		log.Fatal(err)
	}
}

func flatten(path string, x any) (lines []string) {
	join := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
	switch v := x.(type) {
	case map[string]any:
		for name, inner := range v {
			lines = append(lines, flatten(join(name), inner)...)
		}
	case []any:
		for i, inner := range v {
			lines = append(lines, flatten(join(fmt.Sprint(i)), inner)...)
		}
	case nil:
		return []string{path + " null"}
	default:
		if measured(path) {
			x = "NUMBER"
		}
		return []string{fmt.Sprintf("%s %v", path, x)}
	}
	return lines
}

func measured(path string) bool {
	return strings.HasPrefix(path, "times_seconds.") || strings.HasSuffix(path, "_per_second") || path == "peak_bytes"
}
