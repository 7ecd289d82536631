//go:build (cuda || emulate) && !cgo

package driver

// The compiler's complaint about this line is the message.
var _ = the_tags_cuda_and_emulate_need_a_C_compiler_and_CGO_ENABLED_1
