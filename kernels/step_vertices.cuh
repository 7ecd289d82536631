// Vertices: their first values, and where what becomes of them is kept.
#pragma once

#include "step.cuh"

__device__ __forceinline__ u32 out_degree(const Run &r, u32 v) {
  u64 d = r.send[0].offsets[v + 1] - r.send[0].offsets[v];
  if (BOTH && r.sides > 1) d += r.send[1].offsets[v + 1] - r.send[1].offsets[v];
  return (u32)d;
}

__device__ __forceinline__ Vertex vertex(const Run &r, u32 v, u32 degree, i32 superstep, Tallies *t) {
  Vertex x;
  x.id = v;
  x.out_degree = degree;
  x.superstep = superstep;
  x.n = r.n;
  x.tallies = t;
  return x;
}

__device__ __forceinline__ Vertex vertex(const Run &r, u32 v, i32 superstep, Tallies *t) {
  return vertex(r, v, out_degree(r, v), superstep, t);
}

__device__ __forceinline__ Message offer(const Run &r, const Params &p, u32 u, i32 superstep) {
#if defined(EDGE_SOURCE)
  return (Message)u;
#else
  return emit(vertex(r, u, superstep, 0), r.values[u], p);
#endif
}

// warp_room is shared memory of a warp, which phases have by turns.
static const u32 ROOM = 256;

__device__ __forceinline__ u32 *warp_room() {
  __shared__ u32 rooms[THREADS / 32][ROOM];
  return rooms[threadIdx.x >> 5];
}

static const u32 START_LIST = 512; // awake vertices that init makes a list of

// first_value is what init gives.
__device__ __forceinline__ Value first_value(const Run &r, const Params &p, u32 v, const Value &given, Tallies *t, bool &awake) {
  return init(vertex(r, v, -1, t), given, p, awake);
}

// value_of is the value of a vertex that has not settled; kept is its bit.
__device__ __forceinline__ Value value_of(const Run &r, const Params &p, u32 v, bool kept) {
#if SEEKS
  if (r.lazy && !kept) {
    Value given;
    memset(&given, 0, sizeof given);
    bool awake = false;
    return first_value(r, p, v, given, 0, awake);
  }
#endif
  return r.values[v];
}

__device__ __forceinline__ bool is_kept(const Run &r, u32 v) { return SEEKS && r.lazy && peek(r.kept + (v >> 5)) >> (v & 31) & 1; }

// keep stores what has become of v, and tells whether it is awake. Bits of its
// word are set by the caller where it owns the word, else atomically.
struct Fate {
  bool awake, settled, waits;
};

__device__ __forceinline__ Fate keep(const Run &r, const Params &p, u32 v, const Value &x, bool awake, u64 current, Value *values) {
  values[v] = x;
  Fate f = {awake, false, false};
#if WAITS
  if (awake && priority(x, p) > current) f.awake = false, f.waits = true;
#endif
#if SETTLES
  f.settled = settled(x);
#endif
#if SEEKS
  if (r.lazy && !f.settled && !is_kept(r, v)) atomicOr(r.kept + (v >> 5), 1u << (v & 31));
#endif
  return f;
}

__device__ __forceinline__ Fate keep(const Run &r, const Params &p, u32 v, const Value &x, bool awake, u64 current) {
  return keep(r, p, v, x, awake, current, r.values);
}

// ---- Phases over all vertices: a warp has a word of each bitmap ------------

// close writes the bits of one word, from what became of its vertices. fresh
// tells that the word's waiting bits are not yet set.
__device__ __forceinline__ u32 close(const Run &r, u32 word, Fate f, u32 *next, Found &found, u32 degree, bool fresh) {
  u32 awake = __ballot_sync(~0u, f.awake);
  u32 done = SETTLES ? __ballot_sync(~0u, f.settled) : 0;
  u32 waits = WAITS ? __ballot_sync(~0u, f.waits) : 0;
  if (f.awake) found.count++, found.arcs += degree;
  if (lane() == 0) {
    next[word] = awake;
    if (SETTLES) r.settled[word] = fresh ? done : r.settled[word] | done;
    if (WAITS) {
      u32 before = fresh ? 0 : r.waiting[word];
      u32 after = (before | waits) & ~awake;
      r.waiting[word] = after;
      found.waiting += (i64)__popc(after) - (i64)__popc(before);
    }
  }
  return awake;
}

// begin_at stores the first value of v.
__device__ __forceinline__ Fate begin_at(const Run &r, const Params &p, u32 v, Tallies *t, bool &keeps) {
  Value given;
  if (r.given) given = r.values[v];
  else memset(&given, 0, sizeof given);
  bool awake = false;
  Value value = first_value(r, p, v, given, t, awake);
#if SEEKS
  if (r.lazy) { // others' are left out
    Fate f = {awake, settled(value), false};
    keeps = awake && !f.settled;
    if (awake || f.settled) r.values[v] = value;
    return f;
  }
#endif
  return keep(r, p, v, value, awake, 0);
}

// start_list puts the awake vertices of a word on the first list, while they are
// few.
__device__ __forceinline__ void start_list(const Run &r, u32 v, u32 awake) {
  u32 *length = r.control->lengths + 2, at = START_LIST;
  if (!awake || !r.list[0]) return;
  if (lane() == 0 && peek(length) <= START_LIST) at = atomicAdd(length, __popc(awake));
  at = __shfl_sync(~0u, at, 0) + __popc(awake & ((1u << lane()) - 1));
  if (awake >> lane() & 1 && at < START_LIST) r.list[0][at] = v;
}

__device__ __forceinline__ void init_phase(const Run &r, const Params &p, Tallies *t, Found &found) {
  for (u32 word = global_warp(); word < r.words; word += global_warps()) {
    u32 v = word * 32 + lane();
    Fate f = {false, false, false};
    u32 degree = 0;
    bool keeps = false;
    if (v < r.n) {
      f = begin_at(r, p, v, t, keeps);
      if (f.awake) degree = out_degree(r, v); // few are: where init has no use for it, it is not read for all
      if (r.box[0] && !r.clean) r.box[0][v] = IDENTITY;
      if (r.box[1] && !r.clean) r.box[1][v] = IDENTITY;
    }
    if (lane() == 0) {
      if (r.touched[0]) r.touched[0][word] = 0;
      if (r.touched[1]) r.touched[1][word] = 0;
    }
    u32 awake = close(r, word, f, r.awake[0], found, degree, true);
#if SEEKS
    u32 kept = __ballot_sync(~0u, keeps);
    if (r.lazy && lane() == 0) r.kept[word] = kept;
    start_list(r, v, awake);
#endif
  }
}

#if SEEKS
// begin_phase is init_phase where values are written late and boxes are
// clean, so that all there is to set are bits. A warp has 32 words, a lane the bits of one.
__device__ __forceinline__ void begin_phase(const Run &r, const Params &p, Found &found) {
  for (u32 base = global_warp() * 32; base < r.words; base += global_warps() * 32) {
    u32 awake = 0, done = 0;
#pragma unroll 4
    for (u32 i = 0; i < 32; i++) {
      u32 v = (base + i) * 32 + lane();
      Value given;
      memset(&given, 0, sizeof given);
      bool wakes = false;
      Value value = first_value(r, p, v < r.n ? v : r.n - 1, given, 0, wakes);
      wakes &= v < r.n;
      bool over = v < r.n && settled(value);
      if (!__any_sync(~0u, wakes || over)) continue; // most often
      if (wakes) found.count++, found.arcs += out_degree(r, v);
      if (wakes || over) r.values[v] = value;
      u32 a = __ballot_sync(~0u, wakes), d = __ballot_sync(~0u, over);
      if (lane() == i) awake = a, done = d;
      start_list(r, v, a);
    }
    u32 word = base + lane();
    if (word >= r.words) continue;
    r.awake[0][word] = awake, r.settled[word] = done, r.kept[word] = awake & ~done;
    if (r.touched[0]) r.touched[0][word] = 0;
    if (r.touched[1]) r.touched[1][word] = 0;
  }
}

// fill_phase writes the first values of those who have not been given any other.
__device__ __forceinline__ void fill_phase(const Run &r, const Params &p) {
  u32 end = r.lazy & LAZY_ENDS ? r.ends : r.words;
  for (u32 base = global_warp() * 32; base < end; base += global_warps() * 32) {
    u32 mine = base + lane() < end ? r.settled[base + lane()] | r.kept[base + lane()] : ~0u;
    u32 words = __ballot_sync(~0u, mine != ~0u);
    while (words) {
      u32 i = __ffs(words) - 1;
      words &= words - 1;
      u32 v = (base + i) * 32 + lane();
      if (!(__shfl_sync(~0u, mine, i) >> lane() & 1) && v < r.n) r.values[v] = value_of(r, p, v, false);
    }
  }
}
#endif
