// Weakly connected components: label[v] becomes the least vertex joined to v.
//
// Invariant: label[v] <= v, and following labels from v ends at a vertex of v's
// component that is its own label, a root. Roots are joined the greater under the
// lesser, so the last root of a component is its least vertex.
//
// Launches: wcc_first, wcc_flatten, wcc_second, wcc_flatten, wcc_choose, wcc_rest,
// wcc_pieces, wcc_flatten.
//
// Cost: the first two arcs of every vertex, and the lists of those that are then
// outside of the largest component; about n reads of a label five times.
#include "base.cuh"
#include "giant.cuh"

#ifndef LANE_LIST
#define LANE_LIST 16
#endif
#ifndef WARP_LIST
#define WARP_LIST 1024
#endif

struct Control {
  u32 giant;  // the root of the component whose vertices need not look; NONE
  u32 pieces; // on the list
};

// root_of follows labels from v, and halves the way. Whatever the order in which
// threads write, a label only moves on to one nearer to the root.
__device__ __forceinline__ u32 root_of(u32 *label, u32 v) {
  u32 above = peek(label + v);
  while (above != v) {
    u32 next = peek(label + above);
    if (next == above) return above;
    __stcg(label + v, next);
    v = next;
    above = peek(label + v);
  }
  return v;
}

// unite joins the trees of two vertices, and returns their root.
__device__ u32 unite(u32 *label, u32 a, u32 b) {
  for (;;) {
    a = root_of(label, a);
    b = root_of(label, b);
    if (a == b) return a;
    u32 high = max(a, b), low = min(a, b);
    if (atomicCAS(label + high, high, low) == high) return low;
    a = high;
    b = low;
  }
}

// Every vertex goes below its first neighbor, which is the least, if that is
// less than itself.
extern "C" __global__ void wcc_first(const Offset *offsets, const u32 *targets, u32 n, u32 *label, Control *control) {
  if (global_thread() == 0) control->pieces = 0;
  for (u64 v = global_thread(); v < n; v += global_threads()) {
    Offset e = offsets[v];
    u32 u = e < offsets[v + 1] ? targets[e] : NONE;
    label[v] = min((u32)v, u);
  }
}

// Every vertex walks to its root.
extern "C" __global__ void wcc_flatten(u32 n, u32 *label) {
  for (u64 v = global_thread(); v < n; v += global_threads()) walk(label, (u32)v);
}

// Roots join their first neighbor, which is greater than they are; all vertices
// join their second. The labels are flat at first, so that most need no more than
// one look at the neighbor's.
extern "C" __global__ void wcc_second(const Offset *offsets, const u32 *targets, u32 n, u32 *label) {
  for (u64 v = global_thread(); v < n; v += global_threads()) {
    Offset e = offsets[v], end = offsets[v + 1];
    if (e >= end) continue;
    u32 root = peek(label + v);
    if (root == v) {
      u32 u = targets[e];
      if (peek(label + u) != root) root = unite(label, root, u);
    }
    if (e + 1 < end) {
      u32 u = targets[e + 1];
      if (peek(label + u) != root) unite(label, root, u);
    }
  }
}

// One block of SAMPLES threads finds the giant. The labels are flat.
extern "C" __global__ void __launch_bounds__(1024) wcc_choose(const u32 *targets, u64 arcs, const u32 *label, Control *control) {
  Giant g = most_frequent(targets, arcs, label);
  if (threadIdx.x == 0) control->giant = g.root;
}

// A thread joins a vertex of root `root` with neighbors from to end, step apart.
__device__ __forceinline__ void join_list(const u32 *targets, u32 *label, u32 root, u64 from, u64 end, u32 step) {
  for (u64 e = from; e < end; e += 4 * step) {
    u32 u[4], r[4];
#pragma unroll
    for (u32 j = 0; j < 4; j++) u[j] = e + j * step < end ? targets[e + j * step] : NONE;
#pragma unroll
    for (u32 j = 0; j < 4; j++) r[j] = u[j] != NONE ? peek(label + u[j]) : root;
#pragma unroll
    for (u32 j = 0; j < 4; j++)
      if (r[j] != root) root = unite(label, root, r[j]);
  }
}

// Vertices outside of the giant join all their neighbors. Those in it need not:
// the vertex at the other end of an arc that leads out is outside and has that
// arc too, or it has come in since. In a directed graph it has not, so all
// vertices look (skip is 0).
//
// A warp takes 32 vertices. A lane reads the list of its own if that is short;
// the warp reads the longer ones; of the longest, pieces go on a list.
extern "C" __global__ void wcc_rest(const Offset *offsets, const u32 *targets, u32 n, u32 skip, u32 *label, Control *control, u64 *pieces) {
  u32 giant = skip ? control->giant : NONE;
  for (u64 base = (u64)global_warp() * 32; base < n; base += (u64)global_warps() * 32) {
    u64 v = base + lane();
    u32 root = v < n ? peek(label + v) : giant;
    u64 from = 0, end = 0;
    if (root != giant) from = offsets[v], end = offsets[v + 1];
    if (end - from <= LANE_LIST) {
      join_list(targets, label, root, from, end, 1);
      from = end;
    }
    u32 left = __ballot_sync(~0u, from < end);
    while (left) {
      int owner = __ffs(left) - 1;
      left &= left - 1;
      u64 lo = __shfl_sync(~0u, from, owner), hi = __shfl_sync(~0u, end, owner);
      u32 r = __shfl_sync(~0u, root, owner);
      u64 degree = hi - lo;
      if (degree <= WARP_LIST) {
        join_list(targets, label, r, lo + lane(), hi, 32);
      } else {
        u32 count = (u32)((degree + WARP_LIST - 1) / WARP_LIST), at = 0;
        if (lane() == 0) at = atomicAdd(&control->pieces, count);
        at = __shfl_sync(~0u, at, 0);
        for (u32 i = lane(); i < count; i += 32) pieces[at + i] = (base + owner) << 32 | i;
      }
    }
  }
}

// The pieces of long lists, a warp each.
extern "C" __global__ void wcc_pieces(const Offset *offsets, const u32 *targets, u32 *label, const Control *control, const u64 *list) {
  u32 count = control->pieces;
  for (u64 i = global_warp(); i < count; i += global_warps()) {
    u32 v = (u32)(list[i] >> 32);
    u64 from = offsets[v] + (list[i] & 0xffffffffu) * WARP_LIST;
    u64 end = min((u64)offsets[v + 1], from + WARP_LIST);
    join_list(targets, label, peek(label + v), from + lane(), end, 32);
  }
}
