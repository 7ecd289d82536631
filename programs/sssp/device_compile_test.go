//go:build cuda

package sssp

import (
	"fmt"
	"strings"
	"testing"

	"gopregel/kernels"
	"gopregel/runtime/cuda/driver"
)

// The kernels compile for every form of distances, without warnings. It needs no
// device.
func TestFormsCompile(t *testing.T) {
	src, err := kernels.Get("sssp")
	if err != nil {
		t.Fatal(err)
	}
	for kind, weight := range []string{narrow: "i32", wide: "i32", real: "float"} {
		for i, layout := range []string{"OFFSET=u32", "OFFSET=u32 PACKED=1", "OFFSET=u64"} {
			if testing.Short() && i != (kind+1)%3 || kind == real && i == 1 { // floats are not packed
				continue
			}
			defines := append(strings.Fields(layout), "WEIGHTED=1", "WEIGHT="+weight, fmt.Sprintf("DIST_KIND=%d", kind))
			c, err := driver.Compile("sssp.cu", src.Text, driver.CompileOptions{Arch: "sm_90", Defines: defines, Flags: []string{"--fmad=false"}})
			if err != nil || c.Log != "" {
				t.Errorf("%v: error %v, warnings:\n%s", defines, err, c.Log)
			}
		}
	}
}
