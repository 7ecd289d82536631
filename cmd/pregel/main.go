// Command pregel runs graph algorithms: `pregel run job.yaml`. Each verb is in
// a file of its own; job reads job files, output writes answers.
package main

import (
	"os"

	"gopregel/programs"
)

func main() { os.Exit(start(os.Args[1:], programs.All())) }
