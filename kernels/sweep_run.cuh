// What a run by pushes and sweeps is made of: see step_sweeps.cuh.
#pragma once
#include "step_messages.cuh"

#if WEIGHTED && (defined(EDGE_PLUS) || defined(EDGE_TIMES) || defined(EDGE_LEAST))
#define WEIGHS 1
#else
#define WEIGHS 0
#endif
#ifndef PUSH_MOST
#define PUSH_MOST 4096 // vertices and chunks of a push
#endif
#ifndef HUB_SWEEPS
#define HUB_SWEEPS 1 // of the long lists alone, before the others
#endif
#ifndef LEAN
#define LEAN 512 // a sweep that changes fewer is lean
#endif
#ifndef LEAN_SWEEPS
#define LEAN_SWEEPS 16 // so many of them, and what is left is pushed
#endif
#ifndef MARK_FROM
#define MARK_FROM 8 // after a sweep that changed so many times what is few, those who change are marked
#endif
#ifndef FEW_ITEMS
#define FEW_ITEMS 2 // vertices and chunks of a push after sweeps, by what is few
#endif

// What others have of the same names is not in the way of these, nor of a program's functions.
namespace sweep {
#include "lightest.cuh"
#include "worklist.cuh"

typedef Message Word;
typedef WEIGHT Weight;

__device__ __forceinline__ Weight weight_of(const void *weights, Offset i) {
  return WEIGHS ? __ldg((const WEIGHT *)weights + i) : (WEIGHT)1;
}
__device__ __forceinline__ Weight weight_from(u32 bits, const i32 *) { return (Weight)bits; }
__device__ __forceinline__ Weight weight_from(u32 bits, const float *) { return (Weight)__uint_as_float(bits); }
__device__ __forceinline__ Weight weight(const Head &head, u32 k) { return weight_from(head.weight(k), (const WEIGHT *)0); }

#include "sweep_rows.cuh"
} // namespace sweep

// What a round does, or NO more.
enum { SWEEP_START, SWEEP_PUSH, SWEEP_WAKE, SWEEP_ALL, SWEEP_LIST, SWEEP_NO };

// What is kept between launches; runtime/cuda/sweeps.go knows the layout.
struct SweepControl {
  u64 barrier[4];
  u64 next; // not 0: there is more to do
  u32 done, phase;
  u64 counts[4];  // of the lists; of round k the word k mod 4
  u64 best[4];    // Messages: what the offers of the round before are combined
  u64 changed;    // in the last round
  u64 last;       // by the last sweep of all, UNKNOWN before one
  u32 round, turn, lean, swept, marked, unused;
  u64 none;       // a Message: what who has said nothing offers
};
static_assert(sizeof(SweepControl) == 160, "as in runtime/cuda/sweeps.go");

struct SweepRecord {
  u64 awake, arcs, nanoseconds;
  u32 pull, unused;
};

struct SweepRun {
  u32 n, given;
  Arcs send;      // by source, in any order
  Arcs receive;   // by target, in the order that sweeps look in
  const uint4 *heads, *head_weights; // the first of those
  u32 *bounds;    // of vertices with long lists
  Value *values;
  Message *box, *offers;
  u32 *bits[2];   // of who was sent to, or, in turn, of who a sweep has changed
  u32 *list[2];
  uint2 *chunks[2];
  SweepControl *control;
  SweepRecord *records;
  u32 extreme;    // the bits of the weight that makes the most of an offer
  u32 few;        // changes after which who is left is pushed; 0: only where sweeps are lean
  u64 budget;     // nanoseconds before coming back to the host
};

namespace sweep {

static const u64 UNKNOWN = ~0ull;
static const u64 LEAVE = 1ull << 40; // brought to a barrier: the launch ends

__device__ __forceinline__ Vertex vertex_of(const SweepRun &r, u32 v, i32 round) {
  Vertex x;
  x.id = v;
  x.out_degree = (u32)(r.send.offsets[v + 1] - r.send.offsets[v]);
  x.superstep = round;
  x.n = r.n;
  x.tallies = 0;
  return x;
}

__device__ __forceinline__ Message offer_of(const SweepRun &r, const Params &p, u32 v, i32 round, const Value &x) {
#if defined(EDGE_SOURCE)
  return (Message)v;
#else
  return emit(vertex_of(r, v, round), x, p);
#endif
}

// over is what an offer becomes on an arc of a weight.
__device__ __forceinline__ Message over(Message x, Weight w) {
#if defined(EDGE_SOURCE)
  return x;
#else
  ::Arcs a = {0, 0, &w};
  return along(x, 0, a, 0);
#endif
}

// bounded tells whether no offer makes more of an arc than best: infinity times 0 is no number.
__device__ __forceinline__ bool bounded(Message best) {
#if defined(EDGE_TIMES)
  return best >= 0 && best - best == 0;
#else
  return true;
#endif
}

__device__ __forceinline__ Message of_warp(Message x) {
  for (int d = 16; d; d >>= 1) x = combine(x, __shfl_xor_sync(~0u, x, d));
  return x;
}

// bring_best adds what the threads of a block have offered to what all have.
__device__ __forceinline__ void bring_best(u64 *best, Message said) {
  __shared__ u64 bits;
  Message *all = (Message *)&bits;
  if (threadIdx.x == 0) *all = IDENTITY;
  __syncthreads();
  said = of_warp(said);
  if (lane() == 0 && said != IDENTITY) boxes::put(all, said);
  __syncthreads();
  if (threadIdx.x == 0 && *all != IDENTITY) boxes::put((Message *)best, *all);
}

// hear applies what a vertex has heard, and tells whether it has something new to say.
__device__ __forceinline__ bool hear(const SweepRun &r, const Params &p, u32 v, i32 round, Message heard, Message &said) {
  bool awake = false;
  Value x = apply(vertex_of(r, v, round), r.values[v], heard, true, p, awake);
  r.values[v] = x;
  if (!awake) return false;
  Message offer = offer_of(r, p, v, round, x);
  r.offers[v] = offer;
  said = combine(said, offer);
  return true;
}

// A push.
struct Send {
  const SweepRun &r;
  Pusher *out;

  __device__ __forceinline__ bool open(u32 u, bool, Message &offer) {
    offer = peek(r.offers + u);
    return offer != IDENTITY;
  }

  __device__ __forceinline__ void visit(Arcs<Message> &a) {
    Message to[AHEAD], was[AHEAD];
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++)
      if (a.ok[k]) to[k] = over(a.value[k], weight_of(r.send.weights, a.index[k])), was[k] = peek(r.box + a.target[k]);
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      bool first = false;
      if (a.ok[k] && boxes::news(was[k], to[k])) {
        boxes::put(r.box + a.target[k], to[k]);
        first = mark(r.bits[0], a.target[k]);
      }
      out->vertex(first, a.target[k]);
    }
  }
};

// A sweep.
struct Pull {
  typedef Message Best;
  static const bool FINAL = false;
  static const u32 LOOKS = SWEEP_LOOKS;
  const SweepRun &r;
  const Params &p;
  i32 round;
  u32 *marks;    // of those who change; null: none are wanted
  bool bounds;
  Message best;  // of what was said in the round before
  Message most;  // what that is along the best of arcs
  Message said;
  u32 changed;

  __device__ __forceinline__ static Message better(Message a, Message b) { return combine(a, b); }
  __device__ __forceinline__ static Message of_warp(Message x) { return sweep::of_warp(x); }
  __device__ __forceinline__ static Message nothing() { return IDENTITY; }
  __device__ __forceinline__ bool open(u32, Message box) { return !bounds || boxes::news(box, most); }
  __device__ __forceinline__ void skip(u32) {}
  __device__ __forceinline__ Message first(Message box) { return box; }
  __device__ __forceinline__ bool past(Weight w, Message heard, Message) { return bounds && !boxes::news(heard, over(best, w)); }
  __device__ __forceinline__ void take(Message &heard, u32, Weight w, Message x, Message) { heard = combine(heard, over(x, w)); }
  __device__ __forceinline__ void close(u32 v, Message box, Message heard) {
    if (!boxes::news(box, heard)) return;
    r.box[v] = heard;
    if (!hear(r, p, v, round, heard, said)) return;
    if (marks) mark(marks, v);
    changed++;
  }
};

// wake applies what has come to those on a list, and lists those who change, as long as no more than most are.
__device__ __forceinline__ u32 wake(const SweepRun &r, const Params &p, i32 round, const u32 *list, u32 count, u64 most, Pusher &out, Message &said) {
  u32 take = min(32u, max(1u, (count + global_warps() - 1) / global_warps())), changed = 0;
  bool full = false;
  for (u64 at = (u64)global_warp() * take; at < count; at += (u64)global_warps() * take) {
    bool awake = false;
    u32 v = 0;
    if (lane() < take && at + lane() < count) {
      v = peek(list + at + lane());
      r.bits[0][v >> 5] = 0; // where others stand that are on the list, too
      awake = hear(r, p, v, round, peek(r.box + v), said);
    }
    changed += awake;
    if (!full) full = __any_sync(~0u, items_of(peek(out.counts)) > most);
    if (full) continue;
    out.push(awake, v, awake ? r.send.offsets[v + 1] - r.send.offsets[v] : 0);
  }
  return changed;
}

// list_marked lists those who are marked, and takes the marks away.
__device__ __forceinline__ void list_marked(const SweepRun &r, u32 *marks, Pusher &out) {
  each_word(r.n, marks, [&](u32 at, u32 word) {
    if (lane() == 0) marks[at] = 0;
    out.word(at, word, r.send.offsets);
  });
}

} // namespace sweep
