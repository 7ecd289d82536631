// Looking through lists of arcs in an order, those of each vertex up to where the
// rest does not matter: shortest paths (sssp_pull.cuh), where arcs stand by weight
// and the rest is too heavy, and edge programs in place (step_sweeps.cuh).
//
// Result: each vertex that a body opens has what the body makes of the arcs that
// are not past; each vertex has one owner, which alone writes its result.
//
// Method: by the length of its list, a vertex is looked after by a block (HUGE_ROW
// and more), by WIDE_LANES lanes (WIDE_ROW and more), or by a thread. A thread has LOOKS
// vertices at a time: it loads their words, then the first arcs of those
// that are open (lightest.cuh), then the words at the ends of all of these.
// Where that was not enough, the vertex waits in a buffer of the warp until there
// are 32 of them, whose lists the lanes go on with.
// Which vertices may have long lists is known by bounds on their numbers; where
// vertices stand in order of degree these are few. Where they do not, it is right
// too, and slower.
//
// Cost: the lists up to where they are left; a pass over the words of all.
//
// Before it: types Word, what stands at a vertex, and Weight; functions weight_of, the
// weight of an arc of a list, and weight, that of one of a Head.
//
// A body has
//   typedef Best: no larger than Word
//   static Best better(Best, Best), of_warp(Best): the result of two lanes, and in
//     every lane that of a full warp
//   static Word nothing(): of an end that counts for nothing
//   FINAL: no word changes any more
//   LOOKS: vertices of a lane at a time, THIN_LOOKS at the most
//   bool open(u32 v, Word d): d is its own word
//   void skip(u32 v): it is not open; once for each vertex
//   Best first(Word d)
//   bool past(Weight w, Best best, Word d): arcs of w and behind do not matter;
//     a better best makes it no less so
//   void take(Best &best, u32 target, Weight w, Word x, Word d): an arc, at whose
//     other end is x
//   void close(u32 v, Word d, Best best): by one thread
#pragma once
#include "lightest.cuh"
#include "worklist.cuh"

#ifndef HUGE_ROW
#define HUGE_ROW 16384  // arcs of a vertex that a block looks after
#endif
#ifndef WIDE_ROW
#define WIDE_ROW 1024  // arcs of a vertex that some lanes look after
#endif
#ifndef HUGE_LOADS
#define HUGE_LOADS 4  // arcs of a thread that are loaded together
#endif
#ifndef WIDE_LANES
#define WIDE_LANES 16  // that look after one of a warp's vertices
#endif
#ifndef WIDE_LOADS
#define WIDE_LOADS 4
#endif
#ifndef THIN_LOADS
#define THIN_LOADS 4
#endif
#ifndef THIN_LOOKS
#define THIN_LOOKS (sizeof(Word) > 4 ? 1 : 2)  // vertices of a lane at a time, at the most
#endif
#ifndef SWEEP_LOOKS
#define SWEEP_LOOKS 1  // of sweeps
#endif
#ifndef HEADS_AT_ONCE
#define HEADS_AT_ONCE 0  // lightest arcs are loaded beside the word, of all vertices
#endif
#ifndef HEADED
#define HEADED 1  // the first arcs of lists lie side by side
#endif
#ifndef SWEEP_CACHED
#define SWEEP_CACHED 1  // hubs' words may come from the first-level cache, as they were after the last barrier
#endif

// Shared memory of a block.
struct Room {
  u32 waiting[THREADS / 32][32 * (THIN_LOOKS + 1)];  // of the warps
  Word reached[THREADS / 32][32 * (THIN_LOOKS + 1)];
  u32 list[THREADS];
  u64 bests[THREADS / 32];
  u32 count, stop[2];
};

// What a block's warps leave for each other.
template <class T> __device__ __forceinline__ u64 bits_of(T x) {
  u64 bits = 0;
  memcpy(&bits, &x, sizeof x);
  return bits;
}
template <class T> __device__ __forceinline__ T best_from(u64 bits) {
  T x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// Some arcs of a list.
template <u32 COUNT> struct Few {
  u32 target[COUNT];
  Weight weight[COUNT];
  Word word[COUNT];
  bool ok[COUNT];
};

// What was looked at, as a thread counts it.
struct Looked {
  u32 vertices, arcs;
};

struct Rows {
  const Offset *offsets;
  const u32 *targets;
  const void *weights;
  const uint4 *heads, *head_weights;
  const Word *own, *others;  // what stands at a vertex that looks, and at those it looks at
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

  // The word of another vertex, no older than the last barrier.
  template <class Body> __device__ __forceinline__ Word look_at(u32 u) {
    if (Body::FINAL) return __ldg(others + u);
    return SWEEP_CACHED ? others[u] : peek(others + u);
  }

  // Loads the words at the ends of those that are not past.
  template <u32 COUNT, class Body> __device__ __forceinline__ bool reach(Body &body, Few<COUNT> &a, Word d, typename Body::Best best) {
    bool past = false;
#pragma unroll
    for (u32 k = 0; k < COUNT; k++) {
      a.ok[k] = a.ok[k] && !body.past(a.weight[k], best, d);
      past |= !a.ok[k];
      a.word[k] = a.ok[k] ? look_at<Body>(a.target[k]) : Body::nothing();
    }
    return past;
  }

  // Takes them. Tells whether one was past, or beyond the last.
  template <u32 COUNT, class Body> __device__ __forceinline__ bool take(Body &body, const Few<COUNT> &a, bool past, Word d, typename Body::Best &best) {
#pragma unroll
    for (u32 k = 0; k < COUNT; k++)
      if (a.word[k] != Body::nothing()) body.take(best, a.target[k], a.weight[k], a.word[k], d);
    return past || body.past(a.weight[COUNT - 1], best, d);
  }

  template <u32 COUNT, u32 STEP, class Body>
  __device__ __forceinline__ bool look(Body &body, Offset at, Offset left, u32 first, Word d, typename Body::Best &best) {
    Few<COUNT> a;
    load<COUNT, STEP>(a, at, left, first);
    bool past = reach(body, a, d, best);
    return take(body, a, past, d, best);
  }

  // A block's vertex.
  template <class Body> __device__ __forceinline__ void huge_row(Body &body, u32 v) {
    Offset at = __ldg(offsets + v), left = __ldg(offsets + v + 1) - at;
    Word d = peek(own + v);
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
    best = Body::of_warp(best);
    if (lane() == 0) room->bests[threadIdx.x >> 5] = bits_of(best);
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (u32 i = 1; i < THREADS / 32; i++) best = Body::better(best, best_from<typename Body::Best>(room->bests[i]));
    body.close(v, d, best);
    looked.vertices++;
  }

  template <class Body> __device__ __forceinline__ void huge_rows(Body &body, u32 bound) {
    for (u64 base = blockIdx.x; base < bound; base += (u64)gridDim.x * THREADS) {
      __syncthreads();
      if (threadIdx.x == 0) room->count = 0;
      __syncthreads();
      u64 v = base + (u64)threadIdx.x * gridDim.x;
      if (v < bound && __ldg(offsets + v + 1) - __ldg(offsets + v) >= HUGE_ROW && body.open((u32)v, peek(own + v))) room->list[atomicAdd(&room->count, 1u)] = (u32)v;
      __syncthreads();
      for (u32 i = 0; i < room->count; i++) huge_row(body, room->list[i]);
    }
  }

  // The best of the lanes that look after the same vertex.
  template <class Body> __device__ __forceinline__ static typename Body::Best of_lanes(typename Body::Best x) {
#pragma unroll
    for (u32 d = WIDE_LANES / 2; d; d >>= 1) x = Body::better(x, __shfl_xor_sync(~0u, x, d));
    return x;
  }

  // A warp's vertices, side by side.
  template <class Body> __device__ __forceinline__ void wide_row(Body &body, u32 v, bool has, Word d, Offset at, Offset left) {
    typename Body::Best best = body.first(d);
    const u32 step = WIDE_LANES * WIDE_LOADS, own = lane() % WIDE_LANES;
    const u32 lanes = (u32)((1ull << WIDE_LANES) - 1) << (lane() - own);
    for (bool going = has; __any_sync(~0u, going);) {
      bool past = going && look<WIDE_LOADS, WIDE_LANES>(body, at, left, own, d, best);
      if (going && own == 0) looked.arcs += (u32)min((u64)left, (u64)step);
      best = of_lanes<Body>(best);
      u32 enough = __ballot_sync(~0u, past) & lanes;
      going = going && !enough;
      at += step;
      left -= step;
    }
    if (!has || own != 0) return;
    body.close(v, d, best);
    looked.vertices++;
  }

  template <class Body> __device__ __forceinline__ void wide_rows(Body &body, u32 bound) {
    const u32 each = 32 / WIDE_LANES;
    for (u64 base = (u64)last_warp() * each; base < bound; base += (u64)global_warps() * each) {
      u32 v = (u32)base + lane() / WIDE_LANES;
      bool has = base + lane() / WIDE_LANES < bound;
      Offset at = 0, left = 0;
      Word d = 0;
      if (has) {
        Head head;
        at = __ldg(offsets + v);
        left = __ldg(offsets + v + 1) - at;
        d = peek(own + v);
        if (HEADED && !Body::FINAL) head.load(heads, head_weights, v);
        has = left >= WIDE_ROW && left < HUGE_ROW && body.open(v, d);
        if (HEADED && !Body::FINAL) has = has && !body.past(weight(head, 0), body.first(d), d);
      }
      wide_row(body, v, has, d, at, left);
      __syncwarp();
    }
  }

  // What is left of the lists of vertices that wait, one a lane.
  template <class Body> __device__ __forceinline__ void rest(Body &body, const u32 *waiting, const Word *reached, u32 count) {
    if (lane() < count) {
      u32 v = waiting[lane()];
      Offset at = __ldg(offsets + v) + (HEADED ? LIGHTEST : 0), left = __ldg(offsets + v + 1) - at;
      Word d = peek(own + v);
      typename Body::Best best = (typename Body::Best)reached[lane()];
      for (bool past = false; !past && left > 0;) {
        past = look<THIN_LOADS, 1>(body, at, left, 0, d, best);
        u32 few = (u32)min((u64)left, (u64)THIN_LOADS);
        looked.arcs += few;
        at += few;
        left -= few;
      }
      body.close(v, d, best);
    }
    __syncwarp();
  }

  // Tells whether the list of a vertex is for a warp or a block.
  __device__ __forceinline__ bool long_list(u32 v, u32 wide) { return v < wide && __ldg(offsets + v + 1) - __ldg(offsets + v) >= WIDE_ROW; }

  // The lightest arcs of a lane's vertices, from base + lane on. Those whose lists
  // go on are put behind the held ones that wait; returns how many wait then.
  template <class Body> __device__ __forceinline__ u32 lightest(Body &body, u64 base, u32 bound, u32 wide, u32 held) {
    typedef typename Body::Best Best;
    const u32 LOOKS = Body::LOOKS;
    static_assert(LOOKS <= THIN_LOOKS, "as many wait, and 31 more: Room");
    u32 *waiting = room->waiting[threadIdx.x >> 5];
    Word *reached = room->reached[threadIdx.x >> 5];
    Word d[LOOKS], x[LOOKS][LIGHTEST];
    Head head[LOOKS];
    bool open[LOOKS];
#pragma unroll
    for (u32 k = 0; k < LOOKS; k++) {
      u64 v = base + 32 * k + lane();
      d[k] = v < bound ? peek(own + v) : 0;
      if (HEADED && HEADS_AT_ONCE && v < bound) head[k].load(heads, head_weights, (u32)v);
    }
#pragma unroll
    for (u32 k = 0; k < LOOKS; k++) {
      u64 v = base + 32 * k + lane();
      open[k] = v < bound && body.open((u32)v, d[k]);
      if (v < bound && !open[k]) body.skip((u32)v);
      open[k] = open[k] && !long_list((u32)v, wide);
      if (HEADED && !HEADS_AT_ONCE && open[k]) head[k].load(heads, head_weights, (u32)v);
    }
#pragma unroll
    for (u32 k = 0; k < LOOKS; k++)
#pragma unroll
      for (u32 j = 0; j < LIGHTEST; j++) {
        bool near = HEADED && open[k] && head[k].has(j) && !body.past(weight(head[k], j), body.first(d[k]), d[k]);
        x[k][j] = near ? look_at<Body>(head[k].target(j)) : Body::nothing();
        looked.arcs += near;
      }
#pragma unroll
    for (u32 k = 0; k < LOOKS; k++) {
      u32 v = (u32)base + 32 * k + lane();
      Best best = body.first(d[k]);
#pragma unroll
      for (u32 j = 0; j < LIGHTEST; j++)
        if (x[k][j] != Body::nothing()) body.take(best, head[k].target(j), weight(head[k], j), x[k][j], d[k]);
      bool more = open[k] && (!HEADED || head[k].has(LIGHTEST - 1) && !body.past(weight(head[k], LIGHTEST - 1), best, d[k]));
      if (open[k] && !more) body.close(v, d[k], best);
      looked.vertices += open[k];
      u32 mask = __ballot_sync(~0u, more), at = held + __popc(mask & ((1u << lane()) - 1));
      if (more) waiting[at] = v, reached[at] = best;
      held += __popc(mask);
    }
    __syncwarp();
    return held;
  }

  template <class Body> __device__ __forceinline__ void thin_rows(Body &body, u32 bound, u32 wide) {
    u32 *waiting = room->waiting[threadIdx.x >> 5], held = 0;
    Word *reached = room->reached[threadIdx.x >> 5];
    const u32 LOOKS = Body::LOOKS;
    const u64 step = (u64)global_warps() * 32 * LOOKS;
    for (u64 base = (u64)global_warp() * 32 * LOOKS; base < bound; base += step) {
      held = lightest(body, base, bound, wide, held);
      while (held >= 32 || (held > 0 && base + step >= bound)) {
        u32 some = min(held, 32u);
        held -= some;
        rest(body, waiting + held, reached + held, some);
      }
    }
  }

  // All vertices below many, of which those with long lists are below wide, and
  // those with the longest below huge. All threads of the grid call it.
  template <class Body> __device__ __forceinline__ void all(Body &body, u32 many, u32 wide, u32 huge) {
    huge_rows(body, huge);
    wide_rows(body, wide);
    thin_rows(body, many, wide);
  }
};

// Finds what all looks at: bounds[0] is above every vertex with arcs, bounds[1] above
// those with WIDE_ROW, bounds[2] above those with HUGE_ROW. They are 0 before.
__device__ __forceinline__ void find_bounds(u32 n, const Offset *offsets, u32 *bounds) {
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
