// Weakly connected components: label[v] becomes the least vertex joined to v.
//
// Method: every vertex goes below its first neighbour, that is, most do; if then
// no component is seen to be so large that little is left to be read, its roots
// and all second neighbours are joined too. Then those outside of the largest
// component join all their neighbours.
//
// Invariant: as in wcc.cuh.
//
// Launches: wcc_first; where no vertex is a hub, wcc_lift for fewer and fewer words and
// wcc_flatten for more and more, up to all (wcc_ways.cuh); wcc_flatten; wcc_choose (not on
// graphs with hubs), wcc_second, wcc_flatten, wcc_choose, wcc_rest, wcc_pieces, wcc_flatten.
// Those that turn out not to be needed return at once: the last wherever the first round has
// left one tree of each component.
//
// Cost: the first arc of every vertex or the first two, and the lists of those that
// are then outside of the largest component; about n reads of a label five times.
#include "giant.cuh"
#include "wcc_ways.cuh"

extern "C" __global__ void __launch_bounds__(256) wcc_first(const Offset *offsets, const u32 *targets, u32 n, u32 active, u32 *label, Control *control) {
  TALLY(Tally tally;)
  if (global_thread() == 0) control->pieces = control->sure = control->joined = 0;
  begin_labels({offsets, targets}, n, active, label TALLY(, tally));
  TALLY(tally.flush(control->tally);)
}

// The vertices of every 2^shift-th word go up to the next such word, to a root, or as many
// steps as are given. No other label is written, and of these none is read.
extern "C" __global__ void __launch_bounds__(256) wcc_lift(u32 n, u32 shift, u32 steps, u32 *label) {
  for (Words w(n, shift); w.more();) {
    u32 v[WCC_BATCH];
    w.take(v);
    lift(label, shift, steps, v);
  }
}

// The vertices of every 2^shift-th word walk to their roots; where there is a control block
// they do not if the giant is known or, at last, if no roots were joined since.
extern "C" __global__ void __launch_bounds__(256) wcc_flatten(u32 n, u32 shift, u32 *label, const Control *control, u32 last) {
  if (control && (last ? !control->joined : control->sure)) return;
  for (Words w(n, shift); w.more();) {
    u32 v[WCC_BATCH];
    w.take(v);
    rise(label, v);
  }
}

// Roots join their first neighbor, which is greater than they are; all vertices
// join their second. The labels are flat at first, so that most need no more than
// one look at the neighbor's.
extern "C" __global__ void wcc_second(const Offset *offsets, const u32 *targets, u32 n, u32 *label, const Control *control) {
  if (control->sure) return;
  TALLY(Tally tally;)
  for (u64 v = global_thread(); v < n; v += global_threads()) {
    Offset e = offsets[v], end = offsets[v + 1];
    TALLY(tally.arcs += e + 1 < end;)
    if (e >= end) continue;
    u32 root = peek(label + v);
    if (root == v) {
      u32 u = targets[e];
      if (peek(label + u) != root) root = unite(label, root, u TALLY(, tally));
    }
    if (e + 1 < end) {
      u32 u = targets[e + 1];
      if (peek(label + u) != root) unite(label, root, u TALLY(, tally));
    }
  }
  TALLY(__syncwarp();)
  TALLY(tally.flush(control->tally);)
}

// One block of SAMPLES threads finds the giant, unless it is known, and whether the
// arcs outside of it are fewer than those that another round would read. The
// labels are flat.
extern "C" __global__ void __launch_bounds__(1024) wcc_choose(const u32 *targets, u64 arcs, u32 n, const u32 *label, Control *control) {
  if (control->sure) return;
  Giant g = most_frequent(targets, arcs, label);
  if (threadIdx.x != 0) return;
  control->giant = g.root;
  TALLY(control->seen = g.count;)
  control->sure = (SAMPLES - g.count) * arcs <= (u64)SAMPLES * n;
}

// Vertices outside of the giant join all their neighbors. Those in it need not:
// the vertex at the other end of an arc that leads out is outside and has that
// arc too, or it has come in since. In a directed graph it has not, so all
// vertices look (skip is 0).
extern "C" __global__ void wcc_rest(const Offset *offsets, const u32 *targets, u32 n, u32 skip, u32 *label, Control *control, u64 *pieces) {
  TALLY(Tally tally;)
  u32 giant = skip ? control->giant : NONE;
  bool joins = false;
  for (u64 base = (u64)global_warp() * 32 * WCC_BATCH; base < n; base += (u64)global_warps() * 32 * WCC_BATCH) {
    u32 looks = 0; // bits of the lane's vertices
#pragma unroll
    for (u32 k = 0; k < WCC_BATCH; k++) {
      u64 v = base + 32 * k + lane();
      if (v < n && peek(label + v) != giant) looks |= 1u << k;
    }
#pragma unroll 1
    for (u32 k = 0; k < WCC_BATCH; k++) {
      u32 v = (u32)base + 32 * k + lane();
      bool one = looks >> k & 1;
      if (__any_sync(~0u, one)) joins |= join_vertices({offsets, targets}, 0, one, v, one ? peek(label + v) : 0, label, control, pieces TALLY(, tally));
    }
  }
  tell_joined(control, joins);
  TALLY(tally.flush(control->tally);)
}

extern "C" __global__ void wcc_pieces(const Offset *offsets, const u32 *targets, u32 *label, Control *control, const u64 *list) {
  TALLY(Tally tally;)
  tell_joined(control, join_pieces({offsets, targets}, {0, 0}, label, control, list TALLY(, tally)));
  TALLY(tally.flush(control->tally);)
}
