// Shortest paths from one vertex: near-far relaxation, then parents.
//
// A window [lo, hi) of distances slides upwards. Vertices whose distance lies in
// it stand in the near list; round after round, the arcs of the list's vertices
// are relaxed, and a vertex that gets nearer and stays below hi is put into the
// next list. When the list is empty all distances below hi are final; one look at
// the column of distances then collects the next window, [hi, hi + width). The
// far pile is that column itself: nothing is stored for it. (Meyer and Sanders,
// Δ-stepping, 2003; Davidson, Baxter, Garland and Owens, Work-efficient parallel
// GPU methods for single-source shortest paths, IPDPS 2014.)
//
// Relaxation is in place, by atomicMin: an offer may be seen in the round that
// made it. That is no breach of the answer: minimum is idempotent and monotone,
// addition is monotone, so the distances sink to the same least fixed point in
// every order. What keeps it right: who lowers a distance below hi puts the
// vertex into the next list, and that list's vertices are read after the barrier.
//
// DIST_KIND 0: distances of 32 bits, with a flag when a sum does not fit; 1: of 64
// bits; 2: float64, as its bits, whose order is that of the numbers as long as
// none is negative.
#include "worklist.cuh"

#ifndef DIST_KIND
#define DIST_KIND 0
#endif

#if DIST_KIND == 0
typedef u32 Dist;
static const Dist FAR = 0xffffffffu;
#elif DIST_KIND == 1
typedef u64 Dist;
static const Dist FAR = 0x7fffffffffffffffull;
#else
typedef u64 Dist;
static const Dist FAR = 0x7ff0000000000000ull;  // infinity
#endif

// A window whose rounds had less load than LIGHT on average is followed by one
// twice as wide: a round of so few costs hardly more than the barrier. One with
// more than FULL is followed by one half as wide, and from a round of more than
// HEAVY on half of the window waits, as long as it is wider than it has to be.
static const u64 LIGHT = 4 * 1024;
static const u64 FULL = 16 * 1024;
static const u64 HEAVY = 96 * 1024;

#if DIST_KIND == 2
__device__ __forceinline__ Dist plus(Dist d, double w) { return (Dist)__double_as_longlong(__dadd_rn(__longlong_as_double((i64)d), w)); }
#if WEIGHTED
__device__ __forceinline__ double weight_of(const void *weights, Offset i) { return (double)__ldg((const WEIGHT *)weights + i); }
#else
__device__ __forceinline__ double weight_of(const void *, Offset) { return 1; }
#endif
__device__ __forceinline__ Dist raised(Dist lo, Dist width) { return min(FAR, max(lo + 1, plus(lo, __longlong_as_double((i64)width)))); }
__device__ __forceinline__ Dist doubled(Dist width) { return (Dist)__double_as_longlong(fmin(1e300, 2 * __longlong_as_double((i64)width))); }
__device__ __forceinline__ Dist halved(Dist width) { return (Dist)__double_as_longlong(0.5 * __longlong_as_double((i64)width)); }
#else
__device__ __forceinline__ Dist plus(Dist d, u32 w) { return d + w; }
#if WEIGHTED
__device__ __forceinline__ u32 weight_of(const void *weights, Offset i) { return (u32)__ldg((const i32 *)weights + i); }
#else
__device__ __forceinline__ u32 weight_of(const void *, Offset) { return 1; }
#endif
__device__ __forceinline__ Dist raised(Dist lo, Dist width) { return width >= FAR - lo ? FAR : lo + width; }
__device__ __forceinline__ Dist doubled(Dist width) { return width >= FAR / 2 ? FAR : 2 * width; }
__device__ __forceinline__ Dist halved(Dist width) { return max((Dist)1, width / 2); }
#endif

__device__ __forceinline__ Dist lower(Dist *p, Dist d) { return atomicMin(p, d); }

// What is kept between launches; programs/sssp/device.go knows the layout.
struct State {
  u64 barrier[4], counts[4], least[4];  // of the relaxation
  u64 hang_barrier[4], hang_counts[4];  // of the parents
  u64 lo, hi, width;
  u64 load;              // of the rounds of this window
  u64 rounds, vertices, arcs;  // in all: list rounds, vertices and arcs visited
  u32 round, window_rounds, scanned, relaxed;
  u32 phase, hang_round, overflow;
  u32 pulled;  // parents are, by sssp_nearest
  u64 sweep_barrier[4], near_barrier[4];
  u64 bound, early;  // sssp_nearest: the first sweep's cmin; counts of the list of those below
  u32 orphans;       // reached vertices that it has left
  u32 marks;         // in which of the two bitmaps the last sweep has marked who changed
  u64 again_barrier[4], adopt_barrier[4];
  u64 changed;  // by the last sweep, if the last round was one
};
static const u32 NO_MARKS = 2;
static const u64 UNKNOWN = ~0ull;
static_assert(sizeof(State) == 408, "as in programs/sssp/device.go");

extern "C" __global__ void __launch_bounds__(256) sssp_init(u32 n, u32 source, u64 width, const Offset *offsets, void *distances, u32 *parent, u32 *bits0, u32 *bits1,
                                                            u32 *list, uint2 *chunks, State *state) {
  Dist *dist = (Dist *)distances;
  for (u64 v = global_thread(); v < n; v += global_threads()) {
    dist[v] = v == source ? 0 : FAR;
    if (parent) parent[v] = NONE;
    if (v % 32 == 0) bits0[v / 32] = bits1[v / 32] = 0;
  }
  Offset degree = offsets[source + 1] - offsets[source];
  u32 cut = degree > FEW ? (u32)((degree + CHUNK - 1) / CHUNK) : 0;
  for (u32 i = global_thread(); i < cut; i += global_threads()) chunks[i] = make_uint2(source, i);
  if (global_thread() != 0) return;
  list[0] = source;
  State s = {};
  for (int i = 1; i < 4; i++) s.least[i] = FAR;  // the source's own is 0
  s.counts[0] = cut ? (u64)cut << 32 : degree > 0;
  s.vertices = s.counts[0] != 1;  // no list of vertices has the source
  s.width = width;
  s.hi = raised(0, (Dist)width);
  s.marks = NO_MARKS;
  s.changed = UNKNOWN;
  *state = s;
}

// The relaxation of arcs.
struct Relax {
  const Offset *offsets;
  const void *weights;
  Dist *dist;
  u32 *listed, *next_listed;  // vertices of the list, and of the next
  Dist hi;
  bool direct;  // do not look before the atomic
  bool over;    // a sum did not fit
  Pusher *out;

  __device__ __forceinline__ bool open(u32 v, bool first, Dist &d) {
    if (first) unmark(listed, v);
    d = peek(dist + v);
    return d < hi;
  }

  __device__ __forceinline__ void visit(Arcs<Dist> &a) {
    Dist to[AHEAD], was[AHEAD];
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++)
      if (a.ok[k]) {
        to[k] = plus(a.value[k], weight_of(weights, a.index[k]));
#if DIST_KIND == 0
        if (to[k] < a.value[k] || to[k] == FAR) over = true, a.ok[k] = false;
#endif
      }
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) was[k] = a.ok[k] && !direct ? peek(dist + a.target[k]) : FAR;
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      a.ok[k] = a.ok[k] && to[k] < was[k];
      if (a.ok[k]) was[k] = lower(dist + a.target[k], to[k]);
    }
    Offset degree[AHEAD];
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      degree[k] = 0;
      a.ok[k] = a.ok[k] && to[k] < was[k] && to[k] < hi;
      if (a.ok[k]) {
        degree[k] = __ldg(offsets + a.target[k] + 1) - __ldg(offsets + a.target[k]);
        a.ok[k] = mark(next_listed, a.target[k]);
      }
    }
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) out->push(a.ok[k], a.target[k], degree[k]);
  }
};

// Puts the vertices with distances in [lo, hi) that have arcs into the list, and
// returns the least distance beyond, FAR if there is none.
__device__ __forceinline__ Dist collect(u32 n, const Offset *offsets, const Dist *dist, Dist lo, Dist hi, Pusher &out) {
  Dist least = FAR;
  for (u64 at = (u64)global_warp() * 32 * AHEAD; at < n; at += (u64)global_warps() * 32 * AHEAD) {
    Dist d[AHEAD];
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      u64 v = at + 32 * k + lane();
      d[k] = v < n ? peek(dist + v) : FAR;
    }
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      u32 v = (u32)at + 32 * k + lane();
      bool in = d[k] >= lo && d[k] < hi;
      if (d[k] >= hi) least = min(least, d[k]);
      if (!__any_sync(~0u, in)) continue;
      out.push(in, v, in ? offsets[v + 1] - offsets[v] : 0);
    }
  }
  return least;
}

// The least of what the threads of a block have, in thread 0.
__device__ __forceinline__ Dist block_least(Dist x) {
  __shared__ Dist all;
  if (threadIdx.x == 0) all = FAR;
  __syncthreads();
  if (x < FAR) lower(&all, x);
  __syncthreads();
  return all;
}

// Relaxes until all distances are final, a sum has not fitted, or the time is
// over. base is the least width of a window; adapt tells whether it may be wider.
extern "C" __global__ void __launch_bounds__(512, 2)
    sssp_relax(u32 n, const Offset *offsets, const u32 *targets, const void *weights, void *distances, u32 *bits0, u32 *bits1, u32 *list0, u32 *list1, uint2 *chunks0, uint2 *chunks1,
               State *state, u64 base, u32 adapt, u64 limit) {
  __shared__ u32 buffers[THREADS / 32][64];
  if (peek(&state->relaxed)) return;  // overflow may be set by a block that is ahead
  Dist *dist = (Dist *)distances;
  Lists lists = {list0, list1, chunks0, chunks1};
  Grid grid(state->barrier);
  u64 start = nanoseconds();
  u32 round = peek(&state->round), window_rounds = peek(&state->window_rounds), scanned = peek(&state->scanned), relaxed = 0;
  Dist lo = (Dist)peek(&state->lo), hi = (Dist)peek(&state->hi), width = (Dist)peek(&state->width);
  u64 load = peek(&state->load), rounds = 0, vertices = 0, arcs = 0;
  bool over = false;
  Pusher out;
  for (;;) {
    u64 counts = peek(&state->counts[round & 3]);
    if (global_thread() == 0) {
      state->counts[(round + 2) & 3] = 0;
      state->least[(round + 2) & 3] = FAR;
    }
    out.begin(buffers[threadIdx.x >> 5], lists.vertices(round + 1), lists.chunks(round + 1), &state->counts[(round + 1) & 3]);
    if (counts) {
      u64 now = load_of(counts);
      if (adapt && now > HEAVY && width > (Dist)base) {
        width = max((Dist)base, halved(width));
        hi = min(hi, raised(lo, width));
      }
      load += now;
      window_rounds++;
      vertices += vertices_of(counts);
      scanned = 0;
      bool odd = round & 1;
      Relax body = {offsets, weights, dist, odd ? bits1 : bits0, odd ? bits0 : bits1, hi, now < 4 * global_warps(), false, &out};
      arcs += visit_chunks<Dist>(body, global_warp(), lists.chunks(round), chunks_of(counts), offsets, targets);
      arcs += visit_list<Dist>(body, last_warp(), lists.vertices(round), vertices_of(counts), offsets, targets);
      over |= body.over;
    } else {
      lo = hi;
      if (scanned) lo = (Dist)peek(&state->least[round & 3]);
      if (lo >= FAR) {
        if (rounds == 0) grid.sync();  // all have read the state
        relaxed = 1;
        break;
      }
      if (adapt && window_rounds > 0) {
        if (load < LIGHT * window_rounds) width = doubled(width);
        else if (load > FULL * window_rounds && width > (Dist)base) width = max((Dist)base, halved(width));
      }
      hi = raised(lo, width);
      load = window_rounds = 0;
      scanned = 1;
      Dist least = block_least(collect(n, offsets, dist, lo, hi, out));
      if (threadIdx.x == 0 && least < FAR) atomicMin(&state->least[(round + 1) & 3], (u64)least);
    }
    out.end();
    if (over) state->overflow = 1;
    u64 leave = 0;
    if (global_thread() == 0 && round % 16 == 15) leave = nanoseconds() - start > limit || peek(&state->overflow);
    round++;
    rounds++;
    if (grid.sync(leave)) break;
  }
  if (lane() == 0 && arcs) atomicAdd(&state->arcs, arcs);
  if (global_thread() != 0) return;
  state->round = round;
  state->window_rounds = window_rounds;
  state->scanned = scanned;
  state->lo = lo;
  state->hi = hi;
  state->width = width;
  state->load = load;
  state->rounds += rounds;
  state->vertices += vertices;
  state->relaxed = relaxed;
}

// The number by which a parent is told: its own, or the one it had before the graph was prepared. Of several
// the least is.
struct Named {
  const u32 *order; // null: its own

  __device__ __forceinline__ u32 of(u32 u) const { return order ? order[u] : u; }
};

// Gives targets of tight arcs from nearer vertices the least source.
struct Tight {
  const void *weights;
  const Dist *dist;
  Named named;
  u32 *parent;

  __device__ __forceinline__ bool open(u32 v, bool, Dist &d) {
    d = dist[v];
    return true;
  }

  __device__ __forceinline__ void visit(Arcs<Dist> &a) {
    Dist to[AHEAD];
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) to[k] = a.ok[k] ? dist[a.target[k]] : 0;
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      if (a.value[k] >= to[k] || !a.ok[k] || plus(a.value[k], weight_of(weights, a.index[k])) != to[k]) continue;
      u32 u = named.of(a.source[k]);
      if (peek(parent + a.target[k]) > u) atomicMin(parent + a.target[k], u);
    }
  }
};

// Gives waiting targets of tight arcs from vertices that do not wait the least
// source, and lists them.
struct Hang {
  const Offset *offsets;
  const void *weights;
  const Dist *dist;
  Named named;
  u32 *parent, *waiting;
  Pusher *out;

  __device__ __forceinline__ bool open(u32 v, bool, Dist &d) {
    d = dist[v];
    return !marked(waiting, v);
  }

  __device__ __forceinline__ void visit(Arcs<Dist> &a) {
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      bool first = false;
      if (a.ok[k] && marked(waiting, a.target[k]) && plus(a.value[k], weight_of(weights, a.index[k])) == dist[a.target[k]])
        first = atomicMin(parent + a.target[k], named.of(a.source[k])) == NONE;
      Offset degree = first ? offsets[a.target[k] + 1] - offsets[a.target[k]] : 0;
      out->cut(first && degree > FEW, a.target[k], degree);
      out->vertex(first && degree <= FEW, a.target[k]);  // without arcs too: it waits no more
    }
  }
};

// Marks the reached vertices without a parent, but for the source, and returns
// how many a block's threads have found, in thread 0.
__device__ __forceinline__ u64 find_waiting(u32 n, u32 source, const Dist *dist, const u32 *parent, u32 *waiting) {
  __shared__ u32 all;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  u32 count = 0;
  for (u64 at = (u64)global_warp() * 32; at < n; at += (u64)global_warps() * 32) {
    u64 v = at + lane();
    bool waits = v < n && v != source && peek(parent + v) == NONE && dist[v] != FAR;
    u32 word = __ballot_sync(~0u, waits);
    if (lane() == 0) waiting[at / 32] = word;
    count += __popc(word);
  }
  if (lane() == 0 && count) atomicAdd(&all, count);
  __syncthreads();
  return all;
}

// The phases of the parents, in this order; HANG and HUNG take turns.
enum { COLLECT, TIGHT, WAIT, HANG, HUNG, DONE };

// Parents of the reached vertices (programs/sssp/parents.go): the least source of
// a tight arc from a nearer vertex; those that are left, level by level, the least
// source of a tight arc from a vertex of a level before. It does nothing before
// the distances are final. order: see Named.
extern "C" __global__ void __launch_bounds__(512, 2)
    sssp_parents(u32 n, u32 source, const Offset *offsets, const u32 *targets, const void *weights, const void *distances, const u32 *order, u32 *parent, u32 *waiting, u32 *list0, u32 *list1, uint2 *chunks0,
                 uint2 *chunks1, State *state, u64 limit) {
  __shared__ u32 buffers[THREADS / 32][64];
  u32 phase = peek(&state->phase);
  if (!peek(&state->relaxed) || peek(&state->overflow) || phase == DONE) return;
  if (peek(&state->pulled) && peek(&state->orphans) == 0) {
    if (global_thread() == 0) state->phase = DONE;
    return;
  }
  const Dist *dist = (const Dist *)distances;
  Lists lists = {list0, list1, chunks0, chunks1};
  Grid grid(state->hang_barrier);
  u64 start = nanoseconds(), arcs = 0;
  u32 round = peek(&state->hang_round);
  Pusher out;
  while (phase != DONE) {
    u64 counts = peek(&state->hang_counts[round & 3]), bring = 0;
    out.begin(buffers[threadIdx.x >> 5], lists.vertices(round + 1), lists.chunks(round + 1), &state->hang_counts[(round + 1) & 3]);
    if (phase == COLLECT) {
      collect(n, offsets, dist, 0, FAR, out);
    } else if (phase == TIGHT) {
      Tight body = {weights, dist, {order}, parent};
      arcs += visit_chunks<Dist>(body, global_warp(), lists.chunks(round), chunks_of(counts), offsets, targets);
      arcs += visit_list<Dist>(body, last_warp(), lists.vertices(round), vertices_of(counts), offsets, targets);
    } else if (phase == WAIT) {
      bring = find_waiting(n, source, dist, parent, waiting);
    } else if (phase == HANG) {
      Hang body = {offsets, weights, dist, {order}, parent, waiting, &out};
      arcs += visit_chunks<Dist>(body, global_warp(), lists.chunks(round), chunks_of(counts), offsets, targets);
      arcs += visit_list<Dist>(body, last_warp(), lists.vertices(round), vertices_of(counts), offsets, targets);
    } else {
      if (global_thread() == 0) state->hang_counts[(round + 2) & 3] = 0;
      for (u64 i = global_thread(); i < vertices_of(counts); i += global_threads()) unmark(waiting, peek(lists.vertices(round) + i));
      for (u64 i = global_thread(); i < chunks_of(counts); i += global_threads()) unmark(waiting, peek(lists.chunks(round) + i).x);
    }
    out.end();
    if (global_thread() == 0 && nanoseconds() - start > limit) bring += 1ull << 40;
    u64 sum = grid.sync(bring);
    if (phase == COLLECT || phase == HANG) round++;
    if (phase == WAIT) phase = (sum & ((1ull << 40) - 1)) ? HANG : DONE;
    else if (phase == HANG) phase = peek(&state->hang_counts[round & 3]) ? HUNG : DONE;
    else if (phase == HUNG) phase = HANG;
    else phase++;
    if (sum >> 40) break;
  }
  if (lane() == 0 && arcs) atomicAdd(&state->arcs, arcs);
  if (global_thread() == 0) {
    state->phase = phase;
    state->hang_round = round;
  }
}

#include "sssp_nearest.cuh"
