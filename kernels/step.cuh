// The superstep templates: what an edge program's functions are placed into.
//
// The engine writes before this file: base.cuh; the types Value, Message and
// Params; Vertex; one of COMBINE_MIN, MAX, SUM, OR, ANY; one of EDGE_COPY, PLUS,
// TIMES, LEAST, SOURCE; and as 0 or 1 SILENT, SETTLES, WAITS, FIRST (pulling
// stops at the first awake neighbour), WEIGHTED, BOTH (sent along both
// directions); then the program's own functions.
//
// A superstep pushes or pulls. What was pushed lies in boxes, one a vertex,
// combined by atomics; a vertex that got its first message is put on a list.
// Invariant: outside the vertices on that list a box holds the identity and its
// touched bit is 0. Where messages are ids of vertices combined by minimum
// (BOXED) the box alone tells whether a message came, and there are no such bits.
#pragma once

#if FIRST && defined(EDGE_SOURCE) && defined(COMBINE_MIN)
#define BOXED 1
#else
#define BOXED 0
#endif

struct Arcs {
  const Offset *offsets;
  const u32 *targets;
  const WEIGHT *weights;
};

// Rows are the vertices by how many arcs they receive along: those with fewer
// than LIGHT are read by the lane that applies to them, others before that: MID
// by 8 lanes, WIDE by a warp, hubs in chunks of HUB arcs by a warp each.
struct Bins {
  const u32 *mid, *wide;
  const u32 *hubs;    // rows
  const u32 *first;   // of each hub: its first chunk; one more than hubs
  const u64 *chunks;  // hub's row, and number of the chunk within it << 32
  u32 mids, wides, hub_count, chunk_count;
};

static const u32 LIGHT = 16;
static const u32 WIDE = 128;
static const u32 HUB = 4096;

// How many arcs a lane has under way, and how many blocks of 256 threads a
// multiprocessor shall hold: TUNING.md says what else was tried.
static const u32 LIGHT_LOADS = 4, ROW_LOADS = 4;
static const u32 GATHER_BLOCKS = 6, APPLY_BLOCKS = 4;

#ifndef RESIDENT
#define RESIDENT 2 // blocks of step_loop on a multiprocessor
#endif

// What one superstep was, for the host.
struct Record {
  u64 awake, arcs, next, nanoseconds;
  u32 pull, list;
};

// Sums over one phase, added to by one thread a block.
struct Sums {
  u64 arcs, unused, waiting, least;
};

struct Control {
  u64 barrier[4]; // see Grid in base.cuh
  Sums sums[4];
  // The frontier between supersteps.
  u64 count, arcs, waiting, current;
  u32 superstep, bits, side, done;
  // Lengths of the lists, and of that of chunks.
  u32 lengths[4];
  u32 chunks[4];
};

static const u32 HEAVY = 256; // a vertex of so many arcs is pushed in chunks
static const u32 CHUNK = 256;
static const u32 BIG_BLOCK = 8192; // arcs that a block may leave behind unnoticed

// Where some are heard by very many, offers made by all vertices lie by rank,
// those most heard first, so that they share cache lines; the rest of a Run knows
// nothing of ranks.
struct Ranks {
  const u32 *of;      // each vertex; NONE where nobody hears it. null: not ranked
  const u32 *targets; // those of receive[0], by rank
};

struct Run {
  u32 n, words;
  u32 sides; // arrays in send and receive
  Arcs send[2], receive[2];
  Bins bins[2];
  Ranks ranks;
  const u32 *receivers; // bits: vertices with arcs to receive along
  Value *values;
  Message *box[2];
  u32 *touched[2];
  Message *offers[2]; // the second for the next superstep, where emit is LOCAL
  u32 *awake[2];
  u32 *settled, *waiting;
  u32 *list[2];
  u64 *chunk;
  Message *partial[2]; // of chunks of hubs
  u8 *heard[2];
  Control *control;
  Record *records;
  Tallies *tallied; // by block
  u64 total;        // arcs to send along
  u32 direction;    // 0 auto, 1 push, 2 pull
  u32 given;        // values came with the run
  u32 heavies;      // a vertex has HEAVY arcs or more
  float alpha;      // pull when more than 1/alpha of all arcs would be pushed along
  u32 mean, unused; // arcs of a vertex
  u64 budget;       // nanoseconds before coming back to the host
};

// ---- Messages ------------------------------------------------------------

#if defined(COMBINE_ANY)
__device__ __forceinline__ Message combine(Message a, Message b) { return b; }
#elif defined(COMBINE_MIN)
__device__ __forceinline__ Message combine(Message a, Message b) { return b < a ? b : a; }
#elif defined(COMBINE_MAX)
__device__ __forceinline__ Message combine(Message a, Message b) { return b > a ? b : a; }
#elif defined(COMBINE_SUM)
__device__ __forceinline__ Message combine(Message a, Message b) { return a + b; }
#elif defined(COMBINE_OR)
__device__ __forceinline__ Message combine(Message a, Message b) { return a | b; }
#endif

__device__ __forceinline__ void atomic_min(u32 *p, u32 x) { atomicMin(p, x); }
__device__ __forceinline__ void atomic_min(i32 *p, i32 x) { atomicMin(p, x); }
__device__ __forceinline__ void atomic_min(u64 *p, u64 x) { atomicMin(p, x); }
__device__ __forceinline__ void atomic_min(i64 *p, i64 x) { atomicMin(p, x); }
__device__ __forceinline__ void atomic_max(u32 *p, u32 x) { atomicMax(p, x); }
__device__ __forceinline__ void atomic_max(i32 *p, i32 x) { atomicMax(p, x); }
__device__ __forceinline__ void atomic_max(u64 *p, u64 x) { atomicMax(p, x); }
__device__ __forceinline__ void atomic_max(i64 *p, i64 x) { atomicMax(p, x); }

// Floats of one sign are ordered as the integers of their bits, those below 0
// the other way round.
__device__ __forceinline__ void atomic_min(float *p, float x) {
  if (x != x) return;
  if (!signbit(x)) atomicMin((i32 *)p, __float_as_int(x));
  else atomicMax((u32 *)p, __float_as_uint(x));
}
__device__ __forceinline__ void atomic_max(float *p, float x) {
  if (x != x) return;
  if (!signbit(x)) atomicMax((i32 *)p, __float_as_int(x));
  else atomicMin((u32 *)p, __float_as_uint(x));
}
__device__ __forceinline__ void atomic_min(double *p, double x) {
  if (x != x) return;
  if (!signbit(x)) atomicMin((i64 *)p, __double_as_longlong(x));
  else atomicMax((u64 *)p, (u64)__double_as_longlong(x));
}
__device__ __forceinline__ void atomic_max(double *p, double x) {
  if (x != x) return;
  if (!signbit(x)) atomicMax((i64 *)p, __double_as_longlong(x));
  else atomicMin((u64 *)p, (u64)__double_as_longlong(x));
}
__device__ __forceinline__ void atomic_add(u32 *p, u32 x) { atomicAdd(p, x); }
__device__ __forceinline__ void atomic_add(i32 *p, i32 x) { atomicAdd(p, x); }
__device__ __forceinline__ void atomic_add(u64 *p, u64 x) { atomicAdd(p, x); }
__device__ __forceinline__ void atomic_add(i64 *p, i64 x) { atomicAdd((u64 *)p, (u64)x); }
__device__ __forceinline__ void atomic_add(float *p, float x) { atomicAdd(p, x); }
__device__ __forceinline__ void atomic_add(double *p, double x) { atomicAdd(p, x); }
template <class T> __device__ __forceinline__ void atomic_or(T *p, T x) {
  if (sizeof(T) == 4) atomicOr((u32 *)p, (u32)x);
  else atomicOr((u64 *)p, (u64)x);
}

// deliver combines a message into a box.
__device__ __forceinline__ void deliver(Message *p, Message x) {
#if defined(COMBINE_ANY)
  *(volatile Message *)p = x;
#elif defined(COMBINE_MIN)
  if (x < peek(p)) atomic_min(p, x);
#elif defined(COMBINE_MAX)
  if (x > peek(p)) atomic_max(p, x);
#elif defined(COMBINE_SUM)
  atomic_add(p, x);
#elif defined(COMBINE_OR)
  if (x & ~peek(p)) atomic_or(p, x);
#endif
}

// number makes a weight a message: towards zero and wrapping around where
// messages are whole numbers.
template <class M> __device__ __forceinline__ M number(WEIGHT w, M *) { return (M)(i64)w; }
__device__ __forceinline__ float number(WEIGHT w, float *) { return (float)w; }
__device__ __forceinline__ double number(WEIGHT w, double *) { return (double)w; }

// along is what an offer of u becomes on arc e. Unreached plus a weight is
// unreached.
__device__ __forceinline__ Message along(Message x, u32 u, const Arcs &a, u64 e) {
#if defined(EDGE_SOURCE)
  return (Message)u;
#elif defined(EDGE_COPY)
  return x;
#else
#if WEIGHTED
  Message w = number(a.weights[e], (Message *)0);
#else
  Message w = 1;
#endif
#if defined(UNREACHED) && !defined(EDGE_LEAST)
  if (x == IDENTITY) return x;
#endif
#if defined(EDGE_PLUS)
  return x + w;
#elif defined(EDGE_TIMES)
  return x * w;
#else
  return w < x ? w : x;
#endif
#endif
}

// ---- Vertices ------------------------------------------------------------

__device__ __forceinline__ u32 out_degree(const Run &r, u32 v) {
  u64 d = r.send[0].offsets[v + 1] - r.send[0].offsets[v];
  if (BOTH && r.sides > 1) d += r.send[1].offsets[v + 1] - r.send[1].offsets[v];
  return (u32)d;
}

__device__ __forceinline__ Vertex vertex(const Run &r, u32 v, i32 superstep, Tallies *t) {
  Vertex x;
  x.id = v;
  x.out_degree = out_degree(r, v);
  x.superstep = superstep;
  x.n = r.n;
  x.tallies = t;
  return x;
}

__device__ __forceinline__ Message offer(const Run &r, const Params &p, u32 u, i32 superstep) {
#if defined(EDGE_SOURCE)
  return (Message)u;
#else
  return emit(vertex(r, u, superstep, 0), r.values[u], p);
#endif
}

// What a thread has found in a phase; a block adds it up.
struct Found {
  u32 count;   // vertices left awake, or touched
  u32 big;     // one of them has many arcs
  u64 arcs;    // of those
  u64 awake;   // vertices that a fused phase has woken
  u64 sent;    // their arcs
  i64 waiting; // vertices that have begun to wait, less those that have ceased to
};

// keep stores what has become of v, and tells whether it is awake. Bits of its
// word are set by the caller where it owns the word, else atomically.
struct Fate {
  bool awake, settled, waits;
};

__device__ __forceinline__ Fate keep(const Run &r, const Params &p, u32 v, const Value &x, bool awake, u64 current) {
  r.values[v] = x;
  Fate f = {awake, false, false};
#if WAITS
  if (awake && priority(x, p) > current) f.awake = false, f.waits = true;
#endif
#if SETTLES
  f.settled = settled(x);
#endif
  return f;
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

__device__ __forceinline__ void init_phase(const Run &r, const Params &p, Tallies *t, Found &found) {
  for (u32 word = global_warp(); word < r.words; word += global_warps()) {
    u32 v = word * 32 + lane();
    Fate f = {false, false, false};
    u32 degree = 0;
    if (v < r.n) {
      Vertex x = vertex(r, v, -1, t);
      Value given;
      if (r.given) given = r.values[v];
      else memset(&given, 0, sizeof given);
      bool awake = false;
      Value value = init(x, given, p, awake);
      f = keep(r, p, v, value, awake, 0);
      degree = x.out_degree;
      if (r.box[0]) r.box[0][v] = IDENTITY;
      if (r.box[1]) r.box[1][v] = IDENTITY;
    }
    if (lane() == 0) {
      if (r.touched[0]) r.touched[0][word] = 0;
      if (r.touched[1]) r.touched[1][word] = 0;
    }
    close(r, word, f, r.awake[0], found, degree, true);
  }
}

// place is where the offer of v lies, in a superstep before which all were awake
// or not.
__device__ __forceinline__ u32 place(const Run &r, u32 v, bool all) { return all && r.ranks.of ? r.ranks.of[v] : v; }

__device__ __forceinline__ const u32 *places(const Run &r, u32 k, bool all) {
  return all && r.ranks.of ? r.ranks.targets : r.receive[k].targets;
}

__device__ __forceinline__ void emit_phase(const Run &r, const Params &p, i32 s, const u32 *awake, bool all) {
  for (u32 v = global_thread(); v < r.n; v += global_threads()) {
    if (!all && !test_bit(awake, v)) continue;
    u32 at = place(r, v, all);
    if (at != NONE) r.offers[0][at] = offer(r, p, v, s);
  }
}

// Offers are those of a superstep, and who makes them.
struct Offers {
  const Message *list;
  const u32 *front;
  bool all;

  __device__ __forceinline__ Offers(const Run &r, u32 turn, const u32 *f, bool a) : list(turn ? r.offers[1] : r.offers[0]), front(f), all(a) {}

  // hear combines what up to K arcs of a row bring: i, i+STEP, … before length.
  // row are the targets, the first of which is arc e. Loads of one kind are under
  // way together. What other lanes share the sectors of is not kept in the caches.
  template <u32 K, u32 STEP>
  __device__ __forceinline__ bool hear(const Arcs &a, const u32 *row, u64 e, u32 i, u32 length, Message &m) const {
    u32 u[K];
#pragma unroll
    for (u32 j = 0; j < K; j++) u[j] = i + j * STEP >= length ? NONE : STEP == 1 ? row[i + j] : __ldcs(row + i + j * STEP);
    if (!all) {
      u32 word[K];
#pragma unroll
      for (u32 j = 0; j < K; j++) word[j] = u[j] != NONE ? front[u[j] >> 5] : 0;
#pragma unroll
      for (u32 j = 0; j < K; j++)
        if (!(word[j] >> (u[j] & 31) & 1)) u[j] = NONE;
    }
    Message x[K];
#pragma unroll
    for (u32 j = 0; j < K; j++) {
#if defined(EDGE_SOURCE)
      x[j] = (Message)u[j];
#else
      x[j] = u[j] != NONE ? list[u[j]] : IDENTITY;
#endif
    }
    bool heard = false;
#pragma unroll
    for (u32 j = 0; j < K; j++)
      if (u[j] != NONE) m = combine(m, along(x[j], u[j], a, e + i + j * STEP)), heard = true;
    return heard;
  }
};

// light combines what a vertex with few arcs, e to end, receives along side k.
__device__ __forceinline__ bool light(const Run &r, u32 k, Offset e, Offset end, const Offers &o, Message &m) {
  const u32 *row = places(r, k, o.all) + e;
  u32 length = (u32)(end - e);
  bool heard = false;
  for (u32 i = 0; i < length; i += LIGHT_LOADS) heard |= o.hear<LIGHT_LOADS, 1>(r.receive[k], row, e, i, length, m);
  return heard;
}

// apply_phase applies what lies in the boxes, to which, when it pulls, each lane
// adds what a vertex with few arcs receives. All loads that hang on nothing but
// the vertex come first, so that they are under way together.
template <bool PULLS>
__device__ __forceinline__ void apply_phase(const Run &r, const Params &p, i32 s, u32 side, const u32 *front, u32 *next, bool all,
                                            u32 turn, u64 current, Tallies *t, Found &found) {
  Offers offers(r, turn, front, all);
  for (u32 word = global_warp(); word < r.words; word += global_warps()) {
    u32 v = word * 32 + lane();
    bool in = v < r.n;
    u32 at = in ? v : r.n - 1;
    Offset from[2] = {0, 0}, to[2] = {0, 0};
    if (PULLS) {
      from[0] = r.receive[0].offsets[at], to[0] = r.receive[0].offsets[at + 1];
      if (BOTH && r.sides > 1) from[1] = r.receive[1].offsets[at], to[1] = r.receive[1].offsets[at + 1];
    }
    Value old = r.values[at];
    u32 awake_word = SILENT && !all ? front[word] : ~0u;
#if BOXED
    Message boxed = r.box[side][at];
    bool has = in && boxed != IDENTITY;
    u32 got = 0;
#else
    u32 got = r.touched[side][word];
    bool has = got >> lane() & 1;
    Message boxed = has ? r.box[side][v] : IDENTITY;
#endif
    Message m = has ? boxed : IDENTITY;
    if (has) r.box[side][v] = IDENTITY;
    bool open = in && !(SETTLES && r.settled[word] >> lane() & 1);
    if (PULLS && open) {
      for (u32 k = 0; k < (BOTH ? r.sides : 1); k++)
        if (to[k] - from[k] < LIGHT) has |= light(r, k, from[k], to[k], offers, m);
    }
    Fate f = {false, false, false};
    u32 degree = 0;
    if (open && (has || SILENT && awake_word >> lane() & 1)) {
      Vertex x = vertex(r, v, s, t);
      bool awake = false;
      Value value = apply(x, old, m, has, p, awake);
      f = keep(r, p, v, value, awake, current);
      degree = x.out_degree;
#if LOCAL
      if (PULLS) {
        x.superstep++;
        u32 to = place(r, v, true); // if not all are awake, the next superstep makes its offers anew
        if (to != NONE) (turn ? r.offers[0] : r.offers[1])[to] = emit(x, value, p);
      }
#endif
    }
    close(r, word, f, next, found, degree, false);
    if (!BOXED && lane() == 0 && got) r.touched[side][word] = 0; // close has met: all lanes have read it
  }
}
