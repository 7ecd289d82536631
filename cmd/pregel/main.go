// Command pregel runs graph algorithms: `pregel run job.yaml`. Package command has
// its verbs.
package main

import (
	"os"

	"gopregel/cmd/pregel/command"
	"gopregel/programs"
)

func main() { os.Exit(command.Main(os.Args[1:], programs.All())) }
