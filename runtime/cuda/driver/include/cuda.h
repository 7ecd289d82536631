// Stands before the toolkit's cuda.h, so that gorgonia.org/cu v0.9.6, which was
// written for CUDA 11, builds with CUDA 11.8, 12 and 13 alike. It has to come
// first on the include path when package cu is compiled: .ci/cuda says
// what CGO_CFLAGS has to be.
#ifndef GOPREGEL_CUDA_H
#define GOPREGEL_CUDA_H

#include_next <cuda.h>

// CUDA 13 gave these five names to newer forms. The driver still exports the
// older ones, which is what cu calls.
#if CUDA_VERSION >= 13000
#undef cuCtxCreate
#undef cuMemAdvise
#undef cuMemPrefetchAsync
#undef cuGraphAddDependencies
#undef cuGraphGetEdges
#define cuCtxCreate cuCtxCreate_v2
CUresult CUDAAPI cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device);
CUresult CUDAAPI cuMemAdvise(CUdeviceptr at, size_t bytes, CUmem_advise advice, CUdevice device);
CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr at, size_t bytes, CUdevice device, CUstream stream);
CUresult CUDAAPI cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t n);
CUresult CUDAAPI cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *n);
#endif

// Package cu calls cuInit when the program starts, and where there is no device
// prints and exits: even `pregel --help` would. Here its call does nothing, and
// the package driver starts CUDA when a device is asked for.
static inline CUresult gopregel_no_init(unsigned int flags) {
  (void)flags;
  return CUDA_SUCCESS;
}
static inline CUresult gopregel_init(void) { return cuInit(0); }
#define cuInit gopregel_no_init

#endif
