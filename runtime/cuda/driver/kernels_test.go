//go:build cuda

package driver

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"

	"gopregel/kernels"
)

// Every embedded source compiles for three generations of devices and each kind
// of graph, and has the entry points that the registry says.
func TestEmbeddedKernelsCompile(t *testing.T) {
	c := needCompiler(t)
	type graph struct{ offset, weighted, weight, traced string }
	var graphs []graph
	for _, offset := range []string{"u32", "u64"} {
		graphs = append(graphs, graph{offset, "0", "i32", "UNTRACED"}, graph{offset, "1", "i32", "UNTRACED"}, graph{offset, "1", "float", "UNTRACED"})
	}
	graphs = append(graphs, graph{"u32", "1", "i32", "TRACED"}) // see kernels/tally.cuh
	if testing.Short() {
		// Each of an offset, and of a weight, but not with each other.
		graphs = slices.DeleteFunc(graphs, func(g graph) bool {
			return g == graph{"u32", "1", "float", "UNTRACED"} || g == graph{"u64", "1", "i32", "UNTRACED"}
		})
	}
	archs := []int{70, 80, 90}
	if testing.Short() {
		archs = archs[2:]
	}
	for _, source := range kernels.All() {
		for _, arch := range archs {
			if !slices.Contains(c.archs, arch) {
				t.Logf("NVRTC %s does not compile for sm_%d", c.version(), arch)
				continue
			}
			for _, g := range graphs {
				t.Run(fmt.Sprintf("%s/sm_%d/%s,%s,%s,%s", source.Name, arch, g.offset, g.weighted, g.weight, g.traced), func(t *testing.T) {
					t.Parallel()
					compiled, err := Compile(source.Name+".cu", source.Text, CompileOptions{
						Arch:    fmt.Sprintf("sm_%d", arch),
						Defines: []string{"OFFSET=" + g.offset, "WEIGHTED=" + g.weighted, "WEIGHT=" + g.weight, g.traced},
						Cache:   os.Getenv("PREGEL_TEST_CUBINS"),
					})
					if err != nil {
						t.Fatal(err)
					}
					if compiled.Log != "" {
						t.Errorf("warnings:\n%s", compiled.Log)
					}
					for _, e := range source.Entries {
						if !hasEntry(compiled.Image, e.Name) {
							t.Errorf("the cubin has no entry point %s", e.Name)
						}
					}
				})
			}
		}
	}
}

// hasEntry looks for the section of a kernel's code in a cubin.
func hasEntry(image []byte, name string) bool {
	return bytes.Contains(image, []byte("\x00.text."+name+"\x00"))
}
