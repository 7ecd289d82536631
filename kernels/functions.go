package kernels

import (
	"embed"
	"fmt"
)

//go:embed functions/*.cu
var functions embed.FS

// Functions returns the device functions of a built-in edge program, which the
// engine places into the superstep templates: see pregel.Twin. They are no
// source of their own.
func Functions(name string) string {
	text, err := functions.ReadFile("functions/" + name + ".cu")
	if err != nil {
		panic(fmt.Sprintf("kernels: no functions %q", name)) // an embedded file's name is wrong: a test runs every twin
	}
	return string(text)
}
