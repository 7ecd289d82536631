// What all kernels of scc.cu know.
#pragma once
#include "worklist.cuh"

static const u32 HUB = 4096;      // arcs; such a vertex is looked at in pieces of so many
static const u32 OWN = 16;        // arcs a lane looks at before its warp helps
#ifndef SPAN
#define SPAN 8                    // words of a bitmap that a warp takes at once
#endif
#ifndef SCC_RESIDENT
#define SCC_RESIDENT 1            // blocks of scc_reach on a multiprocessor
#endif
#ifndef SCC_BATCH
#define SCC_BATCH 4               // of these words, whose vertices a warp looks after together; divides SPAN
#endif
static const u32 DEAD = NONE;     // the class of a vertex whose component is known

// What is kept between launches; programs/scc/device.go knows the layout.
struct State {
  u64 barrier[4], rest_barrier[4];
  u64 counts[2][4], swept[2][4], rest_counts[4];
  u64 pivot;         // weight and vertex; 0: there is none
  u64 left[2];       // lengths of the lists of what is left
  u64 rounds, vertices, arcs;  // in all: rounds, vertices and arcs visited
  u32 hubs[2];       // lengths of the lists of pieces
  u32 round, mode[2], reached;
  u32 phase, rest_round, iteration, fresh;
  u32 giant, unused;
  u64 left_arcs;     // of the vertices on the first list of what is left, at both ends
};
static_assert(sizeof(State) == 328, "as in programs/scc/device.go");

// Writes the pieces of a lane's vertex v, so many, to a list from place on. All
// lanes call it together.
__device__ __forceinline__ void write_pieces(uint2 *list, u32 place, u32 number, u32 v, u32 flag = 0) {
  if (number <= 4)
    for (u32 i = 0; i < number; i++) list[place + i] = make_uint2(v, i | flag);
  __syncwarp();
  for (u32 many = __ballot_sync(~0u, number > 4); many; many &= many - 1) {
    int of = __ffs(many) - 1;
    u32 all = __shfl_sync(~0u, number, of), its = __shfl_sync(~0u, v, of), from = __shfl_sync(~0u, place, of);
    for (u32 i = lane(); i < all; i += 32) list[from + i] = make_uint2(its, i | flag);
  }
}

// Tells the lanes that need it whether one of their arcs passes the test. A lane
// looks at OWN of them, then the warp does it for one lane after the other.
// Test has bool operator()(u32 u, u32 v, u32 key), of neighbour, vertex and key.
template <class Test>
__device__ __forceinline__ bool any_arc(bool need, u32 v, u32 key, Offset start, Offset end, const u32 *targets, Test test) {
  bool hit = false;
  if (need)
    for (u32 i = 0; i < OWN && start < end && !hit; i += 4) {
      u32 u[4];
#pragma unroll
      for (u32 k = 0; k < 4; k++) u[k] = start + k < end ? __ldg(targets + start + k) : NONE;
#pragma unroll
      for (u32 k = 0; k < 4; k++)
        if (u[k] != NONE && test(u[k], v, key)) hit = true;
      start += 4;
    }
  __syncwarp();
  u32 more = __ballot_sync(~0u, need && !hit && start < end);
  while (more) {
    int of = __ffs(more) - 1;
    more &= more - 1;
    Offset from = __shfl_sync(~0u, start, of), to = __shfl_sync(~0u, end, of);
    u32 its = __shfl_sync(~0u, v, of), its_key = __shfl_sync(~0u, key, of);
    bool found = false;
    for (Offset base = from; base < to && !found; base += 128) {
      u32 u[4];
      bool here = false;
#pragma unroll
      for (u32 k = 0; k < 4; k++) {
        Offset i = base + 32 * k + lane();
        u[k] = i < to ? __ldg(targets + i) : NONE;
      }
#pragma unroll
      for (u32 k = 0; k < 4; k++)
        if (u[k] != NONE && test(u[k], its, its_key)) here = true;
      found = __any_sync(~0u, here);
    }
    if (lane() == of) hit = found;
  }
  return hit;
}
