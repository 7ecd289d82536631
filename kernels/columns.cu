// Columns: the arcs of vertices that hear many, cut by who is heard, so that a
// block has all that is offered in a column in its shared memory.
//
// Vertices are numbered by degree, so the first columns hold most of the arcs, and
// these are narrow: width vertices each. A chunk is up to 8 arcs of one list into
// one of them: places within it of 16 bits, the rest filled with width, which is
// where the identity lies. Columns behind those are wide, and stay where they are: a
// chunk is up to 4 arcs of one list, their targets, the rest filled with NONE. The
// chunks of a column follow one another, those of a list in it side by side, those
// of 32 lists that follow one another too: what a warp delivers goes to vertices
// side by side. Every block then takes as many chunks as the others, whatever the
// lists are like (step_columns in step_columns.cuh).
//
// Two passes with the same share of the lists for each block: columns_count, the
// host's sum of the counts, columns_fill. Each lane has a list of 32, and goes from
// column to column. Cost: O(columns) searches in what is left of a list. How many
// columns are narrow the host finds out by a columns_count that takes all for such
// (runtime/cuda/columncost.go).
#include "base.cuh"

static const u32 MOST_COLUMNS = 4096;
static const u32 CHUNK_ARCS = 8, WIDE_ARCS = 4;
static const u32 MANY_CHUNKS = 8; // of a list in a column, which the warp makes together

// bound is how many of the sorted targets, from number lo on, lie below x.
__device__ __forceinline__ u32 bound(const u32 *row, u32 lo, u32 length, u64 x) {
  u32 hi = length;
  while (lo < hi) {
    u32 mid = lo + (hi - lo) / 2; // the sum may be no u32
    if (row[mid] < x) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

// A Split says where the columns lie.
struct Split {
  u32 columns, narrow; // the first few are narrow
  u32 width, wide;     // vertices of one of either kind

  __device__ __forceinline__ bool is_narrow(u32 c) const { return c < narrow; }
  __device__ __forceinline__ u32 arcs(u32 c) const { return is_narrow(c) ? CHUNK_ARCS : WIDE_ARCS; }
  __device__ __forceinline__ u64 end(u32 c) const { return is_narrow(c) ? (u64)(c + 1) * width : (u64)narrow * width + (u64)(c + 1 - narrow) * wide; }
};

// A Row is a lane's list, and what of it lies in one column after the other.
struct Row {
  const u32 *targets;
  u32 v, length, from, to;

  Row() = default;
  __device__ __forceinline__ Row(const Offset *offsets, const u32 *all, const u32 *list, u64 i, u32 count) : targets(all), v(NONE), length(0), from(0), to(0) {
    if (i >= count) return;
    v = list[i];
    targets = all + offsets[v];
    length = (u32)(offsets[v + 1] - offsets[v]);
  }
  __device__ __forceinline__ u32 enter(u32 column, const Split &s) {
    from = to;
    if (from < length) to = bound(targets, from, length, s.end(column));
    u32 here = to - from, each = s.arcs(column);
    return here / each + (here % each != 0);
  }
  // of is the row of another lane, as it is now.
  __device__ __forceinline__ Row of(u32 other) const {
    Row r;
    r.targets = (const u32 *)__shfl_sync(~0u, (u64)targets, other);
    r.v = __shfl_sync(~0u, v, other), r.length = __shfl_sync(~0u, length, other);
    r.from = __shfl_sync(~0u, from, other), r.to = __shfl_sync(~0u, to, other);
    return r;
  }
  __device__ __forceinline__ uint4 chunk(u32 k, u32 column, const Split &s) const {
    u32 word[WIDE_ARCS];
    if (s.is_narrow(column)) places(k, column, s.width, word);
    else wide(k, word);
    return make_uint4(word[0], word[1], word[2], word[3]);
  }
  __device__ __forceinline__ void places(u32 k, u32 column, u32 width, u32 (&word)[WIDE_ARCS]) const {
#pragma unroll
    for (u32 j = 0; j < CHUNK_ARCS; j++) {
      u32 i = k * CHUNK_ARCS + j, place = i < to - from ? targets[from + i] - column * width : width;
      word[j / 2] = j % 2 ? word[j / 2] | place << 16 : place;
    }
  }
  __device__ __forceinline__ void wide(u32 k, u32 (&word)[WIDE_ARCS]) const {
#pragma unroll
    for (u32 j = 0; j < WIDE_ARCS; j++) {
      u32 i = k * WIDE_ARCS + j;
      word[j] = i < to - from ? targets[from + i] : NONE;
    }
  }
};

// columns_count counts the chunks of each column, by block, and in all the arcs of
// each.
extern "C" __global__ void __launch_bounds__(256) columns_count(const Offset *offsets, const u32 *targets, const u32 *list, u32 count, Split s, u32 *table, u64 *arcs) {
  __shared__ u32 chunks[MOST_COLUMNS], sums[MOST_COLUMNS]; // sums: the lower halves, the rest is added to arcs at once
  for (u32 c = threadIdx.x; c < s.columns; c += blockDim.x) chunks[c] = sums[c] = 0;
  __syncthreads();
  for (u64 base = (u64)global_warp() * 32; base < count; base += (u64)global_warps() * 32) {
    Row row(offsets, targets, list, base + lane(), count);
    for (u32 c = 0; c < s.columns && __any_sync(~0u, row.to < row.length); c++) {
      u32 more = warp_sum(row.enter(c, s));
      u64 here = warp_sum((u64)(row.to - row.from));
      if (lane() || !here) continue;
      atomicAdd(chunks + c, more);
      u64 sum = atomicAdd(sums + c, (u32)here) + here;
      if (sum >> 32) atomicAdd(arcs + c, sum >> 32 << 32);
    }
  }
  __syncthreads();
  for (u32 c = threadIdx.x; c < s.columns; c += blockDim.x) {
    table[(u64)c * gridDim.x + blockIdx.x] = chunks[c];
    if (sums[c]) atomicAdd(arcs + c, (u64)sums[c]);
  }
}

// columns_fill gets the table with the number of chunks that come before.
extern "C" __global__ void __launch_bounds__(256) columns_fill(const Offset *offsets, const u32 *targets, const u32 *list, u32 count, Split s, const u32 *table,
                                                               uint4 *chunk, u32 *rows) {
  __shared__ u32 next[MOST_COLUMNS];
  for (u32 c = threadIdx.x; c < s.columns; c += blockDim.x) next[c] = table[(u64)c * gridDim.x + blockIdx.x];
  __syncthreads();
  for (u64 base = (u64)global_warp() * 32; base < count; base += (u64)global_warps() * 32) {
    Row row(offsets, targets, list, base + lane(), count);
    for (u32 c = 0; c < s.columns && __any_sync(~0u, row.to < row.length); c++) {
      u32 chunks = row.enter(c, s), scan = warp_scan(chunks), at = 0;
      if (lane() == 31 && scan) at = atomicAdd(next + c, scan);
      at = __shfl_sync(~0u, at, 31) + scan - chunks;
      for (u32 k = 0; k < chunks && chunks < MANY_CHUNKS; k++) chunk[at + k] = row.chunk(k, c, s), rows[at + k] = row.v;
      for (u32 many = __ballot_sync(~0u, chunks >= MANY_CHUNKS); many; many &= many - 1) {
        u32 other = __ffs(many) - 1, first = __shfl_sync(~0u, at, other), all = __shfl_sync(~0u, chunks, other);
        Row r = row.of(other);
        for (u32 k = lane(); k < all; k += 32) chunk[first + k] = r.chunk(k, c, s), rows[first + k] = r.v;
      }
    }
  }
}
