// What gorgonia.org/cu lacks, in a few lines of C.
#ifndef GOPREGEL_NATIVE_H
#define GOPREGEL_NATIVE_H

#include "owner.h"
#include <cuda.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef GOPREGEL_CUDA_H
#error "runtime/cuda/driver/include must come first on the include path: build with `make gpu`"
#endif

CUresult pregel_launch(CUfunction f, unsigned blocks, unsigned threads, unsigned shared, CUstream stream, void **arguments, int cooperative);

// Size of parameter i of a kernel, -1 when it has no such, -2 when the driver
// cannot tell (before CUDA 12.4).
long pregel_parameter(CUfunction f, size_t i);

#endif
