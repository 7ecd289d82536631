// Looking through lists of arcs in order of weight, those of each vertex up to
// where the rest is too heavy to matter.
//
// Result: each vertex that a body opens has what the body makes of the arcs that
// are not past; each vertex has one owner, which alone writes its result.
//
// Method: by the length of its list, a vertex is looked after by a block (HUGE_ROW
// and more), by a warp (WIDE_ROW and more), or by a thread. Threads get vertices
// that are open THIN_ROWS at a time: those that are not cost a look at their
// distance.
// Which vertices may have long lists is known by bounds on their numbers; where
// vertices stand in order of degree these are few. Where they do not, it is right
// too, and slower.
//
// Cost: the lists up to where they are left; a pass over all distances.
//
// A body has
//   typedef Best: of 4 or 8 bytes, whose minimum over the lanes is the result
//   bool open(u32 v, Dist d): d is its distance
//   void skip(u32 v): it is not open; once for each vertex
//   Best first(Dist d)
//   bool past(Weight w, Best best, Dist d): arcs of w and heavier do not matter;
//     a lower best makes it no less so
//   void take(Best &best, u32 target, Weight w, Dist x, Dist d): an arc, whose
//     other end is reached and has the distance x
//   void close(u32 v, Dist d, Best best): by one thread
#pragma once
#include "worklist.cuh"

#ifndef HUGE_ROW
#define HUGE_ROW 16384  // arcs of a vertex that a block looks after
#endif
#ifndef WIDE_ROW
#define WIDE_ROW 1024  // arcs of a vertex that a warp looks after
#endif
#ifndef HUGE_LOADS
#define HUGE_LOADS 4  // arcs of a thread that are loaded together
#endif
#ifndef WIDE_LOADS
#define WIDE_LOADS 2
#endif
#ifndef THIN_LOADS
#define THIN_LOADS 4
#endif
#ifndef WIDE_TURNS
#define WIDE_TURNS 4  // vertices that a warp takes at a time, to look after in turn
#endif
#ifndef THIN_ROWS
#define THIN_ROWS 2  // vertices of a thread whose first arcs are loaded together
#endif
#ifndef THIN_LOOKS
#define THIN_LOOKS 4  // vertices whose distances a lane loads together
#endif

#if DIST_KIND == 2
typedef double Weight;
#else
typedef u32 Weight;
#endif

// Minimum over the lanes of a full warp, in every lane.
__device__ __forceinline__ u32 warp_least(u32 x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(~0u, x);
#else
  for (int d = 16; d; d >>= 1) x = min(x, __shfl_xor_sync(~0u, x, d));
  return x;
#endif
}
__device__ __forceinline__ u64 warp_least(u64 x) {
  for (int d = 16; d; d >>= 1) x = min(x, __shfl_xor_sync(~0u, x, d));
  return x;
}

// Shared memory of a block.
struct Room {
  u32 buffers[THREADS / 32][32 * (THIN_LOOKS + THIN_ROWS)];  // of the warps
  u32 list[THREADS];
  u64 bests[THREADS / 32];
  u32 count, stop[2];
};

// Some arcs of a list.
template <u32 COUNT> struct Few {
  u32 target[COUNT];
  Weight weight[COUNT];
  Dist dist[COUNT];
  bool ok[COUNT];
};

// A thread's vertex.
template <class Best> struct Row {
  u32 v;
  Offset at, left;
  Dist d;
  Best best;
  bool open;
};

// What was looked at, as a thread counts it.
struct Looked {
  u32 vertices, arcs;
};

struct Rows {
  const Offset *offsets;
  const u32 *targets;
  const void *weights;
  const Dist *dist;
  Room *room;
  Looked looked;

  // Loads arcs at + first, at + first + STEP and so on, of the left ones from at on.
  template <u32 COUNT, u32 STEP> __device__ __forceinline__ void load(Few<COUNT> &a, Offset at, Offset left, u32 first) {
#pragma unroll
    for (u32 k = 0; k < COUNT; k++) {
      u32 i = first + STEP * k;
      a.ok[k] = i < left;
      if (a.ok[k]) {
        a.target[k] = __ldg(targets + at + i);
        a.weight[k] = weight_of(weights, at + i);
      }
    }
  }

  // Loads the distances at the ends of those that are not past.
  template <u32 COUNT, class Body> __device__ __forceinline__ bool reach(Body &body, Few<COUNT> &a, Dist d, typename Body::Best best) {
    bool past = false;
#pragma unroll
    for (u32 k = 0; k < COUNT; k++) {
      a.ok[k] = a.ok[k] && !body.past(a.weight[k], best, d);
      past |= !a.ok[k];
      a.dist[k] = a.ok[k] ? peek(dist + a.target[k]) : FAR;
    }
    return past;
  }

  // Takes them. Tells whether one was past, or beyond the last.
  template <u32 COUNT, class Body> __device__ __forceinline__ bool take(Body &body, const Few<COUNT> &a, bool past, Dist d, typename Body::Best &best) {
#pragma unroll
    for (u32 k = 0; k < COUNT; k++)
      if (a.dist[k] < FAR) body.take(best, a.target[k], a.weight[k], a.dist[k], d);
    return past || body.past(a.weight[COUNT - 1], best, d);
  }

  template <u32 COUNT, u32 STEP, class Body>
  __device__ __forceinline__ bool look(Body &body, Offset at, Offset left, u32 first, Dist d, typename Body::Best &best) {
    Few<COUNT> a;
    load<COUNT, STEP>(a, at, left, first);
    bool past = reach(body, a, d, best);
    return take(body, a, past, d, best);
  }

  // A block's vertex.
  template <class Body> __device__ __forceinline__ void huge_row(Body &body, u32 v) {
    Offset at = __ldg(offsets + v), left = __ldg(offsets + v + 1) - at;
    Dist d = peek(dist + v);
    typename Body::Best best = body.first(d);
    if (threadIdx.x < 2) room->stop[threadIdx.x] = 0;
    __syncthreads();
    const u32 step = THREADS * HUGE_LOADS;
    for (u32 turn = 0;; turn ^= 1) {  // who is ahead by a turn sets the other word
      if (look<HUGE_LOADS, THREADS>(body, at, left, threadIdx.x, d, best)) room->stop[turn] = 1;
      if (threadIdx.x == 0) looked.arcs += (u32)min((u64)left, (u64)step);
      __syncthreads();
      if (room->stop[turn]) break;
      at += step;
      left -= step;
    }
    best = warp_least(best);
    if (lane() == 0) room->bests[threadIdx.x >> 5] = best;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (u32 i = 1; i < THREADS / 32; i++) best = min(best, (typename Body::Best)room->bests[i]);
    body.close(v, d, best);
    looked.vertices++;
  }

  template <class Body> __device__ __forceinline__ void huge_rows(Body &body, u32 bound) {
    for (u64 base = blockIdx.x; base < bound; base += (u64)gridDim.x * THREADS) {
      __syncthreads();
      if (threadIdx.x == 0) room->count = 0;
      __syncthreads();
      u64 v = base + (u64)threadIdx.x * gridDim.x;
      if (v < bound && __ldg(offsets + v + 1) - __ldg(offsets + v) >= HUGE_ROW && body.open((u32)v, peek(dist + v))) room->list[atomicAdd(&room->count, 1u)] = (u32)v;
      __syncthreads();
      for (u32 i = 0; i < room->count; i++) huge_row(body, room->list[i]);
    }
  }

  // A warp's vertex.
  template <class Body> __device__ __forceinline__ void wide_row(Body &body, u32 v, Dist d, Offset at, Offset left) {
    typename Body::Best best = body.first(d);
    const u32 step = 32 * WIDE_LOADS;
    for (;;) {
      bool past = look<WIDE_LOADS, 32>(body, at, left, lane(), d, best);
      best = warp_least(best);
      if (lane() == 0) looked.arcs += (u32)min((u64)left, (u64)step);
      if (__any_sync(~0u, past)) break;
      at += step;
      left -= step;
    }
    if (lane() != 0) return;
    body.close(v, d, best);
    looked.vertices++;
  }

  template <class Body> __device__ __forceinline__ void wide_rows(Body &body, u32 bound) {
    for (u64 base = (u64)global_warp() * WIDE_TURNS; base < bound; base += (u64)global_warps() * WIDE_TURNS) {
      u32 v = (u32)base + lane();
      bool has = lane() < WIDE_TURNS && base + lane() < bound;
      Offset at = 0, left = 0;
      Dist d = 0;
      if (has) {
        at = __ldg(offsets + v);
        left = __ldg(offsets + v + 1) - at;
        d = peek(dist + v);
        has = left >= WIDE_ROW && left < HUGE_ROW && body.open(v, d);
      }
      for (u32 mask = __ballot_sync(~0u, has); mask; mask &= mask - 1) {
        int from = __ffs(mask) - 1;
        wide_row(body, __shfl_sync(~0u, v, from), __shfl_sync(~0u, d, from), __shfl_sync(~0u, at, from), __shfl_sync(~0u, left, from));
        __syncwarp();
      }
    }
  }

  // Goes past the first COUNT arcs of a list, which may have fewer.
  template <u32 COUNT, class Best> __device__ __forceinline__ void advance(Row<Best> &r) {
    u32 few = (u32)min((u64)r.left, (u64)COUNT);
    looked.arcs += few;
    r.at += few;
    r.left -= few;
  }

  // A thread's vertices, but for those whose lists are for others: the first arcs
  // of all, then what is left of each.
  template <class Body> __device__ __forceinline__ void thin(Body &body, const u32 *list, u32 count) {
    Row<typename Body::Best> r[THIN_ROWS];
    Few<THIN_LOADS> a[THIN_ROWS];
#pragma unroll
    for (u32 j = 0; j < THIN_ROWS; j++) {
      u32 i = 32 * j + lane();
      r[j].open = i < count;
      r[j].left = r[j].d = 0;
      if (r[j].open) {
        r[j].v = list[i];
        r[j].at = __ldg(offsets + r[j].v);
        r[j].left = __ldg(offsets + r[j].v + 1);
        r[j].d = peek(dist + r[j].v);
      }
    }
#pragma unroll
    for (u32 j = 0; j < THIN_ROWS; j++) {
      if (r[j].open) r[j].left -= r[j].at;
      if (r[j].left >= WIDE_ROW) r[j].open = false, r[j].left = 0;
      r[j].best = body.first(r[j].d);
      load<THIN_LOADS, 1>(a[j], r[j].at, r[j].left, 0);
    }
    bool past[THIN_ROWS];
#pragma unroll
    for (u32 j = 0; j < THIN_ROWS; j++) past[j] = reach(body, a[j], r[j].d, r[j].best);
#pragma unroll
    for (u32 j = 0; j < THIN_ROWS; j++) {
      past[j] = take(body, a[j], past[j], r[j].d, r[j].best);
      advance<THIN_LOADS>(r[j]);
    }
#pragma unroll
    for (u32 j = 0; j < THIN_ROWS; j++) {
      if (!r[j].open) continue;
      while (!past[j] && r[j].left > 0) {
        past[j] = look<THIN_LOADS, 1>(body, r[j].at, r[j].left, 0, r[j].d, r[j].best);
        advance<THIN_LOADS>(r[j]);
      }
      body.close(r[j].v, r[j].d, r[j].best);
      looked.vertices++;
    }
  }

  // Puts those of the next vertices that are open into the buffer of the warp.
  template <class Body> __device__ __forceinline__ u32 fill(Body &body, u64 base, u32 bound, u32 *buffer, u32 held) {
    Dist d[THIN_LOOKS];
#pragma unroll
    for (u32 k = 0; k < THIN_LOOKS; k++) {
      u64 v = base + 32 * k + lane();
      d[k] = v < bound ? peek(dist + v) : 0;
    }
#pragma unroll
    for (u32 k = 0; k < THIN_LOOKS; k++) {
      u64 v = base + 32 * k + lane();
      bool open = v < bound && body.open((u32)v, d[k]);
      if (v < bound && !open) body.skip((u32)v);
      u32 mask = __ballot_sync(~0u, open);
      if (open) buffer[held + __popc(mask & ((1u << lane()) - 1))] = (u32)v;
      held += __popc(mask);
    }
    __syncwarp();
    return held;
  }

  template <class Body> __device__ __forceinline__ void thin_rows(Body &body, u32 bound) {
    u32 *buffer = room->buffers[threadIdx.x >> 5], held = 0;
    const u32 step = 32 * THIN_LOOKS;
    u64 base = (u64)global_warp() * step;
    for (;;) {
      bool more = base < bound;
      if (more) held = fill(body, base, bound, buffer, held);
      base += (u64)global_warps() * step;
      while (held >= 32 * THIN_ROWS || (!more && held > 0)) {
        u32 some = min(held, 32u * THIN_ROWS);
        held -= some;
        thin(body, buffer + held, some);
        __syncwarp();
      }
      if (!more) break;
    }
  }

  // All vertices below many, of which those with long lists are below wide, and
  // those with the longest below huge. All threads of the grid call it.
  template <class Body> __device__ __forceinline__ void all(Body &body, u32 many, u32 wide, u32 huge) {
    huge_rows(body, huge);
    wide_rows(body, wide);
    thin_rows(body, many);
  }
};

// What all looks at: bounds[0] is above every vertex with arcs, bounds[1] above
// those with WIDE_ROW, bounds[2] above those with HUGE_ROW. They are 0 before.
extern "C" __global__ void __launch_bounds__(256) sssp_bounds(u32 n, const Offset *offsets, u32 *bounds) {
  u32 most[3] = {};
  for (u64 v = global_thread(); v < n; v += global_threads()) {
    Offset degree = offsets[v + 1] - offsets[v];
    if (degree > 0) most[0] = (u32)v + 1;
    if (degree >= WIDE_ROW) most[1] = (u32)v + 1;
    if (degree >= HUGE_ROW) most[2] = (u32)v + 1;
  }
  for (int k = 0; k < 3; k++)
    if (most[k]) atomicMax(bounds + k, most[k]);
}
