// The messages of a superstep one by one, for who looks at a run: nothing is
// delivered. A thread has an arc, whose place is its number among those to send
// along on side place >> 63. Before this file: see step.cuh.
#pragma once

#include "step_vertices.cuh"

extern "C" __global__ void __launch_bounds__(256) step_sends(const __grid_constant__ Run r, const __grid_constant__ Params p, u32 superstep, u32 count,
                                                             const u32 *sources, const u64 *places, Message *messages) {
  for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    u32 u = sources[i];
    u64 place = places[i];
    messages[i] = along(offer(r, p, u, (i32)superstep), u, r.send[place >> 63], place & ~(1ull << 63));
  }
}
