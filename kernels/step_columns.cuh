// Gathering by columns (kernels/columns.cu): all vertices are awake, those with
// few arcs hear them when they are applied.
//
// Method: every block has the same share of the chunks of narrow columns and of
// these, COLUMN_LOAD chunks being taken for the work of one more column: its offers
// go to shared memory, then each lane combines what a chunk brings, COLUMN_CHUNKS
// under way, then a warp what goes to the same list, in as many steps as the longest
// of its runs asks for. A warp that is done with its share takes chunks of wide
// columns, piece by piece, until there are none: the offers come from where they lie,
// WIDE_CHUNKS chunks under way, all warps being in about the same wide column.
#pragma once

#include "step.cuh"

#ifndef COLUMN_CHUNKS
#define COLUMN_CHUNKS 4  // of a lane that are loaded together
#endif
#ifndef WIDE_CHUNKS
#define WIDE_CHUNKS (sizeof(Message) <= 4 ? 4 : 2)
#endif
#ifndef COLUMN_LOAD
#define COLUMN_LOAD 3072
#endif

struct Columns {
  const uint4 *chunk;  // 8 places in the column, or 4 vertices
  const u32 *rows;     // of each chunk: who hears it
  const u32 *first;    // of each narrow column: its first chunk; one more than columns
  const u32 *heard;    // bits: who hears along chunks
  u32 columns, width;  // narrow ones, width vertices each
  u32 chunks, all;     // of narrow columns, which come first; and of wide ones too
};

// hand_in combines what the lanes of a warp bring for v, and delivers it once for
// each: those of a list lie side by side. NONE brings nothing.
__device__ __forceinline__ void hand_in(u32 v, Message m, Message *box) {
  u32 before = __shfl_up_sync(~0u, v, 1);
  bool head = lane() == 0 || before != v;
  u32 heads = __ballot_sync(~0u, head), after = lane() < 31 ? heads >> (lane() + 1) : 0;
  u32 run = after ? __ffs(after) : 32 - lane(); // chunks of the list from here on
  for (u32 d = 1; __any_sync(~0u, d < run); d <<= 1) {
    Message other = __shfl_down_sync(~0u, m, d);
    if (d < run) m = combine(m, other);
  }
  if (v != NONE && head) deliver(box + v, m);
}

// A Chunk under way.
struct Chunk {
  uint4 places;
  u32 v;

  __device__ __forceinline__ void load(const Columns &c, u64 i, u32 end) {
    v = NONE;
    if (i < end) places = __ldcs(c.chunk + i), v = __ldcs(c.rows + i);
  }

  // hear delivers what the chunks of a warp bring.
  __device__ __forceinline__ void hear(const Message *slice, Message *box) const {
    Message m = IDENTITY;
    if (v != NONE) {
      const u32 word[4] = {places.x, places.y, places.z, places.w};
      m = slice[word[0] & 0xffff];
#if !defined(COMBINE_ANY) // of which the identity, combined into a message, would be the answer
#pragma unroll
      for (u32 j = 1; j < 8; j++) m = combine(m, slice[j % 2 ? word[j / 2] >> 16 : word[j / 2] & 0xffff]);
#endif
    }
    hand_in(v, m, box);
  }
};

// A WideChunk under way.
struct WideChunk {
  u32 u[4], v;
  Message x[4];

  __device__ __forceinline__ void load(const Columns &c, u64 i) {
    uint4 word = make_uint4(NONE, NONE, NONE, NONE);
    v = NONE;
    if (i < c.all) word = __ldcs(c.chunk + i), v = __ldcs(c.rows + i);
    u[0] = word.x, u[1] = word.y, u[2] = word.z, u[3] = word.w;
  }
  __device__ __forceinline__ void fetch(const Message *list) {
#pragma unroll
    for (u32 j = 0; j < 4; j++) x[j] = u[j] != NONE ? list[u[j]] : IDENTITY;
  }
  __device__ __forceinline__ void hear(Message *box) const {
    Message m = x[0];
#pragma unroll
    for (u32 j = 1; j < 4; j++)
      if (u[j] != NONE) m = combine(m, x[j]);
    hand_in(v, m, box);
  }
};

// A Cut is where the share of a block begins.
struct Cut {
  u32 column, chunk;

  __device__ __forceinline__ Cut(const Columns &c, u32 block, u32 blocks) {
    u64 x = ((u64)c.chunks + (u64)c.columns * COLUMN_LOAD) * block / blocks;
    u32 lo = 0, hi = c.columns;
    while (hi - lo > 1) {
      u32 mid = (lo + hi) / 2;
      if (c.first[mid] + (u64)mid * COLUMN_LOAD <= x) lo = mid;
      else hi = mid;
    }
    u64 in = x - c.first[lo] - (u64)lo * COLUMN_LOAD;
    column = lo;
    chunk = block == blocks ? c.chunks : c.first[lo] + (u32)(in > COLUMN_LOAD ? in - COLUMN_LOAD : 0);
  }
};

// take is the number of a piece of the wide chunks that nobody has taken, for a warp.
// It is known later than it is asked for.
__device__ __forceinline__ u32 take(const Run &r) { return lane() == 0 ? atomicAdd(&r.control->taken, 1) : 0; }

// hear_wide goes through the wide chunks together with all warps that do.
__device__ __forceinline__ void hear_wide(const Run &r, const Columns &c, const Message *list) {
  if (c.chunks == c.all) return;
  for (u32 piece = take(r);;) {
    u64 base = c.chunks + (u64)__shfl_sync(~0u, piece, 0) * (32 * WIDE_CHUNKS);
    if (base >= c.all) return;
    piece = take(r);
    WideChunk chunk[WIDE_CHUNKS];
#pragma unroll
    for (u32 j = 0; j < WIDE_CHUNKS; j++) chunk[j].load(c, base + j * 32 + lane());
#pragma unroll
    for (u32 j = 0; j < WIDE_CHUNKS; j++) chunk[j].fetch(list);
#pragma unroll
    for (u32 j = 0; j < WIDE_CHUNKS; j++) chunk[j].hear(r.box[0]);
  }
}

// fill brings the offers of count vertices, from a multiple of 16 bytes on, and
// behind a column of width the identity.
__device__ __forceinline__ void fill(uint4 *shared, const Message *list, u32 count, u32 width) {
  const u32 each = 16 / sizeof(Message), full = count / each;
  for (u32 base = threadIdx.x; base < full; base += 4 * blockDim.x) {
    uint4 x[4];
#pragma unroll
    for (u32 k = 0; k < 4; k++)
      if (base + k * blockDim.x < full) x[k] = ((const uint4 *)list)[base + k * blockDim.x];
#pragma unroll
    for (u32 k = 0; k < 4; k++)
      if (base + k * blockDim.x < full) shared[base + k * blockDim.x] = x[k];
  }
  Message *slice = (Message *)shared;
  for (u32 i = full * each + threadIdx.x; i < count; i += blockDim.x) slice[i] = list[i];
  if (threadIdx.x == 0) slice[width] = IDENTITY;
}

extern "C" __global__ void __launch_bounds__(1024) step_columns(const __grid_constant__ Run r, const __grid_constant__ Columns c) {
  TRACE(begins(r, TIME_GATHER);)
  extern __shared__ uint4 shared[];
  const Message *list = r.offers[0];
  for (u32 i = global_thread(); i < r.words; i += global_threads()) r.touched[0][i] = c.heard[i];
  Cut from(c, blockIdx.x, gridDim.x), to(c, blockIdx.x + 1, gridDim.x);
  u32 at = from.chunk, end = to.chunk;
  for (u32 k = from.column; at < end; k++) {
    u32 stop = c.first[k + 1] < end ? c.first[k + 1] : end;
    if (at == stop) continue;
    u64 first = (u64)k * c.width, left = r.n - first;
    __syncthreads();
    fill(shared, list + first, (u32)(left < c.width ? left : c.width), c.width);
    __syncthreads();
    for (u64 base = at + (threadIdx.x & ~31u); base < stop; base += COLUMN_CHUNKS * blockDim.x) {
      Chunk chunk[COLUMN_CHUNKS];
#pragma unroll
      for (u32 j = 0; j < COLUMN_CHUNKS; j++) chunk[j].load(c, base + j * blockDim.x + lane(), stop);
#pragma unroll
      for (u32 j = 0; j < COLUMN_CHUNKS; j++) chunk[j].hear((const Message *)shared, r.box[0]);
    }
    at = stop;
  }
  hear_wide(r, c, list);
}
