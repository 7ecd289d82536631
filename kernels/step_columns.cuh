// Gathering by columns (kernels/columns.cu): all vertices are awake, those with
// few arcs hear them when they are applied.
#pragma once

struct Columns {
  const uint4 *chunk;  // 8 places in the column
  const u32 *rows;     // of each chunk: who hears it
  const u32 *first;    // of each column: its first chunk; one more than columns
  const u32 *heard;    // bits: who hears along chunks
  u32 columns, width;  // width vertices each
  u32 chunks, unused;
};

// A Chunk under way.
struct Chunk {
  uint4 places;
  u32 v;

  __device__ __forceinline__ Chunk(const Columns &c, u32 i, u32 end) : v(NONE) {
    if (i < end) places = __ldcs(c.chunk + i), v = __ldcs(c.rows + i);
  }

  // deliver adds what the chunks of a warp bring, once for each list.
  __device__ __forceinline__ void deliver(const Message *slice, Message *box) {
    Message m = IDENTITY;
    if (v != NONE) {
      const u32 word[4] = {places.x, places.y, places.z, places.w};
      m = slice[word[0] & 0xffff];
#pragma unroll
      for (u32 j = 1; j < 8; j++) m = combine(m, slice[j % 2 ? word[j / 2] >> 16 : word[j / 2] & 0xffff]);
    }
#pragma unroll
    for (u32 d = 1; d < 32; d <<= 1) { // lists lie side by side
      Message other = __shfl_down_sync(~0u, m, d);
      u32 u = __shfl_down_sync(~0u, v, d);
      if (lane() + d < 32 && u == v) m = combine(m, other);
    }
    u32 before = __shfl_up_sync(~0u, v, 1);
    if (v != NONE && (lane() == 0 || before != v)) ::deliver(box + v, m);
  }
};

// column_of finds the column that chunk i is in.
__device__ __forceinline__ u32 column_of(const Columns &c, u32 i) {
  u32 lo = 0, hi = c.columns;
  while (hi - lo > 1) {
    u32 mid = (lo + hi) / 2;
    if (c.first[mid] <= i) lo = mid;
    else hi = mid;
  }
  return lo;
}

extern "C" __global__ void __launch_bounds__(1024) step_columns(const __grid_constant__ Run r, const __grid_constant__ Columns c, u32 turn) {
  extern __shared__ Message slice[];
  const Message *list = turn ? r.offers[1] : r.offers[0];
  for (u32 i = global_thread(); i < r.words; i += global_threads()) r.touched[0][i] = c.heard[i];
  u32 each = (u32)(((u64)c.chunks + gridDim.x - 1) / gridDim.x);
  u64 from = (u64)blockIdx.x * each;
  u32 end = from + each < c.chunks ? (u32)from + each : c.chunks;
  if (from >= end) return;
  u32 at = (u32)from;
  for (u32 k = column_of(c, at); at < end; k++) {
    u32 stop = c.first[k + 1] < end ? c.first[k + 1] : end;
    __syncthreads();
    for (u32 i = threadIdx.x; i <= c.width; i += blockDim.x) {
      u64 u = (u64)k * c.width + i;
      slice[i] = i < c.width && u < r.n ? list[u] : IDENTITY;
    }
    __syncthreads();
    for (u32 base = at + (threadIdx.x & ~31u); base < stop; base += 2 * blockDim.x) {
      Chunk a(c, base + lane(), stop), b(c, base + blockDim.x + lane(), stop);
      a.deliver(slice, r.box[0]);
      b.deliver(slice, r.box[0]);
    }
    at = stop;
  }
}
