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

// Where pulling stops at the first and vertices settle (SEEKS), all that is left
// of a graph in the end are those who still seek an awake neighbour: see
// step_seek.cuh. And of most vertices init gives but the first value, which is not
// read again: what nothing was applied to is written when the run ends.
#if FIRST && SETTLES && !SILENT && !WAITS && defined(LOOP)
#define SEEKS 1
#else
#define SEEKS 0
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
static const u32 LIGHT_LOADS = 2, ROW_LOADS = 4;
static const u32 GATHER_BLOCKS = 6, APPLY_BLOCKS = 3;

// How many words of vertices a warp applies at a time: as many as leave their
// values, messages and neighbours in registers.
static const u32 APPLY_WORDS = sizeof(Value) + sizeof(Message) <= 8 ? 4 : sizeof(Value) + sizeof(Message) <= 16 ? 2 : 1;

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
  u64 arcs; // and who has brought some, as in the barrier's word
  u64 rest, waiting, least;
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
static const u32 CHUNK = 128;
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
  u32 ends;  // words of vertices: those behind have no arcs to receive along
  Arcs send[2], receive[2];
  Bins bins[2];
  Ranks ranks;
  const u32 *receivers; // bits: vertices with arcs to receive along
  const u32 *near;      // the first neighbours along receive[0], as in first.cuh; null: there are none
  Value *values;
  Message *box[2];
  u32 *touched[2];
  Message *offers[2]; // the second for the next superstep, where emit is LOCAL
  u32 *awake[3]; // the third where SEEKS
  u32 *settled, *waiting;
  u32 *kept; // bits: vertices that have not settled, and have a value other than init's, where lazy
  u32 *list[2];
  u32 *seekers;
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
  u32 mean;         // arcs of a vertex
  u32 light;        // arcs below which a vertex hears all when it is applied, if all are awake
  u32 lazy;         // values are init's, and unwritten, where a vertex has neither settled nor is kept
  u32 clean;        // boxes hold the identity before the run
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

// What a thread has found in a phase; a block adds it up.
struct Found {
  u32 count;   // vertices left awake, or touched
  u32 big;     // one of them has many arcs
  u64 arcs;    // of those
  u64 awake;   // vertices that a fused phase has woken
  u64 sent;    // their arcs
  i64 waiting; // vertices that have begun to wait, less those that have ceased to; where SEEKS, those that seek on
  u64 rest;    // arcs of those
};

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

__device__ __forceinline__ Fate keep(const Run &r, const Params &p, u32 v, const Value &x, bool awake, u64 current) {
  r.values[v] = x;
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
// fill_phase writes the first values of those who have not been given any other.
__device__ __forceinline__ void fill_phase(const Run &r, const Params &p) {
  for (u32 base = global_warp() * 32; base < r.words; base += global_warps() * 32) {
    u32 mine = base + lane() < r.words ? r.settled[base + lane()] | r.kept[base + lane()] : ~0u;
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

  // name loads the targets of up to K arcs of a row: i, i+STEP, … before length.
  // What other lanes share the sectors of is not kept in the caches.
  template <u32 K, u32 STEP>
  __device__ __forceinline__ void name(const u32 *row, u32 i, u32 length, u32 (&u)[K]) const {
#pragma unroll
    for (u32 j = 0; j < K; j++) u[j] = i + j * STEP >= length ? NONE : STEP == 1 ? row[i + j] : __ldcs(row + i + j * STEP);
  }

  // fetch loads what they offer. Those who sleep offer nothing.
  template <u32 K>
  __device__ __forceinline__ void fetch(u32 (&u)[K], Message (&x)[K]) const {
    if (!all) {
      u32 word[K];
#pragma unroll
      for (u32 j = 0; j < K; j++) word[j] = u[j] != NONE ? front[u[j] >> 5] : 0;
#pragma unroll
      for (u32 j = 0; j < K; j++)
        if (!(word[j] >> (u[j] & 31) & 1)) u[j] = NONE;
    }
#pragma unroll
    for (u32 j = 0; j < K; j++) {
#if defined(EDGE_SOURCE)
      x[j] = (Message)u[j];
#else
      x[j] = u[j] != NONE ? list[u[j]] : IDENTITY;
#endif
    }
  }

  // fold combines what comes along the arcs, the first of which is arc e.
  template <u32 K, u32 STEP>
  __device__ __forceinline__ bool fold(const Arcs &a, u64 e, const u32 (&u)[K], const Message (&x)[K], Message &m) const {
    bool heard = false;
#pragma unroll
    for (u32 j = 0; j < K; j++)
      if (u[j] != NONE) m = combine(m, along(x[j], u[j], a, e + j * STEP)), heard = true;
    return heard;
  }

  // hear combines what up to K arcs of a row bring, the row's first being arc e.
  // Loads of one kind are under way together.
  template <u32 K, u32 STEP>
  __device__ __forceinline__ bool hear(const Arcs &a, const u32 *row, u64 e, u32 i, u32 length, Message &m) const {
    u32 u[K];
    Message x[K];
    name<K, STEP>(row, i, length, u);
    fetch<K>(u, x);
    return fold<K, STEP>(a, e + i, u, x, m);
  }
};

// A Batch is W words of vertices, a vertex of each for a lane. What hangs on
// nothing but the vertex is loaded first, for all of them: the fewer times a warp
// waits, the better, as memory is far.
template <u32 W> struct Batch {
  u32 base; // the first word
  Value old[W]; // where not SEEKS
  Message m[W];
  u32 got[W], awake[W], open[W]; // bits
  bool has[W];
  u32 degree[W]; // out-degree
  u32 place[W];  // of the offer
};

template <bool PULLS, u32 W>
__device__ __forceinline__ void load(const Run &r, u32 side, const u32 *front, bool all, Batch<W> &b) {
#pragma unroll
  for (u32 q = 0; q < W; q++) {
    u32 word = b.base + q < r.words ? b.base + q : r.words - 1, v = word * 32 + lane();
    bool in = b.base + q < r.words && v < r.n;
    u32 at = v < r.n ? v : r.n - 1;
#if !SEEKS
    b.old[q] = r.values[at];
#endif
    if (PULLS) b.degree[q] = out_degree(r, at);
    b.awake[q] = SILENT && in ? (all ? ~0u : front[word]) : 0;
    b.open[q] = in ? (SETTLES ? ~r.settled[word] : ~0u) : 0;
#if BOXED
    b.m[q] = r.box[side][at];
    b.has[q] = in && b.m[q] != IDENTITY;
#else
    b.got[q] = b.base + q < r.words ? r.touched[side][word] : 0;
#endif
#if LOCAL
    if (PULLS) b.place[q] = place(r, at, true); // if not all are awake, the next superstep makes its offers anew
#endif
  }
#if !BOXED
#pragma unroll
  for (u32 q = 0; q < W; q++) {
    b.has[q] = b.got[q] >> lane() & 1;
    b.m[q] = b.has[q] ? r.box[side][(b.base + q) * 32 + lane()] : IDENTITY;
  }
#endif
}

// light adds to a batch what its vertices with few arcs receive along side k.
template <u32 W>
__device__ __forceinline__ void light(const Run &r, u32 k, const Offers &o, Batch<W> &b) {
  const Arcs &a = r.receive[k];
  const u32 *at = places(r, k, o.all);
  Offset e[W];
  u32 bound = o.all ? r.light : LIGHT, length[W], longest = 0;
#pragma unroll
  for (u32 q = 0; q < W; q++) {
    u32 v = (b.base + q) * 32 + lane();
    bool open = b.open[q] >> lane() & 1;
    e[q] = open ? a.offsets[v] : 0;
    Offset end = open ? a.offsets[v + 1] : 0;
    length[q] = end - e[q] < bound ? (u32)(end - e[q]) : 0;
    longest = length[q] > longest ? length[q] : longest;
  }
  for (u32 i = 0; i < longest; i += LIGHT_LOADS) {
    u32 u[W][LIGHT_LOADS];
    Message x[W][LIGHT_LOADS];
#pragma unroll
    for (u32 q = 0; q < W; q++) o.name<LIGHT_LOADS, 1>(at + e[q], i, length[q], u[q]);
#pragma unroll
    for (u32 q = 0; q < W; q++) o.fetch<LIGHT_LOADS>(u[q], x[q]);
#pragma unroll
    for (u32 q = 0; q < W; q++) b.has[q] |= o.fold<LIGHT_LOADS, 1>(a, e[q] + i, u[q], x[q], b.m[q]);
  }
}

// apply_phase applies what lies in the boxes, to which, when it pulls, each lane
// adds what a vertex with few arcs receives.
template <bool PULLS, u32 W>
__device__ __forceinline__ void apply_phase(const Run &r, const Params &p, i32 s, u32 side, const u32 *front, u32 *next, bool all,
                                            u32 turn, u64 current, Tallies *t, Found &found) {
  Offers offers(r, turn, front, all);
  Batch<W> b;
  for (b.base = global_warp() * W; b.base < r.words; b.base += global_warps() * W) {
    load<PULLS, W>(r, side, front, all, b);
#pragma unroll
    for (u32 q = 0; q < W; q++)
      if (b.has[q]) r.box[side][(b.base + q) * 32 + lane()] = IDENTITY;
    if (PULLS) {
      for (u32 k = 0; k < (BOTH ? r.sides : 1); k++) light<W>(r, k, offers, b);
    }
#pragma unroll
    for (u32 q = 0; q < W; q++) {
      u32 word = b.base + q, v = word * 32 + lane();
      if (word >= r.words) break;
      Fate f = {false, false, false};
      if (b.open[q] >> lane() & 1 && (b.has[q] || b.awake[q] >> lane() & 1)) {
        if (!PULLS) b.degree[q] = out_degree(r, v);
        Vertex x = vertex(r, v, b.degree[q], s, t);
        bool awake = false;
#if SEEKS
        b.old[q] = value_of(r, p, v, is_kept(r, v));
#endif
        Value value = apply(x, b.old[q], b.m[q], b.has[q], p, awake);
        f = keep(r, p, v, value, awake, current);
#if LOCAL
        x.superstep++;
        if (PULLS && b.place[q] != NONE) (turn ? r.offers[0] : r.offers[1])[b.place[q]] = emit(x, value, p);
#endif
      }
      close(r, word, f, next, found, b.degree[q], false);
      if (!BOXED && lane() == 0 && b.got[q]) r.touched[side][word] = 0; // close has met: all lanes have read it
    }
  }
}
