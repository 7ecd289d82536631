// Minimum spanning forest by Borůvka's rounds.
//
// Edges are compared by weight, then by their lesser, then by their greater end:
// no two edges of the simple graph are equal, so there is one forest. Seen from one
// vertex that is the order of (weight, neighbor); such a pair is 64 bits, and
// tells the edge. Of a component, the least (weight, lesser end) is found first
// and then, among the edges that have it, the least greater end.
//
// Round 0 (mst_first, mst_first_pieces, mst_join, mst_settle): every vertex takes
// its least edge. Later rounds (mst_begin, mst_find, mst_find_pieces,
// mst_find_hubs, mst_tie, mst_hook, mst_settle_roots, mst_relabel): vertices that
// have edges out of their component propose the least; every component but one,
// the giant, takes the least proposed, and hangs itself below the component at
// its other end. The giant never chooses and stays a root, so its vertices, which
// have most arcs, need not look.
//
// Invariants: candidate[v] is the least arc of v that leaves v's component, or is
// inside it together with all lesser ones; so lists are read again only when it
// has come inside, and from there on. At the start of a round component[] is
// flat. Every root hangs itself below another at most once, and keeps the edge
// it did that for: that is the forest.
//
// Cost: O(m) for round 0; then O(m) for a round at worst, at most log2 n of them,
// and in practice once more the lists outside of the giant.
#include "giant.cuh"
#include "sort.cuh"
#include "tally.cuh"

#ifndef LANE_LIST
#define LANE_LIST 32
#endif
#ifndef WARP_LIST
#define WARP_LIST 512
#endif

static const u64 NOTHING = ~0ull;

struct Arcs {
  const Offset *offsets;
  const u32 *targets;
  const WEIGHT *weights;
};

// Zero before round 0.
struct Control {
  u32 round;
  u32 found, giant; // giant: once it is found
  u32 hubs, pieces; // lengths
  u32 list[2], roots[2];
  u32 unused;
  u64 tally[2];  // of a traced run
};
static_assert(sizeof(Control) == 56, "as in programs/mst/device.go");

struct Forest {
  Arcs out, in;                     // in: of a directed graph
  u32 *component, *parent;          // by vertex; by root
  u64 *candidate;                   // by vertex: weight and neighbor
  u64 *best;                        // by root: least weight and lesser end
  u32 *other;                       // by root: greater end of that edge
  u64 *edge;                        // by vertex: the ends of the edge it was hung for, the lesser above
  u32 *weight;                      // of that edge
  u32 *list[2], *roots[2];          // vertices that propose; roots that choose
  u32 *hub;                         // vertices whose lists are read in pieces
  u64 *low;                         // by hub: the least arc it looks for
  u64 *piece;                       // hub and number
  Control *control;
  u64 arcs;
  u32 n, directed;
};
static_assert(sizeof(Forest) == 184, "the host fills in the fields");

// arc_at is arc e as weight and neighbor.
__device__ __forceinline__ u64 arc_at(const Arcs &a, u64 e) {
#if WEIGHTED
  return (u64)sort_key(a.weights[e]) << 32 | a.targets[e];
#else
  return (u64)0x80000001u << 32 | a.targets[e];
#endif
}

// The arcs of a vertex are its out-arcs, then its in-arcs if the graph is
// directed, numbered from 0.
struct List {
  u64 out, in;       // where they begin
  u64 outs, degree;
};

__device__ __forceinline__ List list_of(const Forest &f, u32 v) {
  List l;
  l.out = f.out.offsets[v];
  l.outs = f.out.offsets[v + 1] - l.out;
  l.in = 0;
  l.degree = l.outs;
  if (f.directed) {
    l.in = f.in.offsets[v];
    l.degree += f.in.offsets[v + 1] - l.in;
  }
  return l;
}

// A Search is for the least arc of v, from low on, that leaves component c; in
// round 0 that is one to another vertex.
struct Search {
  u32 v, c;
  u64 low;
};

// scan looks at arcs from to end, step apart, for one less than best.
template <bool FIRST> __device__ __forceinline__ u64 scan(const Forest &f, const Arcs &a, u64 from, u64 end, u32 step, const Search &s, u64 best) {
  for (u64 e = from; e < end; e += 4 * step) {
    u64 k[4];
#pragma unroll
    for (u32 j = 0; j < 4; j++) k[j] = e + j * step < end ? arc_at(a, e + j * step) : NOTHING;
#pragma unroll
    for (u32 j = 0; j < 4; j++) {
      if (k[j] >= best || k[j] < s.low) continue;
      u32 u = (u32)k[j];
      if (FIRST ? u != s.v : f.component[u] != s.c) best = k[j];
    }
  }
  return best;
}

// scan_list looks at arcs lo to hi of a list; the caller's are those at first,
// first + step and so on.
template <bool FIRST> __device__ __forceinline__ u64 scan_list(const Forest &f, const List &l, u64 lo, u64 hi, u32 first, u32 step, const Search &s, u64 best) {
  if (lo < l.outs) best = scan<FIRST>(f, f.out, l.out + lo + first, l.out + min(hi, l.outs), step, s, best);
  if (hi > l.outs) best = scan<FIRST>(f, f.in, l.in + max(lo, l.outs) - l.outs + first, l.in + hi - l.outs, step, s, best);
  return best;
}

__device__ __forceinline__ u64 warp_min(u64 x) {
  for (int d = 16; d; d >>= 1) x = min(x, __shfl_xor_sync(~0u, x, d));
  return x;
}

// defer puts the pieces of v's list on the list of pieces. A warp calls it.
__device__ __forceinline__ void defer(const Forest &f, const Search &s, u64 degree) {
  u32 count = (u32)((degree + WARP_LIST - 1) / WARP_LIST), slot = 0, at = 0;
  if (lane() == 0) {
    slot = atomicAdd(&f.control->hubs, 1u);
    at = atomicAdd(&f.control->pieces, count);
    f.hub[slot] = s.v;
    f.low[slot] = s.low;
  }
  slot = __shfl_sync(~0u, slot, 0);
  at = __shfl_sync(~0u, at, 0);
  for (u32 i = lane(); i < count; i += 32) f.piece[at + i] = (u64)slot << 32 | i;
}

// search finds what each lane of a warp searches for, if it does. Short lists
// are read by their lane, longer ones by the warp; the longest are deferred, and
// nothing is found for now.
template <bool FIRST> __device__ __forceinline__ u64 search(const Forest &f, bool wanted, const Search &s TALLY(, Tally &tally)) {
  u64 best = NOTHING, degree = 0;
  if (wanted) {
    List l = list_of(f, s.v);
    degree = l.degree;
    TALLY(if (degree <= WARP_LIST) tally.arcs += degree;)
    if (degree <= LANE_LIST) best = scan_list<FIRST>(f, l, 0, degree, 0, 1, s, best);
  }
  u32 left = __ballot_sync(~0u, degree > LANE_LIST);
  while (left) {
    int owner = __ffs(left) - 1;
    left &= left - 1;
    Search theirs = {__shfl_sync(~0u, s.v, owner), __shfl_sync(~0u, s.c, owner), __shfl_sync(~0u, s.low, owner)};
    List l = list_of(f, theirs.v);
    if (l.degree > WARP_LIST) {
      defer(f, theirs, l.degree);
    } else {
      u64 b = warp_min(scan_list<FIRST>(f, l, 0, l.degree, lane(), 32, theirs, NOTHING));
      if (lane() == owner) best = b;
    }
  }
  return best;
}

// search_pieces reads the deferred pieces, a warp each.
template <bool FIRST> __device__ __forceinline__ void search_pieces(const Forest &f) {
  TALLY(Tally tally;)
  u32 count = f.control->pieces;
  for (u64 i = global_warp(); i < count; i += global_warps()) {
    u64 p = f.piece[i];
    u32 v = f.hub[p >> 32];
    Search s = {v, FIRST ? v : f.component[v], f.low[p >> 32]};
    List l = list_of(f, v);
    u64 lo = (p & 0xffffffffu) * WARP_LIST;
    u64 b = scan_list<FIRST>(f, l, lo, min(lo + WARP_LIST, l.degree), lane(), 32, s, peek(f.candidate + v));
    b = warp_min(b);
    TALLY(if (lane() == 0) tally.arcs += min(lo + WARP_LIST, l.degree) - lo, tally.atomics += b < peek(f.candidate + v);)
    if (lane() == 0 && b < peek(f.candidate + v)) atomicMin(f.candidate + v, b);
  }
  TALLY(tally.flush(f.control->tally);)
}

// ---- Round 0 -------------------------------------------------------------

extern "C" __global__ void mst_first(Forest f) {
  TALLY(Tally tally;)
  for (u64 base = (u64)global_warp() * 32; base < f.n; base += (u64)global_warps() * 32) {
    u64 v = base + lane();
    Search s = {(u32)v, (u32)v, 0};
    u64 k = search<true>(f, v < f.n, s TALLY(, tally));
    if (v < f.n) f.candidate[v] = k;
  }
  TALLY(tally.flush(f.control->tally);)
}

extern "C" __global__ void mst_first_pieces(Forest f) { search_pieces<true>(f); }

__device__ __forceinline__ u64 ends(u32 u, u32 v) { return (u64)min(u, v) << 32 | max(u, v); }

// Every vertex hangs itself below the neighbor at its least edge. Of two that
// have the same least edge, the lesser stays a root.
extern "C" __global__ void mst_join(Forest f) {
  for (u64 i = global_thread(); i < f.n; i += global_threads()) {
    u32 v = (u32)i, parent = v;
    u64 k = f.candidate[v], edge = NOTHING;
    if (k != NOTHING) {
      u32 u = (u32)k;
      if (v > u || (u32)f.candidate[u] != v) {
        parent = u;
        edge = ends(u, v);
      }
    }
    f.parent[v] = parent;
    f.edge[v] = edge;
    f.weight[v] = (u32)(k >> 32);
  }
}

extern "C" __global__ void mst_settle(Forest f) {
  for (u64 base = (u64)global_warp() * 32; base < f.n; base += (u64)global_warps() * 32) {
    u64 v = base + lane();
    bool root = false;
    if (v < f.n) {
      u32 r = walk(f.parent, (u32)v);
      f.component[v] = r;
      f.best[v] = NOTHING;
      f.other[v] = NONE;
      root = r == v && f.candidate[v] != NOTHING;
    }
    u32 at = append(&f.control->roots[0], root);
    if (root) f.roots[0][at] = (u32)v;
  }
}

// ---- Later rounds ----------------------------------------------------------

// Round r reads lists (r-1) mod 2 and writes lists r mod 2.
__device__ __forceinline__ u32 from_list(const Forest &f) { return (f.control->round - 1) & 1; }
__device__ __forceinline__ u32 to_list(const Forest &f) { return f.control->round & 1; }
__device__ __forceinline__ u32 giant_of(const Forest &f) { return f.control->found ? f.control->giant : NONE; }

// One block of SAMPLES threads. The giant is the first component seen to hold an
// eighth of all ends of arcs, for good: its vertices stop to propose.
extern "C" __global__ void __launch_bounds__(1024) mst_begin(Forest f) {
  Control *c = f.control;
  bool look = !c->found && f.arcs > 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    u32 to = ++c->round & 1;
    c->list[to] = c->roots[to] = c->hubs = c->pieces = 0;
  }
  if (!look) return;
  Giant g = most_frequent(f.out.targets, f.arcs, f.component);
  if (threadIdx.x == 0 && g.count >= SAMPLES / 8) {
    c->giant = g.root;
    c->found = 1;
  }
}

__device__ __forceinline__ u64 least_key(u32 v, u64 candidate) {
  return (candidate & 0xffffffff00000000ull) | min(v, (u32)candidate);
}

__device__ __forceinline__ void propose(const Forest &f, u32 c, u32 v, u64 candidate TALLY(, Tally &tally)) {
  u64 k = least_key(v, candidate);
  TALLY(tally.atomics += k < peek(f.best + c);)
  if (k < peek(f.best + c)) atomicMin(f.best + c, k);
}

__device__ __forceinline__ void keep(const Forest &f, u32 v, bool has) {
  u32 to = to_list(f), at = append(&f.control->list[to], has);
  if (has) f.list[to][at] = v;
}

// The vertices of the last round that are outside of the giant look whether
// their candidates still leave their components, and for others if not.
extern "C" __global__ void mst_find(Forest f) {
  TALLY(Tally tally;)
  bool all = f.control->round == 1;
  u32 giant = giant_of(f), count = all ? f.n : f.control->list[from_list(f)];
  const u32 *list = f.list[from_list(f)];
  for (u64 base = (u64)global_warp() * 32; base < count; base += (u64)global_warps() * 32) {
    u64 i = base + lane(), k = NOTHING;
    Search s = {0, 0, 0};
    bool wanted = false;
    if (i < count) {
      s.v = all ? (u32)i : list[i];
      s.c = f.component[s.v];
      if (s.c != giant) k = f.candidate[s.v];
      wanted = k != NOTHING && f.component[(u32)k] == s.c;
      s.low = k + 1;
    }
    u64 found = search<false>(f, wanted, s TALLY(, tally));
    if (wanted) f.candidate[s.v] = k = found;
    if (k != NOTHING) propose(f, s.c, s.v, k TALLY(, tally));
    keep(f, s.v, k != NOTHING);
  }
  TALLY(tally.flush(f.control->tally);)
}

extern "C" __global__ void mst_find_pieces(Forest f) { search_pieces<false>(f); }

extern "C" __global__ void mst_find_hubs(Forest f) {
  TALLY(Tally tally;)
  u32 count = f.control->hubs;
  for (u64 base = (u64)global_warp() * 32; base < count; base += (u64)global_warps() * 32) {
    u64 i = base + lane(), k = NOTHING;
    u32 v = 0;
    if (i < count) {
      v = f.hub[i];
      k = f.candidate[v];
    }
    if (k != NOTHING) propose(f, f.component[v], v, k TALLY(, tally));
    keep(f, v, k != NOTHING);
  }
  TALLY(tally.flush(f.control->tally);)
}

extern "C" __global__ void mst_tie(Forest f) {
  TALLY(Tally tally;)
  u32 to = to_list(f), count = f.control->list[to];
  for (u64 i = global_thread(); i < count; i += global_threads()) {
    u32 v = f.list[to][i], c = f.component[v];
    u64 k = f.candidate[v];
    u32 far = max(v, (u32)k);
    TALLY(tally.atomics += least_key(v, k) == f.best[c] && far < peek(f.other + c);)
    if (least_key(v, k) == f.best[c] && far < peek(f.other + c)) atomicMin(f.other + c, far);
  }
  TALLY(__syncwarp();)
  TALLY(tally.flush(f.control->tally);)
}

// Every root that has an edge hangs itself below the component at its other
// end, but for the lesser of two that have the same edge. A root whose component
// has no edge is done.
extern "C" __global__ void mst_hook(Forest f) {
  u32 from = from_list(f), to = to_list(f), giant = giant_of(f), count = f.control->roots[from];
  for (u64 base = (u64)global_warp() * 32; base < count; base += (u64)global_warps() * 32) {
    u64 i = base + lane();
    bool stays = false;
    u32 c = 0;
    if (i < count) {
      c = f.roots[from][i];
      u64 k = f.best[c];
      if (k != NOTHING) {
        u32 x = (u32)k, y = f.other[c], o = f.component[x];
        if (o == c) o = f.component[y];
        stays = o != giant && c < o && f.best[o] == k && f.other[o] == y;
        if (!stays) {
          f.parent[c] = o;
          f.edge[c] = ends(x, y);
          f.weight[c] = (u32)(k >> 32);
        }
      }
    }
    u32 at = append(&f.control->roots[to], stays);
    if (stays) f.roots[to][at] = c;
  }
}

extern "C" __global__ void mst_settle_roots(Forest f) {
  u32 from = from_list(f), count = f.control->roots[from];
  for (u64 i = global_thread(); i < count; i += global_threads()) {
    u32 c = f.roots[from][i];
    walk(f.parent, c);
    f.best[c] = NOTHING;
    f.other[c] = NONE;
  }
}

extern "C" __global__ void mst_relabel(Forest f) {
  for (u64 v = global_thread(); v < f.n; v += global_threads()) {
    u32 c = f.component[v], r = f.parent[c];
    if (r != c) f.component[v] = r;
  }
}
