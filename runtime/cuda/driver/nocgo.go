//go:build cuda && !cgo

package driver

// The compiler's complaint about this line is the message.
var _ = the_tag_cuda_needs_a_C_compiler_and_CGO_ENABLED_1
