// Lists of arcs in order of weight.
//
// Result: every list of a CSR in order of (weight, target), or the heaviest first.
// The lists come in order of target, so that a stable sort by weight is enough.
//
// Method: a list of at most SHORT arcs is sorted by a warp, each of whose lanes
// counts the arcs that come before its own (sort_short). Longer ones go through
// a stable radix sort, a byte of the weights a pass, the least byte first: a
// block a list in all passes (sort_block), or, for the longest, a block for each
// piece of a list, with three launches a pass (sort_count, sort_bases,
// sort_move). Bytes in which all weights agree (sort_range) have no pass.
//
// Invariant: after the pass of a byte, a list is in order of that byte and of
// those below; arcs that agree in them are in the order in which they came.
//
// Cost: SHORT steps for a short list; else O(passes · m), two reads and a write
// of every arc in each. Radix sort by blocks: Satish, Harris, Garland, Designing
// efficient sorting algorithms for manycore GPUs, IPDPS 2009.
#include "sort.cuh"

#ifndef SORT_ITEMS
#define SORT_ITEMS 4 // arcs of a lane in a tile
#endif
#ifndef SORT_BLOCKS
#define SORT_BLOCKS 4 // that a multiprocessor shall hold
#endif

static const u32 SHORT = 32;
static const u32 DIGITS = 256; // and threads of a block of the radix sort
static const u32 WARPS = DIGITS / 32;
static const u32 TILE = DIGITS * SORT_ITEMS;

struct List {
  u32 *targets;
  WEIGHT *weights;
};

struct Lists {
  const Offset *offsets;
  List from, to, spare; // spare is used if there are several passes
  u32 n, passes;
  u32 shifts; // a byte each
  u32 flip;   // all bits: the heaviest first; else 0
};
static_assert(sizeof(Lists) == 72, "the host fills in the fields");

// The last pass writes to; those before it take turns with spare.
struct Pass {
  List from, to;
  u32 shift, flip;
};

__device__ __forceinline__ Pass pass_of(const Lists &l, u32 pass) {
  Pass p;
  bool last = (l.passes - 1 - pass) % 2 == 0;
  p.to = last ? l.to : l.spare;
  p.from = pass == 0 ? l.from : last ? l.spare : l.to;
  p.flip = l.flip;
  p.shift = l.shifts >> 8 * pass & 0xff;
  return p;
}

__device__ __forceinline__ u32 digit_of(const Pass &p, WEIGHT w) { return (sort_key(w) ^ p.flip) >> p.shift & (DIGITS - 1); }

// sort_range sets the bits in which any weight differs from the first.
extern "C" __global__ void sort_range(const WEIGHT *weights, u64 arcs, u32 *differ) {
  u32 first = sort_key(weights[0]), bits = 0;
  for (u64 e = global_thread(); e < arcs; e += global_threads()) bits |= sort_key(weights[e]) ^ first;
  bits = warp_or(bits);
  if (lane() == 0 && bits & ~peek(differ)) atomicOr(differ, bits);
}

// ---- Short lists -------------------------------------------------------------

// sort_list sorts a list of at most 32 arcs. A warp calls it.
__device__ __forceinline__ void sort_list(const Lists &l, u64 begin, u32 degree) {
  bool has = lane() < degree;
  u32 target = has ? l.from.targets[begin + lane()] : 0;
  WEIGHT weight = has ? l.from.weights[begin + lane()] : (WEIGHT)0;
  u32 mine = sort_key(weight) ^ l.flip, before = 0;
  for (u32 i = 0; i < degree; i++) {
    u32 theirs = __shfl_sync(~0u, mine, i);
    before += theirs < mine || (theirs == mine && i < lane());
  }
  if (!has) return;
  l.to.targets[begin + before] = target;
  l.to.weights[begin + before] = weight;
}

extern "C" __global__ void sort_short(Lists l) {
  for (u64 base = (u64)global_warp() * 32; base < l.n; base += (u64)global_warps() * 32) {
    u64 v = base + lane();
    Offset begin = v < l.n ? l.offsets[v] : 0, degree = v < l.n ? l.offsets[v + 1] - begin : 0;
    u32 left = __ballot_sync(~0u, degree > 0 && degree <= SHORT);
    while (left) {
      int owner = __ffs(left) - 1;
      left &= left - 1;
      sort_list(l, __shfl_sync(~0u, begin, owner), (u32)__shfl_sync(~0u, degree, owner));
    }
  }
}

// ---- Radix sort by a block of DIGITS threads -----------------------------------

// block_before is the sum of x over the threads before this one.
__device__ __forceinline__ u64 block_before(u64 x) {
  __shared__ u64 sums[WARPS];
  u64 sum = x;
  for (int d = 1; d < 32; d <<= 1) {
    u64 y = __shfl_up_sync(~0u, sum, d);
    if (lane() >= d) sum += y;
  }
  if (lane() == 31) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  u64 before = sum - x;
  for (u32 w = 0; w < threadIdx.x / 32; w++) before += sums[w];
  __syncthreads();
  return before;
}

// count_digits adds up how often each digit occurs in a part of a list. Thread d
// gets the number of digit d. counts are zero before and after.
__device__ __forceinline__ u32 count_digits(const Pass &p, u64 begin, u64 end, u32 *counts) {
  for (u64 e = begin + threadIdx.x; e < end; e += DIGITS) atomicAdd(counts + digit_of(p, p.from.weights[e]), 1u);
  __syncthreads();
  u32 count = counts[threadIdx.x];
  counts[threadIdx.x] = 0;
  __syncthreads();
  return count;
}

// peers_of are the lanes that have the same digit, where ok.
__device__ __forceinline__ u32 peers_of(bool ok, u32 digit) {
  u32 peers = __ballot_sync(~0u, ok);
  for (u32 bit = 1; bit < DIGITS; bit <<= 1) {
    u32 set = __ballot_sync(~0u, digit & bit);
    peers &= digit & bit ? set : ~set;
  }
  return peers;
}

// rank_in_warp counts the arcs of the same digit that the warp has seen before
// this lane's.
__device__ __forceinline__ u32 rank_in_warp(bool ok, u32 digit, u32 *counts) {
  u32 peers = peers_of(ok, digit), below = __popc(peers & ((1u << lane()) - 1));
  u32 seen = counts[digit];
  __syncwarp();
  if (ok && below == 0) counts[digit] = seen + __popc(peers);
  __syncwarp();
  return seen + below;
}

// warps_before makes of the counts of each warp those of the warps before it.
// Thread d does that for digit d, and gets the sum.
__device__ __forceinline__ u32 warps_before(u32 *counts) {
  u32 sum = 0;
  for (u32 w = 0; w < WARPS; w++) {
    u32 count = counts[w * DIGITS + threadIdx.x];
    counts[w * DIGITS + threadIdx.x] = sum;
    sum += count;
  }
  return sum;
}

// move_tile moves TILE arcs, or those up to end, to their places. base are the
// places of the next arc of each digit; counts, by warp and digit, are zero
// before and after.
__device__ __forceinline__ void move_tile(const Pass &p, u64 begin, u64 end, u64 *base, u32 *counts) {
  u32 *mine = counts + threadIdx.x / 32 * DIGITS;
  u64 first = begin + threadIdx.x / 32 * (32 * SORT_ITEMS) + lane();
  u32 target[SORT_ITEMS], rank[SORT_ITEMS];
  WEIGHT weight[SORT_ITEMS];
#pragma unroll
  for (u32 k = 0; k < SORT_ITEMS; k++) {
    bool ok = first + 32 * k < end;
    weight[k] = ok ? p.from.weights[first + 32 * k] : (WEIGHT)0;
    target[k] = ok ? p.from.targets[first + 32 * k] : 0;
  }
#pragma unroll
  for (u32 k = 0; k < SORT_ITEMS; k++) rank[k] = rank_in_warp(first + 32 * k < end, digit_of(p, weight[k]), mine);
  __syncthreads();
  u32 sum = warps_before(counts);
  __syncthreads();
#pragma unroll
  for (u32 k = 0; k < SORT_ITEMS; k++) {
    if (first + 32 * k >= end) continue;
    u32 digit = digit_of(p, weight[k]);
    u64 at = base[digit] + mine[digit] + rank[k];
    p.to.targets[at] = target[k];
    p.to.weights[at] = weight[k];
  }
  __syncthreads();
  base[threadIdx.x] += sum;
  for (u32 w = 0; w < WARPS; w++) counts[w * DIGITS + threadIdx.x] = 0;
  __syncthreads();
}

// move_tiles moves a part of a list, tile by tile.
__device__ __forceinline__ void move_tiles(const Pass &p, u64 begin, u64 end, u64 *base, u32 *counts) {
  for (u64 at = begin; at < end; at += TILE) move_tile(p, at, end, base, counts);
}

__device__ __forceinline__ void clear_counts(u32 *counts) {
  for (u32 i = threadIdx.x; i < WARPS * DIGITS; i += DIGITS) counts[i] = 0;
  __syncthreads();
}

// sort_block sorts the lists of some vertices, which blocks take in turn. The
// ticket is 0 before.
extern "C" __global__ void __launch_bounds__(256, SORT_BLOCKS) sort_block(Lists l, const u32 *vertices, u32 count, u32 *ticket) {
  __shared__ u64 base[DIGITS];
  __shared__ u32 counts[WARPS * DIGITS];
  __shared__ u32 next;
  clear_counts(counts);
  for (;;) {
    if (threadIdx.x == 0) next = atomicAdd(ticket, 1u);
    __syncthreads();
    u32 i = next;
    __syncthreads();
    if (i >= count) return;
    u64 begin = l.offsets[vertices[i]], end = l.offsets[vertices[i] + 1];
    for (u32 pass = 0; pass < l.passes; pass++) {
      Pass p = pass_of(l, pass);
      base[threadIdx.x] = begin + block_before(count_digits(p, begin, end, counts));
      __syncthreads();
      move_tiles(p, begin, end, base, counts);
    }
  }
}

// ---- Lists in pieces -----------------------------------------------------------

struct Piece {
  u64 begin, end; // arcs
};

// sort_count counts the digits of each piece: a row of the table.
extern "C" __global__ void __launch_bounds__(256, SORT_BLOCKS) sort_count(Lists l, u32 pass, const Piece *pieces, u32 count, u64 *table) {
  __shared__ u32 counts[DIGITS];
  counts[threadIdx.x] = 0;
  __syncthreads();
  Pass p = pass_of(l, pass);
  for (u32 i = blockIdx.x; i < count; i += gridDim.x)
    table[(u64)i * DIGITS + threadIdx.x] = count_digits(p, pieces[i].begin, pieces[i].end, counts);
}

// sort_bases makes of the counts the places of the first arc of each digit of
// each piece. A list has the pieces from first[i] to first[i + 1].
extern "C" __global__ void sort_bases(const Piece *pieces, const u32 *first, u32 lists, u64 *table) {
  for (u32 i = blockIdx.x; i < lists; i += gridDim.x) {
    u64 sum = 0;
    for (u32 k = first[i]; k < first[i + 1]; k++) sum += table[(u64)k * DIGITS + threadIdx.x];
    u64 at = pieces[first[i]].begin + block_before(sum);
    for (u32 k = first[i]; k < first[i + 1]; k++) {
      u64 count = table[(u64)k * DIGITS + threadIdx.x];
      table[(u64)k * DIGITS + threadIdx.x] = at;
      at += count;
    }
  }
}

extern "C" __global__ void __launch_bounds__(256, SORT_BLOCKS) sort_move(Lists l, u32 pass, const Piece *pieces, u32 count, const u64 *table) {
  __shared__ u64 base[DIGITS];
  __shared__ u32 counts[WARPS * DIGITS];
  clear_counts(counts);
  Pass p = pass_of(l, pass);
  for (u32 i = blockIdx.x; i < count; i += gridDim.x) {
    base[threadIdx.x] = table[(u64)i * DIGITS + threadIdx.x];
    __syncthreads();
    move_tiles(p, pieces[i].begin, pieces[i].end, base, counts);
  }
}
