package check

import "gopregel/pregel"

// Interpreter is the interpreter as an engine.
func Interpreter() pregel.Engine { return newInterpreter(manner{only: -1}) }
