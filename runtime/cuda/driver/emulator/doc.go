// Package emulator runs CUDA C on the host, for tests: without a GPU, and
// slowly. With the tag emulate package driver has such a device.
//
// A source is C++ but for little, which Translate writes anew; emulator.cuh,
// before it, has the rest of what CUDA C offers. The host's g++ makes a shared
// object of it (module.go). A launch runs every thread as a fibre (emulator.c):
// warps meet at collectives, blocks at barriers, and which warp runs next is
// drawn from a seed. So races between warps give wrong answers now and then,
// and the seed gives them again.
//
// It finds out, and says where: lanes that meet in different collectives, or not
// at all; threads that miss a barrier; a grid that waits for ever; what touches
// memory outside of buffers. It has no memory model: every write is seen at
// once. Shared and device memory is not cleared.
package emulator
