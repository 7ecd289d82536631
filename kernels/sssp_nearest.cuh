// Parents of shortest paths on a graph with hubs whose in-arcs are sorted by weight,
// behind the sweeps that have found the distances (sssp_pull.cuh).
//
// Parents: v's is the least u with d(u) < d(v) and d(u) + w = d(v). Let bound be
// the cmin of the first sweep: hubs are hardly farther than that, whatever the way
// from the source to the nearest of them. If d(u) >= bound the arc has bound + w <=
// d(v), so that few arcs of a hub are looked at. The others are the arcs of those
// that are nearer than bound, all of which have been pushed: they are few, and
// offer themselves (Early). Vertices that have no such arc hang on others that are
// as far: those on one that hangs on none take the least such (Adopt), looking at
// the arcs that add nothing, and sssp_parents goes on from them. There are none
// where weights are whole and at least 1.
//
// Cost: for each vertex the in-arcs as light as its distance beyond bound, and those
// that add nothing where it has no nearer parent.
#pragma once
#include "sssp_pull.cuh"

// The parents that are not nearer than bound.
struct Nearest : Least<u32> {
  static const bool FINAL = true;
  static const u32 LOOKS = THIN_LOOKS;
  u32 source;
  Named named;
  u32 *parent;
  Dist bound;
  u32 orphans;  // reached vertices that have got none

  __device__ __forceinline__ bool open(u32 v, Dist d) { return v != source && d < FAR; }
  __device__ __forceinline__ void skip(u32 v) { parent[v] = NONE; }
  __device__ __forceinline__ u32 first(Dist) { return NONE; }
  __device__ __forceinline__ bool past(Weight w, u32, Dist d) { return offer(bound, w) > d; }
  __device__ __forceinline__ void take(u32 &best, u32 u, Weight w, Dist x, Dist d) {
    if (x < d && plus(x, w) == d) best = min(best, named.of(u));
  }
  __device__ __forceinline__ void close(u32 v, Dist, u32 best) {
    parent[v] = best;
    orphans += best == NONE;
  }
};

// The parents that are nearer than bound.
struct Early {
  const void *weights;
  const Dist *dist;
  Named named;
  u32 *parent;
  u32 adopted;  // who had none

  __device__ __forceinline__ bool open(u32 v, bool, Dist &d) {
    d = __ldg(dist + v);
    return true;
  }

  __device__ __forceinline__ void visit(Arcs<Dist> &a) {
    Dist to[AHEAD];
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) to[k] = a.ok[k] ? __ldg(dist + a.target[k]) : 0;
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++)
      if (a.value[k] < to[k] && plus(a.value[k], weight_of(weights, a.index[k])) == to[k])
        adopted += atomicMin(parent + a.target[k], named.of(a.source[k])) == NONE;
  }
};

// The parents of those who wait, from those who do not.
struct Adopt : Least<u32> {
  static const bool FINAL = true;
  static const u32 LOOKS = THIN_LOOKS;
  const u32 *waiting;
  Named named;
  u32 *parent;

  __device__ __forceinline__ bool open(u32 v, Dist) { return marked(waiting, v); }
  __device__ __forceinline__ void skip(u32) {}
  __device__ __forceinline__ u32 first(Dist) { return NONE; }
  __device__ __forceinline__ bool past(Weight w, u32, Dist d) { return offer(d, w) > d; }
  __device__ __forceinline__ void take(u32 &best, u32 u, Weight w, Dist x, Dist d) {
    if (plus(x, w) == d && !marked(waiting, u)) best = min(best, named.of(u));
  }
  __device__ __forceinline__ void close(u32 v, Dist, u32 best) {
    if (best != NONE) parent[v] = best;
  }
};

// Gives parents once the distances are final, and says so. Vertices from active on
// have no out-arcs. order: see Named.
extern "C" __global__ void __launch_bounds__(512, SWEEP_BLOCKS)
    sssp_nearest(u32 n, u32 source, const Offset *in_offsets, const u32 *in_targets, const void *in_weights, const uint4 *heads, const uint4 *head_weights, u32 active, const Offset *offsets,
                 const u32 *targets, const void *weights, const void *distances, const u32 *order, u32 *parent, u32 *list, uint2 *chunks, const u32 *bounds, State *state) {
  __shared__ Room room;
  __shared__ u32 buffers[THREADS / 32][64];
  if (!peek(&state->relaxed) || peek(&state->overflow)) return;
  const Dist *dist = (const Dist *)distances;
  Grid grid(state->near_barrier);
  Dist bound = (Dist)peek(&state->bound);
  if (bound > 0) {
    Pusher out;
    out.begin(buffers[threadIdx.x >> 5], list, chunks, &state->early);
    collect(active, offsets, dist, 0, bound, out);
    out.end();
  }
  Rows rows = {in_offsets, in_targets, in_weights, heads, head_weights, dist, dist, &room, {0, 0}};
  Nearest near = {{}, source, {order}, parent, bound, 0};
  rows.all(near, bounds[0], bounds[1], bounds[2]);
  for (u64 v = (u64)bounds[0] + global_thread(); v < n; v += global_threads()) near.skip((u32)v);
  u64 arcs = rows.looked.arcs;
  Early early = {weights, dist, {order}, parent, 0};
  if (bound > 0) {
    grid.sync();
    u64 counts = peek(&state->early), more = visit_chunks<Dist>(early, global_warp(), chunks, chunks_of(counts), offsets, targets);
    more += visit_list<Dist>(early, last_warp(), list, vertices_of(counts), offsets, targets);
    if (lane() == 0) arcs += more;
  }
  block_add(&state->arcs, arcs);
  u32 orphans = warp_sum(near.orphans - early.adopted);
  if (lane() == 0 && orphans) atomicAdd(&state->orphans, orphans);
  if (global_thread() == 0) state->pulled = 1;
}

// Lists those who wait and have got a parent: they wait no more.
__device__ __forceinline__ void list_adopted(u32 n, const Offset *offsets, const u32 *parent, u32 *waiting, Pusher &out) {
  each_word(n, waiting, [&](u32 at, u32 word) {
    u32 adopted = __ballot_sync(~0u, word >> lane() & 1 && peek(parent + at * 32 + lane()) != NONE);
    if (lane() == 0) waiting[at] = word & ~adopted;
    out.word(at, adopted, offsets);
  });
}

// The first step of those whom sssp_nearest has left; sssp_parents does the others.
extern "C" __global__ void __launch_bounds__(512, SWEEP_BLOCKS)
    sssp_adopt(u32 n, u32 source, const Offset *in_offsets, const u32 *in_targets, const void *in_weights, const uint4 *heads, const uint4 *head_weights, const Offset *offsets,
               const void *distances, const u32 *order, u32 *parent, u32 *waiting, u32 *list, uint2 *chunks, const u32 *bounds, State *state) {
  __shared__ Room room;
  __shared__ u32 buffers[THREADS / 32][64];
  if (!peek(&state->pulled) || peek(&state->orphans) == 0 || peek(&state->phase) != COLLECT) return;
  const Dist *dist = (const Dist *)distances;
  Grid grid(state->adopt_barrier);
  find_waiting(n, source, dist, parent, waiting);
  grid.sync();
  Rows rows = {in_offsets, in_targets, in_weights, heads, head_weights, dist, dist, &room, {0, 0}};
  Adopt adopt = {{}, waiting, {order}, parent};
  rows.all(adopt, bounds[0], bounds[1], bounds[2]);
  grid.sync();
  Pusher out;
  out.begin(buffers[threadIdx.x >> 5], list, chunks, &state->hang_counts[1]);
  list_adopted(n, offsets, parent, waiting, out);
  out.end();
  block_add(&state->arcs, rows.looked.arcs);
  if (global_thread() != 0) return;
  state->hang_round = 1;  // whose list it is
  state->phase = HANG;
}
