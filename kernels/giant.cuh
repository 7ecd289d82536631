// The component in which most arcs end, found by a sample: what is in it need
// not be looked at where the other end of every arc is.
#pragma once
#include "base.cuh"

static const u32 SAMPLES = 1024; // threads of the block that looks
static const u32 SLOTS = 2048;

__device__ __forceinline__ u64 scramble(u64 x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

struct Giant {
  u32 root, count;
};

// most_frequent returns the root most frequent at the ends of SAMPLES arcs, and
// how often it was seen. All threads of one block of SAMPLES call it; labels are
// roots. Each sample is counted in a hash table with as many empty slots as full.
__device__ __forceinline__ Giant most_frequent(const u32 *targets, u64 arcs, const u32 *label) {
  __shared__ u32 roots[SLOTS], counts[SLOTS];
  __shared__ u64 best;
  for (u32 i = threadIdx.x; i < SLOTS; i += blockDim.x) {
    roots[i] = NONE;
    counts[i] = 0;
  }
  if (threadIdx.x == 0) best = 0;
  __syncthreads();
  u32 root = label[targets[scramble(threadIdx.x) % arcs]];
  u32 slot = (u32)(scramble(root) % SLOTS);
  for (;;) {
    u32 there = atomicCAS(&roots[slot], NONE, root);
    if (there == NONE || there == root) break;
    slot = (slot + 1) % SLOTS;
  }
  atomicAdd(&counts[slot], 1u);
  __syncthreads();
  for (u32 i = threadIdx.x; i < SLOTS; i += blockDim.x)
    if (counts[i]) atomicMax(&best, (u64)counts[i] << 32 | i);
  __syncthreads();
  Giant g = {roots[(u32)best], (u32)(best >> 32)};
  return g;
}

// walk follows labels from v to the root, and writes it to v; only v's thread
// writes there, and no roots are joined meanwhile. Each walker publishes how far
// it has come for those behind it, so that a way of any length takes a logarithm
// of steps.
__device__ __forceinline__ u32 walk(u32 *label, u32 v) {
  u32 at = label[v];
  for (u32 above = peek(label + at); above != at; above = peek(label + at)) {
    at = above;
    __stcg(label + v, at);
  }
  return at;
}
