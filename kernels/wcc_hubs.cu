// Weakly connected components where vertices stand by degree, those with most
// arcs first: label[v] becomes the least vertex joined to v.
//
// Method: every vertex goes below its first neighbour, which is the one with most
// arcs, if that is less than itself. Ways to the top are then a few steps long, and
// nearly all end at vertex 0, without an atomic operation. The others go on a
// list, and join all their neighbours. Vertices below 0 need not: the vertex at
// the other end of an arc that leads out is on the list and reads that arc, or it
// has come in since. In a directed graph both sides are read.
//
// Invariant: as in wcc.cuh; 0 is a root for good. The answer is right whatever the
// order of the vertices; if 0 is alone, all the others are on the list.
//
// Launches: hubs_first, hubs_climb, hubs_join, hubs_pieces, hubs_flatten.
//
// Cost: one arc of each vertex, three passes over labels, and the lists of those
// outside. (Afforest without its rounds of sampling: Sutton, Ben-Nun and Barak,
// 2018.)
#include "wcc.cuh"

extern "C" __global__ void __launch_bounds__(256)
    hubs_first(const Offset *out_offsets, const u32 *out_targets, const Offset *in_offsets, const u32 *in_targets, u32 n, u32 active, u32 *label, Control *control) {
  if (global_thread() == 0) control->pieces = control->outside = 0;
  begin_labels({out_offsets, out_targets}, {in_offsets, in_targets}, n, active, label);
}

// Every vertex goes to its root; those that do not come to 0 are listed.
extern "C" __global__ void __launch_bounds__(256) hubs_climb(u32 active, u32 *label, u32 *outside, Control *control) {
  for (u64 base = (u64)global_warp() * 32 * WCC_BATCH; base < active; base += (u64)global_warps() * 32 * WCC_BATCH) {
    u32 root[WCC_BATCH];
    climb_all(label, base, active, root);
    u32 masks[WCC_BATCH], count = 0, at = 0;
#pragma unroll
    for (u32 k = 0; k < WCC_BATCH; k++) {
      masks[k] = __ballot_sync(~0u, root[k] != 0);
      count += __popc(masks[k]);
    }
    if (!count) continue;
    if (lane() == 0) at = atomicAdd(&control->outside, count);
    at = __shfl_sync(~0u, at, 0);
#pragma unroll
    for (u32 k = 0; k < WCC_BATCH; k++) {
      if (root[k] != 0) outside[at + __popc(masks[k] & ((1u << lane()) - 1))] = (u32)base + 32 * k + lane();
      at += __popc(masks[k]);
    }
  }
}

// Those outside join all their neighbours.
extern "C" __global__ void hubs_join(const Offset *out_offsets, const u32 *out_targets, const Offset *in_offsets, const u32 *in_targets, u32 *label, const u32 *outside, Control *control,
                                     u64 *pieces) {
  u32 count = control->outside;
  for (u64 at = (u64)global_warp() * 32; at < count; at += (u64)global_warps() * 32) {
    bool here = at + lane() < count;
    u32 v = here ? outside[at + lane()] : 0;
    u32 root = here ? peek(label + v) : 0;
    join_vertices({out_offsets, out_targets}, 0, root != 0, v, root, label, control, pieces);
    if (in_offsets) join_vertices({in_offsets, in_targets}, INWARD, root != 0, v, root, label, control, pieces);
  }
}

extern "C" __global__ void hubs_pieces(const Offset *out_offsets, const u32 *out_targets, const Offset *in_offsets, const u32 *in_targets, u32 *label, const Control *control,
                                       const u64 *list) {
  join_pieces({out_offsets, out_targets}, {in_offsets, in_targets}, label, control, list);
}

// The labels of all others have not changed.
extern "C" __global__ void hubs_flatten(u32 *label, const u32 *outside, const Control *control) {
  u32 count = control->outside;
  for (u64 i = global_thread(); i < count; i += global_threads()) {
    u32 v = outside[i], at = peek(label + v);
    climb(label, v, at, peek(label + at));
  }
}
