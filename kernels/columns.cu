// Columns: the arcs of vertices that hear many, cut by who is heard, so that a
// block has all that is offered in a column in its shared memory.
//
// Vertices are numbered by degree, so the first columns hold most of the arcs. A
// column is width vertices; a chunk up to 8 arcs of one list into one column:
// places within it of 16 bits, the rest filled with width, which is where the
// identity lies. The chunks of a column follow one another, those of a list in it
// side by side; every block then takes as many chunks as the others, whatever the
// lists are like (step_columns in step_columns.cuh).
//
// Two passes with the same share of the lists for each block: columns_count, the
// host's sum of the counts, columns_fill. Cost: O(columns) searches in a list.
#include "base.cuh"

static const u32 MOST_COLUMNS = 4096;
static const u32 CHUNK_ARCS = 8;

// bound is how many of the sorted targets lie below x.
__device__ __forceinline__ u32 bound(const u32 *row, u32 length, u64 x) {
  u32 lo = 0, hi = length;
  while (lo < hi) {
    u32 mid = (lo + hi) / 2;
    if (row[mid] < x) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

// A Part is what a list has in one column.
struct Part {
  u32 from, to;
  __device__ __forceinline__ Part(const u32 *row, u32 length, u32 column, u32 width)
      : from(bound(row, length, (u64)column * width)), to(bound(row, length, (u64)(column + 1) * width)) {}
  __device__ __forceinline__ u32 chunks() const { return (to - from + CHUNK_ARCS - 1) / CHUNK_ARCS; }
};

extern "C" __global__ void __launch_bounds__(256) columns_count(const Offset *offsets, const u32 *targets, const u32 *list, u32 count, u32 columns, u32 width, u32 *table) {
  __shared__ u32 sums[MOST_COLUMNS];
  for (u32 c = threadIdx.x; c < columns; c += blockDim.x) sums[c] = 0;
  __syncthreads();
  for (u64 i = blockIdx.x + (u64)(threadIdx.x >> 5) * gridDim.x; i < count; i += global_warps()) {
    u32 v = list[i];
    const u32 *row = targets + offsets[v];
    u32 length = (u32)(offsets[v + 1] - offsets[v]);
    for (u32 c = lane(); c < columns; c += 32) {
      u32 chunks = Part(row, length, c, width).chunks();
      if (chunks) atomicAdd(sums + c, chunks);
    }
  }
  __syncthreads();
  for (u32 c = threadIdx.x; c < columns; c += blockDim.x) table[(u64)c * gridDim.x + blockIdx.x] = sums[c];
}

// columns_fill gets the table with the number of chunks that come before.
extern "C" __global__ void __launch_bounds__(256) columns_fill(const Offset *offsets, const u32 *targets, const u32 *list, u32 count, u32 columns, u32 width, const u32 *table,
                                                               uint4 *chunk, u32 *rows) {
  __shared__ u32 next[MOST_COLUMNS];
  for (u32 c = threadIdx.x; c < columns; c += blockDim.x) next[c] = table[(u64)c * gridDim.x + blockIdx.x];
  __syncthreads();
  for (u64 i = blockIdx.x + (u64)(threadIdx.x >> 5) * gridDim.x; i < count; i += global_warps()) {
    u32 v = list[i];
    const u32 *row = targets + offsets[v];
    u32 length = (u32)(offsets[v + 1] - offsets[v]);
    for (u32 c = lane(); c < columns; c += 32) {
      Part part(row, length, c, width);
      u32 chunks = part.chunks();
      if (chunks == 0) continue;
      u32 at = atomicAdd(next + c, chunks);
      for (u32 k = 0; k < chunks; k++) {
        u32 word[CHUNK_ARCS / 2];
#pragma unroll
        for (u32 j = 0; j < CHUNK_ARCS; j++) {
          u32 e = part.from + k * CHUNK_ARCS + j, place = e < part.to ? row[e] - c * width : width;
          word[j / 2] = j % 2 ? word[j / 2] | place << 16 : place;
        }
        chunk[at + k] = make_uint4(word[0], word[1], word[2], word[3]);
        rows[at + k] = v;
      }
    }
  }
}
