// What every kernel may use: numbers, lanes, reductions, the grid-wide barrier.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int i32;
typedef long long i64;

#ifndef OFFSET
#define OFFSET u32
#endif
typedef OFFSET Offset;

static const u32 NONE = 0xffffffffu;

__device__ __forceinline__ u32 lane() { return threadIdx.x & 31; }
__device__ __forceinline__ u32 global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ __forceinline__ u32 global_threads() { return gridDim.x * blockDim.x; }
__device__ __forceinline__ u32 global_warp() { return global_thread() >> 5; }
__device__ __forceinline__ u32 global_warps() { return global_threads() >> 5; }

// The device's clock, which all its multiprocessors share.
__device__ __forceinline__ u64 nanoseconds() {
  u64 t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}

// Sum over the lanes of a full warp, in every lane.
template <class T> __device__ __forceinline__ T warp_sum(T x) {
  for (int d = 16; d; d >>= 1) x += __shfl_xor_sync(~0u, x, d);
  return x;
}

// Sum over a block of what the threads have, in thread 0. All of them call it.
template <class T> __device__ __forceinline__ T block_sum(T x) {
  __shared__ T all;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  x = warp_sum(x);
  if (lane() == 0 && x) atomicAdd(&all, x);
  __syncthreads();
  return threadIdx.x == 0 ? all : 0;  // the others may not look: it is set anew by the next call
}

// Adds what the threads of a block have to a counter: an atomic a warp, all on one
// address, would be felt at the end of a kernel.
__device__ __forceinline__ void block_add(u64 *counter, u64 x) {
  x = block_sum(x);
  if (threadIdx.x == 0 && x) atomicAdd(counter, x);
}

// Union of the bits over the lanes of a full warp.
__device__ __forceinline__ u32 warp_or(u32 x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync(~0u, x);
#else
  for (int d = 16; d; d >>= 1) x |= __shfl_xor_sync(~0u, x, d);
  return x;
#endif
}

// Inclusive prefix sum over the lanes of a full warp.
__device__ __forceinline__ u32 warp_scan(u32 x) {
  for (int d = 1; d < 32; d <<= 1) {
    u32 y = __shfl_up_sync(~0u, x, d);
    if (lane() >= d) x += y;
  }
  return x;
}

// Loads that see what other blocks have written before a barrier.
__device__ __forceinline__ u32 load_acquire(const u32 *p) {
  u32 x;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(x) : "l"(p) : "memory");
  return x;
}
__device__ __forceinline__ u64 load_acquire(const u64 *p) {
  u64 x;
  asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
  return x;
}

// Blocks that work together: all of a launch, or some of it.
struct AllBlocks {
  __device__ __forceinline__ u32 block() const { return blockIdx.x; }
  __device__ __forceinline__ u32 blocks() const { return gridDim.x; }
};
struct SomeBlocks {
  u32 first, number;
  __device__ __forceinline__ u32 block() const { return blockIdx.x - first; }
  __device__ __forceinline__ u32 blocks() const { return number; }
};

// A barrier of a team of blocks, the whole grid's as Grid, for cooperative launches.
// The words are zero before the launch, four of them; the barrier that carries sum
// adds up what the blocks bring along: at most 2^48 - 1 in all.
//
// Barrier k uses word k mod 4. Whoever has left barrier k knows that all blocks
// have arrived at it, hence have left k-1; the word of k-2 can be emptied.
template <class Team> struct Barrier {
  u64 *words;
  u32 count;  // barriers passed
  Team team;

  __device__ __forceinline__ Barrier(u64 *w, Team t = Team()) : words(w), count(0), team(t) {}

  // All threads of all blocks call it. The sum is that over the blocks, of what
  // thread 0 of each gives. What was written before it is seen behind it: the fence
  // and the load with acquire order that, for whole blocks by __syncthreads. An
  // emptied word is published by the fence of the next barrier.
  __device__ __forceinline__ u64 sync(u64 bring = 0) {
    __shared__ u64 total;
    __syncthreads();
    if (threadIdx.x == 0) {
      u64 *word = words + (count & 3);
      __threadfence();
      atomicAdd(word, (1ull << 48) + bring);
      u64 x;
      do x = load_acquire(word);
      while ((x >> 48) != team.blocks());
      total = x & ((1ull << 48) - 1);
      if (team.block() == 0) words[(count + 2) & 3] = 0;
    }
    count++;
    __syncthreads();
    u64 sum = total;
    return sum;
  }
};
typedef Barrier<AllBlocks> Grid;

__device__ __forceinline__ bool test_bit(const u32 *bits, u32 i) { return bits[i >> 5] >> (i & 31) & 1; }

// Loads past the first-level cache, which other blocks' writes do not reach.
template <class T> __device__ __forceinline__ T peek(const T *p) { return __ldcg(p); }

// Index into a list of n made by one atomic a warp: each lane that has something
// gets the place of it. All lanes of the warp call it.
__device__ __forceinline__ u32 append(u32 *counter, bool has) {
  u32 mask = __ballot_sync(~0u, has);
  u32 at = 0;
  if (mask && lane() == __ffs(mask) - 1) at = atomicAdd(counter, __popc(mask));
  if (mask) at = __shfl_sync(~0u, at, __ffs(mask) - 1);
  return at + __popc(mask & ((1u << lane()) - 1));
}
