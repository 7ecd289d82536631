// Package conformance compares the built-in programs with answers computed by
// others: the expected outputs of LDBC Graphalytics and references for eight
// real graphs, computed with scipy, igraph and networkx. The data lie outside
// the repository (see pregel/pregeltest/refdata); without them its tests are
// skipped and say so.
package conformance

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// Reference is what ref.json says of one real graph.
type Reference struct {
	Name     string
	File     string
	Directed bool
	Vertices struct{ N int }
	Counts   struct {
		Lines uint64 `json:"edge_lines"`
		Arcs  uint64 `json:"distinct_arcs"`
		Loops uint64 `json:"self_loop_arcs"`
	}
	Weights       struct{ Kind string }
	BFS           []Traversal
	SSSP          []Traversal
	BFSUndirected []Traversal `json:"bfs_undirected_view"`
	PageRank      struct {
		Damping float64
		Fixed   map[string]Ranks `json:"fixed_iterations"`
		Limit   Ranks            `json:"converged"`
	}
	SCC, WCC struct {
		Count, Largest int
		Hash           string `json:"sha256_labels_min_id"`
	}
	MSF struct {
		Total int64 `json:"total_weight"`
		Edges int
	}
	LCC struct {
		Hash string `json:"sha256_numerators"`
	}
	CDLP struct {
		Iterations map[string]struct{ SHA256 string }
	}
}

// Traversal is a reference for one source.
type Traversal struct {
	Source  uint64
	Reached int
	SHA256  string
}

// Ranks are reference ranks of some vertices, as pairs of id and number.
type Ranks struct {
	Top     [][2]any `json:"top20"`
	Samples [][2]any
}

// ReadReference reads the ref.json of the graph in dir.
func ReadReference(dir string) (*Reference, error) {
	text, err := os.ReadFile(filepath.Join(dir, "ref.json"))
	if err != nil {
		return nil, err
	}
	var r Reference
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "ref.json"), err)
	}
	return &r, nil
}

// Hash is the hash of ref.json: of one line "<id> <value>" for each vertex.
// Nothing is written as the given word.
func Hash(ids graph.IDs, c pregel.Column, nothing string) string {
	h := sha256.New()
	var line []byte
	for v := range c.Len() {
		line = append(ids.Append(line[:0], uint32(v)), ' ')
		switch {
		case c.Empty(v):
			line = append(line, nothing...)
		case c.Vertices != nil:
			line = ids.Append(line, c.Vertices[v])
		case c.Counts != nil:
			line = strconv.AppendUint(line, uint64(c.Counts[v]), 10)
		case c.Ints != nil:
			line = strconv.AppendInt(line, c.Ints[v], 10)
		default:
			line = strconv.AppendFloat(line, c.Floats[v], 'g', -1, 64)
		}
		h.Write(append(line, '\n'))
	}
	return hex.EncodeToString(h.Sum(nil))
}
