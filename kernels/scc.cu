// Strongly connected components.
//
//  1. scc_init: vertices without in- or out-arcs are components alone; the pivot is
//     a vertex with many arcs both ways.
//  2. scc_reach: what the pivot reaches and what reaches it, both searches at once,
//     one barrier a level. A search pushes from lists while they are short; over a
//     heavy frontier it sweeps: each vertex not yet reached looks for a reached
//     neighbour and stops at the first. Sweeps are in place: reachability is
//     monotone, so seeing a vertex early is no error, only sooner. In an order by
//     degree the first two neighbours, which lie side by side, nearly always tell.
//  3. scc_classes: what both have found is the pivot's component. Any other lies
//     within one of three classes: reached, reaching, neither. Those without an in-
//     or an out-neighbour in their class are components alone.
//  4. scc_rest, until no vertex is left: trim those without an in- or an
//     out-neighbour in their class, and again those who lost one by that; give each
//     vertex the least colour that reaches it within its class; from each vertex
//     that kept its own colour, go backward within the colour: that is its
//     component. Colours of the others are their classes next time. One block does
//     it where little is left.
//
// Colours are the ids, mixed, anew each time: on a chain of components whose ids
// ascend, colours by id would find one component each time; by mixed ids the
// number of times grows as the logarithm of the chain's length. (Fleischer,
// Hendrickson and Pınar 2000; McLendon et al. 2005; Orzan, On distributed
// verification and verified distribution, 2004, for the colours; Slota,
// Rajamanickam and Madduri 2014.)
//
// Cost: the first two neighbours of nearly all vertices in each direction, and the
// lists of those outside of the pivot's component, which are short.
#include "scc_reach.cuh"
#include "scc_rest.cuh"

// Lists the pieces of the vertices that have more than HUB arcs.
__device__ __forceinline__ void list_hubs(u32 v, Offset degree, uint2 *list, u32 *count) {
  if (!__any_sync(~0u, degree > HUB)) return;
  u32 number = degree > HUB ? (u32)((degree + HUB - 1) / HUB) : 0;
  u32 end = warp_scan(number), total = __shfl_sync(~0u, end, 31), at = 0;
  if (lane() == 0) at = atomicAdd(count, total);
  write_pieces(list, __shfl_sync(~0u, at, 0) + end - number, number, v);
}

// The pivot, as a number of which the greatest is taken.
__device__ __forceinline__ u64 candidate(u32 v, float weight) { return (u64)__float_as_uint(weight) << 32 | ~v; }

// Vertices from active on have no arcs, and nothing else looks at them. The state
// is all zero before. The host may know a pivot; else it is NONE.
extern "C" __global__ void __launch_bounds__(256)
    scc_init(u32 active, const Offset *out_offsets, const Offset *in_offsets, u32 *component, u32 *alive, u32 *forward, u32 *backward, u32 *bits0, u32 *bits1, u32 *done, uint2 *out_hubs,
             uint2 *in_hubs, State *state, u32 n, u32 pivot) {
  u64 best = 0;
  if (pivot != NONE && global_thread() == 0) best = candidate(pivot, 1);
  for (u64 v = (u64)active + global_thread(); v < n; v += global_threads()) component[v] = (u32)v;
  for (u64 at = (u64)global_warp() * 32 * SCC_BATCH; at < active; at += (u64)global_warps() * 32 * SCC_BATCH) {
    Offset out[SCC_BATCH], in[SCC_BATCH]; // arcs of the lane's vertices
    u32 word = 0;                         // of lane q: who lives of the vertices of number q
#pragma unroll
    for (u32 q = 0; q < SCC_BATCH; q++) {
      u64 v = at + 32 * q + lane();
      out[q] = in[q] = 0;
      if (v < active) out[q] = __ldg(out_offsets + v + 1) - __ldg(out_offsets + v), in[q] = __ldg(in_offsets + v + 1) - __ldg(in_offsets + v);
    }
#pragma unroll
    for (u32 q = 0; q < SCC_BATCH; q++) {
      u64 v = at + 32 * q + lane();
      bool lives = out[q] > 0 && in[q] > 0;
      if (v < active) component[v] = lives ? NONE : (u32)v;
      if (lives && pivot == NONE) best = max(best, candidate((u32)v, (float)out[q] * (float)in[q]));
      u32 bits = __ballot_sync(~0u, lives);
      if (lane() == q) word = bits;
      list_hubs((u32)v, lives ? out[q] : 0, out_hubs, &state->hubs[0]);
      list_hubs((u32)v, lives ? in[q] : 0, in_hubs, &state->hubs[1]);
    }
    u64 i = at / 32 + lane();
    if (lane() < SCC_BATCH && i * 32 < active) {
      alive[i] = word;
      forward[i] = backward[i] = bits0[i] = bits1[i] = done[i] = 0;
    }
  }
  for (int d = 16; d; d >>= 1) best = max(best, (u64)__shfl_xor_sync(~0u, best, d));
  if (lane() == 0 && best > peek(&state->pivot)) atomicMax(&state->pivot, best);
  if (global_thread() == 0) {
    state->giant = NONE;
    state->fresh = 1;
  }
}

// The least vertex of the pivot's component.
__device__ __forceinline__ void find_least(u32 n, const u32 *alive, const u32 *forward, const u32 *backward, u32 *giant) {
  u32 least = NONE, words = (u32)(((u64)n + 31) / 32);
  for (u64 i = global_thread(); i < words && least == NONE; i += global_threads()) {
    u32 both = alive[i] & peek(forward + i) & peek(backward + i);
    if (both) least = (u32)i * 32 + __ffs(both) - 1;
  }
  __syncwarp();
  for (int d = 16; d; d >>= 1) least = min(least, __shfl_xor_sync(~0u, least, d));
  if (lane() == 0 && least < peek(giant)) atomicMin(giant, least);
}

// The two searches, until both have ended or the time is over.
extern "C" __global__ void __launch_bounds__(THREADS, SCC_RESIDENT)
    scc_reach(u32 n, const Offset *out_offsets, const u32 *out_targets, const Offset *in_offsets, const u32 *in_targets, const u32 *out_first, const u32 *in_first, const u32 *alive,
              u32 *forward, u32 *backward, u32 *f0, u32 *f1, u32 *b0, u32 *b1, uint2 *fc0, uint2 *fc1, uint2 *bc0, uint2 *bc1, const uint2 *out_hubs, const uint2 *in_hubs, State *state,
              u64 limit) {
  __shared__ u32 buffers[THREADS / 32][64];
  __shared__ u32 swept[2];
  __shared__ u64 start, arcs, counts[2], found[2]; // of a search: its list, what its sweep has found
  __shared__ Search searches[2];
  // What launches before have left is read through the first-level cache, once for
  // all warps of a multiprocessor; it changes after a barrier only.
  if (state->reached) return;
  u32 rounds = 0, round = state->round, modes[2] = {state->mode[0], state->mode[1]}, pivot = ~(u32)state->pivot;
  if (!state->pivot) modes[0] = modes[1] = ENDED;
  Grid grid(state->barrier);
  if (threadIdx.x == 0) {
    start = nanoseconds(), arcs = 0;
    counts[0] = state->counts[0][round & 3], counts[1] = state->counts[1][round & 3];
    searches[0] = {out_offsets, in_offsets, out_targets, in_targets, in_first, forward, {f0, f1, fc0, fc1}, state->counts[0], state->swept[0], in_hubs, &state->hubs[1]};
    searches[1] = {in_offsets, out_offsets, in_targets, out_targets, out_first, backward, {b0, b1, bc0, bc1}, state->counts[1], state->swept[1], out_hubs, &state->hubs[0]};
  }
  __syncthreads();
  Pusher out;
  while (modes[0] != ENDED || modes[1] != ENDED) {
    bool sweeps[2] = {modes[0] == SWEEP || modes[0] == LISTING, modes[1] == SWEEP || modes[1] == LISTING};
    if (global_thread() < 2) state->counts[global_thread()][(round + 2) & 3] = state->swept[global_thread()][(round + 2) & 3] = 0;
    if (threadIdx.x < 2) swept[threadIdx.x] = 0;
#pragma unroll 1
    for (u32 d = 0; d < 2; d++) {
      if ((d ? modes[1] : modes[0]) != LIST) continue;
      const Search &s = searches[d];
      out.begin(buffers[threadIdx.x >> 5], s.lists.vertices(round + 1), s.lists.chunks(round + 1), s.counts + ((round + 1) & 3));
      Found list = {&out, n, false};
      Reach body = {s.offsets, s.reached, &list};
      u32 warp = d ? last_warp() : global_warp();
      u64 visited;
      if (round == 0) {
        if (global_thread() == 0) mark(s.reached, pivot);
        __syncwarp();
        visited = reach_from(body, warp, pivot, s);
      } else {
        visited = visit_chunks<u32>(body, warp, s.lists.chunks(round), chunks_of(counts[d]), s.offsets, s.targets);
        visited += visit_list<u32>(body, warp, s.lists.vertices(round), vertices_of(counts[d]), s.offsets, s.targets);
      }
      out.end();
      if (lane() == 0 && visited) atomicAdd(&arcs, visited);
      if (global_thread() == 0) atomicAdd(&state->vertices, round ? (u64)vertices_of(counts[d]) + chunks_of(counts[d]) : 1);
    }
    if (sweeps[0] || sweeps[1]) {
      // Both searches are swept at once, each by every second warp.
      bool both = sweeps[0] && sweeps[1];
      u32 d = both ? global_warp() & 1 : sweeps[1];
      const Search &s = searches[d];
      out.begin(buffers[threadIdx.x >> 5], s.lists.vertices(round + 1), s.lists.chunks(round + 1), s.counts + ((round + 1) & 3));
      Found list = {&out, n, false};
      u32 mine = sweep(n, alive, {s, global_warp() >> both, global_warps() >> both, (d ? modes[1] : modes[0]) == LISTING, &list});
      out.end();
      __syncthreads();
      if (lane() == 0 && mine) atomicAdd(&swept[d], mine);
      __syncthreads();
      if (threadIdx.x < 2 && swept[threadIdx.x]) atomicAdd(&state->swept[threadIdx.x][(round + 1) & 3], (u64)swept[threadIdx.x]);
    }
    u64 leave = global_thread() == 0 && round % 16 == 15 && nanoseconds() - start > limit;
    leave = grid.sync(leave);
    round++;
    rounds++;
    // A thread of each block looks: all of them would be a queue before one address.
    if (threadIdx.x < 2) counts[threadIdx.x] = peek(&state->counts[threadIdx.x][round & 3]), found[threadIdx.x] = peek(&state->swept[threadIdx.x][round & 3]);
    __syncthreads();
#pragma unroll
    for (u32 d = 0; d < 2; d++) {
      if (modes[d] != LIST && modes[d] != ENDED && global_thread() == 0) atomicAdd(&state->vertices, found[d]);
      modes[d] = next_mode(n, modes[d], counts[d], found[d]);
    }
    if (leave) break;
  }
  if (!rounds) grid.sync();
  if (threadIdx.x == 0 && arcs) atomicAdd(&state->arcs, arcs);
  if (modes[0] == ENDED && modes[1] == ENDED) find_least(n, alive, forward, backward, &state->giant);
  if (global_thread() != 0) return;
  state->round = round;
  state->mode[0] = modes[0];
  state->mode[1] = modes[1];
  state->reached = modes[0] == ENDED && modes[1] == ENDED;
  state->rounds += rounds;
}

// In place of scc_reach where both searches were made tile by tile: who was reached
// has a value that is not 0. It does nothing while either is under way. The block
// that ends last says that both have ended.
extern "C" __global__ void __launch_bounds__(256)
    scc_adopt(u32 n, const u32 *alive, u32 *forward, u32 *backward, const u32 *reached, const u32 *reaching, const u64 *control0, const u64 *control1, State *state) {
  if (peek(&state->reached) || control0[12] || control1[12]) return; // next in struct TileControl
  u32 least = NONE;
  for (u64 at = (u64)global_warp() * 32; at < n; at += (u64)global_warps() * 32) {
    u64 v = at + lane();
    u32 f = __ballot_sync(~0u, v < n && reached[v]), b = __ballot_sync(~0u, v < n && reaching[v]);
    if (lane() == 0) forward[at / 32] = f, backward[at / 32] = b;
    u32 both = alive[at / 32] & f & b;
    if (both && least == NONE) least = (u32)at + __ffs(both) - 1;
  }
  if (lane() == 0 && least < peek(&state->giant)) atomicMin(&state->giant, least);
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  if (atomicAdd(&state->unused, 1) == gridDim.x - 1) state->reached = 1;
}
