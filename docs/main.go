// Command docs is the course's own pregel: every verb, and the programs of the
// lessons beside the built-in ones. It is run from the clone: go run ./docs
//
// Each lesson is a folder with a text (README.md), a file for each program that the
// reader completes, lesson.go, which makes algorithms of them and is complete, and
// jobs. What the exercises ask for is in cmd/pregel/grade.
package main

import (
	"os"

	supersteps "gopregel/docs/1-supersteps"
	combiners "gopregel/docs/2-combiners"
	frontiers "gopregel/docs/3-frontiers"
	gpu "gopregel/docs/4-gpu"

	"gopregel/cmd/pregel/command"
	"gopregel/programs"
)

func main() { os.Exit(command.Main(os.Args[1:], entries())) }

// entries lists the programs of the lessons and the built-in ones.
func entries() (list []programs.Entry) {
	for _, lesson := range [][]programs.Entry{supersteps.Programs(), combiners.Programs(), frontiers.Programs(), gpu.Programs(), programs.All()} {
		list = append(list, lesson...)
	}
	return list
}
