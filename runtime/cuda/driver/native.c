//go:build cuda && cgo

#define _GNU_SOURCE
#include "native.h"
#include <dlfcn.h>

CUresult pregel_launch(CUfunction f, unsigned blocks, unsigned threads, unsigned shared, CUstream stream, void **arguments, int cooperative) {
  if (cooperative)
    return cuLaunchCooperativeKernel(f, blocks, 1, 1, threads, 1, 1, shared, stream, arguments);
  return cuLaunchKernel(f, blocks, 1, 1, threads, 1, 1, shared, stream, arguments, NULL);
}

typedef CUresult (*parameter_info)(CUfunction, size_t, size_t *, size_t *);

long pregel_parameter(CUfunction f, size_t i) {
  parameter_info info = (parameter_info)dlsym(RTLD_DEFAULT, "cuFuncGetParamInfo");
  size_t offset = 0, size = 0;
  if (info == NULL) return -2;
  return info(f, i, &offset, &size) == CUDA_SUCCESS ? (long)size : -1;
}
