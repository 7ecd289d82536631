// Minimum spanning forest by Borůvka's rounds, of an undirected graph whose lists
// are in order of weight, then of target.
//
// Result and order of edges are those of mst.cu: by weight, then by lesser, then
// by greater end, so that there is one forest. Seen from one vertex that is the
// order of its list.
//
// Round 0 (sorted_first, sorted_settle): every vertex takes the first arc of its
// list that is no loop. Of two that take the same edge the lesser is a root.
// Later rounds (sorted_find, sorted_pieces, sorted_tie, sorted_hook, sorted_walk,
// sorted_relabel): every vertex proposes its candidate, the first arc of its list
// that leaves its component; every component but one takes the least proposed,
// and hangs itself below the component at the other end. That one, the giant, is
// where a vertex of many arcs is: it stays a root, and its vertices, which have
// most arcs, look at none.
//
// Invariants: the arcs of v before its candidate are inside v's component, for
// good, so that no arc is looked at twice but candidates; cursor[v] is behind the
// candidate. At the start of a round component[] is flat, and parent[c] = c for
// every label c. A root hangs itself below another once at most, and keeps the
// edge it did that for: that is the forest.
//
// Where an edge fits into 63 bits (PACKED) one atomic minimum finds the least of
// a component. Else weight and lesser end do, and the greater end is found among
// the edges that have them (sorted_tie).
//
// Cost: the first two arcs of every list; then, in all rounds together, O(m) at
// the worst, in practice few arcs of the lists outside of the giant.
#include "mst_sorted.cuh"

// ---- Round 0 -------------------------------------------------------------------------

// sorted_first: the first arc that is no loop gives the parent; the one behind it
// is the first candidate.
extern "C" __global__ void __launch_bounds__(256, RESIDENT) sorted_first(Forest f, u32) {
  TALLY(Tally tally;)
  for (u64 base = (u64)global_warp() * SHARE; base < f.n; base += (u64)global_warps() * SHARE) {
    Looks l;
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) {
      u64 v = base + 32 * k + lane();
      l.v[k] = l.c[k] = (u32)v;
      l.open[k] = v < f.n;
      l.at[k] = l.open[k] ? f.offsets[v] : 0;
      l.end[k] = l.open[k] ? f.offsets[v + 1] : 0;
    }
    search<true>(f, f.rounds, l TALLY(, tally));
    u64 one[SIDE], two[SIDE];
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) {
      one[k] = l.at[k] < l.end[k] ? arc_at(f, l.at[k]) : NOTHING;
      two[k] = l.at[k] < l.end[k] && l.at[k] + 1 < l.end[k] ? arc_at(f, l.at[k] + 1) : NOTHING;
    }
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) {
      TALLY(tally.arcs += two[k] != NOTHING;)
      u32 v = l.v[k];
      if (base + 32 * k + lane() >= f.n) continue;
      f.parent[v] = one[k] != NOTHING ? (u32)one[k] : v;
      f.weight[v] = (u32)(one[k] >> 32);
      f.candidate[v] = two[k];
      f.cursor[v] = two[k] != NOTHING ? l.at[k] + 2 : l.end[k];
    }
  }
  TALLY(tally.flush(f.rounds->tally);)
}

// free_root lets a root choose in the next round.
__device__ __forceinline__ void free_root(const Forest &f, u32 c) {
  f.best[c] = NOTHING;
#if !PACKED
  f.other[c] = NONE;
#endif
}

// sorted_settle: everybody finds its root. A vertex that is its own parent has no
// edges.
extern "C" __global__ void __launch_bounds__(256, RESIDENT) sorted_settle(Forest f, u32) {
  for (u64 base = (u64)global_warp() * SHARE; base < f.n; base += (u64)global_warps() * SHARE) {
    u32 v[SIDE], first[SIDE], root[SIDE];
    bool has[SIDE], chooses[SIDE];
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) {
      u64 i = base + 32 * k + lane();
      v[k] = (u32)i;
      has[k] = i < f.n;
      root[k] = first[k] = has[k] ? f.parent[i] : 0;
    }
    climb(f.parent, v, root, has);
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) {
      chooses[k] = has[k] && root[k] == v[k] && first[k] != v[k];
      if (!has[k]) continue;
      if (root[k] != first[k]) __stcg(f.parent + v[k], root[k]);
      f.component[v[k]] = root[k];
      f.edge[v[k]] = root[k] == v[k] ? NOTHING : ends(v[k], first[k]);
      if (chooses[k]) free_root(f, v[k]);
    }
    append_all(f.roots[0], &f.rounds->roots, v, chooses);
  }
}

// ---- Later rounds ----------------------------------------------------------------------

// Round r reads lists (r-1) mod 2 and writes lists r mod 2.
__device__ __forceinline__ u32 giant_of(const Forest &f) { return f.component[f.heavy]; }

// open_looks begins the looks of those whose candidates have come inside.
__device__ __forceinline__ void open_looks(const Forest &f, Looks &l, const u64 *candidate) {
  u32 other[SIDE];
#pragma unroll
  for (u32 k = 0; k < SIDE; k++) other[k] = candidate[k] != NOTHING ? f.component[(u32)candidate[k]] : NONE;
#pragma unroll
  for (u32 k = 0; k < SIDE; k++) {
    l.open[k] = candidate[k] != NOTHING && other[k] == l.c[k];
    l.at[k] = l.open[k] ? f.cursor[l.v[k]] : 0;
    l.end[k] = l.open[k] ? f.offsets[l.v[k] + 1] : 0;
  }
}

// move_candidate takes what v's look has found.
__device__ __forceinline__ u64 move_candidate(const Forest &f, u32 v, u64 at, u64 end) {
  u64 candidate = at < end ? arc_at(f, at) : NOTHING;
  f.candidate[v] = candidate;
  if (at < end) f.cursor[v] = (Offset)(at + 1);
  return candidate;
}

__device__ __forceinline__ void propose(const Forest &f, const Looks &l, const u64 *candidate TALLY(, Tally &tally)) {
  u64 key[SIDE], best[SIDE];
#pragma unroll
  for (u32 k = 0; k < SIDE; k++) {
    key[k] = candidate[k] != NOTHING ? edge_key(f, l.v[k], candidate[k]) : NOTHING;
    best[k] = candidate[k] != NOTHING ? peek(f.best + l.c[k]) : 0;
  }
#pragma unroll
  for (u32 k = 0; k < SIDE; k++)
    if (key[k] < best[k]) atomicMin(f.best + l.c[k], key[k]);
  TALLY(for (u32 k = 0; k < SIDE; k++) tally.atomics += key[k] < best[k];)
}

// sorted_find: the vertices of the last round that are outside of the giant look
// whether their candidates still leave their components, and for others if not.
extern "C" __global__ void __launch_bounds__(256, RESIDENT) sorted_find(Forest f, u32 round) {
  const u32 *list = f.list[(round - 1) & 1];
  Round *now = f.rounds + round;
  TALLY(Tally tally;)
  bool all = round == 1;
  u32 giant = giant_of(f), count = all ? f.n : f.rounds[round - 1].list;
  for (u64 base = (u64)global_warp() * SHARE; base < count; base += (u64)global_warps() * SHARE) {
    Looks l;
    u64 candidate[SIDE];
    bool has[SIDE], looked[SIDE];
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) {
      u64 i = base + 32 * k + lane();
      has[k] = i < count;
      l.v[k] = !has[k] ? 0 : all ? (u32)i : list[i];
    }
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) l.c[k] = has[k] ? f.component[l.v[k]] : giant;
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) candidate[k] = l.c[k] != giant ? f.candidate[l.v[k]] : NOTHING;
    open_looks(f, l, candidate);
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) looked[k] = l.open[k];
    search<false>(f, now, l TALLY(, tally));
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) {
      if (looked[k]) candidate[k] = move_candidate(f, l.v[k], l.at[k], l.end[k]);
      has[k] = candidate[k] != NOTHING;
    }
    propose(f, l, candidate TALLY(, tally));
    append_all(f.list[round & 1], &now->list, l.v, has);
  }
  TALLY(tally.flush(now->tally);)
}

// finish_hub proposes what the pieces of a hub's list have given. One thread
// calls it.
__device__ __forceinline__ void finish_hub(const Forest &f, u32 round, u32 slot) {
  u32 v = f.hub[slot], c = f.component[v];
  u64 candidate = move_candidate(f, v, peek(f.found + slot), f.offsets[v + 1]);
  if (candidate == NOTHING) return;
  atomicMin(f.best + c, edge_key(f, v, candidate));
  f.list[round & 1][atomicAdd(&f.rounds[round].list, 1u)] = v;
}

// sorted_pieces looks at the deferred pieces, a warp each. Who is the last at a
// hub's list finishes it.
extern "C" __global__ void __launch_bounds__(256, RESIDENT) sorted_pieces(Forest f, u32 round) {
  TALLY(Tally tally;)
  u32 count = f.rounds[round].pieces;
  for (u64 i = global_warp(); i < count; i += global_warps()) {
    u32 slot = (u32)(f.piece[i] >> 32), v = f.hub[slot];
    u64 at = f.start[slot] + (u64)(u32)f.piece[i] * WARP_LIST, end = min(at + WARP_LIST, (u64)f.offsets[v + 1]);
    u64 known = __shfl_sync(~0u, peek(f.found + slot), 0);
    if (at < known) {
      u64 e = first_leaving<false>(f, at, end, v, f.component[v]);
      TALLY(if (lane() == 0) tally.arcs += min(e + 1, end) - at;)
      if (lane() == 0 && e < end) atomicMin(f.found + slot, e);
    }
    if (lane() == 0) {
      __threadfence();
      if (atomicSub(f.left + slot, 1u) == 1) {
        __threadfence();
        finish_hub(f, round, slot);
        TALLY(tally.atomics++;)
      }
    }
    __syncwarp();
  }
  TALLY(tally.flush(f.rounds[round].tally);)
}

// sorted_tie finds the greater end; there is nothing to find where edges are
// packed.
extern "C" __global__ void __launch_bounds__(256, RESIDENT) sorted_tie(Forest f, u32 round) {
#if !PACKED
  TALLY(Tally tally;)
  u32 count = f.rounds[round].list;
  for (u64 i = global_thread(); i < count; i += global_threads()) {
    u32 v = f.list[round & 1][i], c = f.component[v];
    u64 candidate = f.candidate[v];
    u32 far = max(v, (u32)candidate);
    TALLY(tally.atomics += edge_key(f, v, candidate) == f.best[c] && far < peek(f.other + c);)
    if (edge_key(f, v, candidate) == f.best[c] && far < peek(f.other + c)) atomicMin(f.other + c, far);
  }
  TALLY(__syncwarp();)
  TALLY(tally.flush(f.rounds[round].tally);)
#endif
}

// hangs tells whether root c, whose least edge is e, hangs itself below o: yes,
// but for the lesser of two that have the same edge. The giant has none.
__device__ __forceinline__ bool hangs(const Forest &f, u32 c, u32 o, u64 key, const Edge &e) {
  if (c > o || f.best[o] != key) return true;
#if PACKED
  return false;
#else
  return f.other[o] != e.y;
#endif
}

// sorted_hook: every root that has an edge hangs itself below the component at its
// other end. A root whose component has no edge is done.
extern "C" __global__ void __launch_bounds__(256, RESIDENT) sorted_hook(Forest f, u32 round) {
  u32 giant = giant_of(f), count = f.rounds[round - 1].roots;
  const u32 *roots = f.roots[(round - 1) & 1];
  for (u64 base = (u64)global_warp() * SHARE; base < count; base += (u64)global_warps() * SHARE) {
    u32 c[SIDE], o[SIDE];
    u64 key[SIDE];
    Edge e[SIDE];
    bool stays[SIDE];
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) c[k] = base + 32 * k + lane() < count ? roots[base + 32 * k + lane()] : giant;
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) key[k] = c[k] != giant ? f.best[c[k]] : NOTHING;
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) {
      if (key[k] == NOTHING) continue;
      e[k] = edge_of(f, c[k], key[k]);
      u32 x = f.component[e[k].x], y = f.component[e[k].y];
      o[k] = x == c[k] ? y : x;
    }
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) {
      stays[k] = key[k] != NOTHING && !(o[k] == giant || hangs(f, c[k], o[k], key[k], e[k]));
      if (key[k] == NOTHING || stays[k]) continue;
      f.parent[c[k]] = o[k];
      f.edge[c[k]] = ends(e[k].x, e[k].y);
      f.weight[c[k]] = e[k].weight;
    }
    append_all(f.roots[round & 1], &f.rounds[round].roots, c, stays);
  }
}

// sorted_walk: the roots of the last round find theirs.
extern "C" __global__ void __launch_bounds__(256, RESIDENT) sorted_walk(Forest f, u32 round) {
  u32 count = f.rounds[round - 1].roots;
  const u32 *roots = f.roots[(round - 1) & 1];
  for (u64 base = (u64)global_warp() * SHARE; base < count; base += (u64)global_warps() * SHARE) {
    u32 c[SIDE], up[SIDE], root[SIDE];
    bool has[SIDE];
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) {
      has[k] = base + 32 * k + lane() < count;
      c[k] = has[k] ? roots[base + 32 * k + lane()] : 0;
    }
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) root[k] = up[k] = has[k] ? f.parent[c[k]] : 0;
    climb(f.parent, c, root, has);
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) {
      if (has[k] && root[k] != up[k]) __stcg(f.parent + c[k], root[k]);
      if (has[k] && root[k] == c[k]) free_root(f, c[k]);
    }
  }
}

extern "C" __global__ void __launch_bounds__(256, RESIDENT) sorted_relabel(Forest f, u32) {
  for (u64 base = (u64)global_warp() * SHARE; base < f.n; base += (u64)global_warps() * SHARE) {
    u32 c[SIDE], root[SIDE];
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) c[k] = base + 32 * k + lane() < f.n ? f.component[base + 32 * k + lane()] : NONE;
#pragma unroll
    for (u32 k = 0; k < SIDE; k++) root[k] = c[k] != NONE ? f.parent[c[k]] : NONE;
#pragma unroll
    for (u32 k = 0; k < SIDE; k++)
      if (root[k] != c[k]) f.component[base + 32 * k + lane()] = root[k];
  }
}
