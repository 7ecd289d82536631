// Strongly connected components.
//
//  1. scc_init: vertices without in- or out-arcs are components alone; the pivot is
//     a vertex with many arcs both ways.
//  2. scc_reach: what the pivot reaches and what reaches it, both searches at once,
//     one barrier a level. A search pushes from lists while they are short; over a
//     heavy frontier it sweeps: each vertex not yet reached looks for a reached
//     neighbour and stops at the first. Sweeps are in place: reachability is
//     monotone, so seeing a vertex early is no error, only sooner.
//  3. scc_classes: what both have found is the pivot's component. Any other lies
//     within one of three classes: reached, reaching, neither. Those without an in-
//     or an out-neighbour in their class are components alone.
//  4. scc_rest, until no vertex is left: trim those without an in- or an
//     out-neighbour in their class, and again those who lost one by that; give each
//     vertex the least colour that reaches it within its class; from each vertex
//     that kept its own colour, go backward within the colour: that is its
//     component. Colours of the others are their classes next time.
//
// Colours are the ids, mixed, anew each time: on a chain of components whose ids
// ascend, colours by id would find one component each time; by mixed ids the
// number of times grows as the logarithm of the chain's length. (Fleischer, Hendrickson and Pınar 2000; McLendon et al. 2005;
// Orzan, On distributed verification and verified distribution, 2004, for the
// colours; Slota, Rajamanickam and Madduri 2014.)
#include "scc.cuh"
#include "scc_rest.cuh"

// Lists the pieces of the vertices that have more than HUB arcs.
__device__ __forceinline__ void list_hubs(u32 v, Offset degree, uint2 *list, u32 *count) {
  u32 mask = __ballot_sync(~0u, degree > HUB);
  u32 number = (u32)((degree + HUB - 1) / HUB);
  while (mask) {
    int of = __ffs(mask) - 1;
    mask &= mask - 1;
    u32 all = __shfl_sync(~0u, number, of), its = __shfl_sync(~0u, v, of), at = 0;
    if (lane() == 0) at = atomicAdd(count, all);
    at = __shfl_sync(~0u, at, 0);
    for (u32 i = lane(); i < all; i += 32) list[at + i] = make_uint2(its, i);
  }
}

// Vertices from active on have no arcs, and nothing else looks at them. The state
// is all zero before.
extern "C" __global__ void __launch_bounds__(256)
    scc_init(u32 active, const Offset *out_offsets, const Offset *in_offsets, u32 *component, u32 *alive, u32 *forward, u32 *backward, u32 *bits0, u32 *bits1, u32 *done, uint2 *out_hubs,
             uint2 *in_hubs, State *state, u32 n) {
  u64 best = 0;
  for (u64 v = (u64)active + global_thread(); v < n; v += global_threads()) component[v] = (u32)v;
  for (u64 at = (u64)global_warp() * 32; at < active; at += (u64)global_warps() * 32) {
    u64 v = at + lane();
    Offset out = 0, in = 0;
    if (v < active) {
      out = out_offsets[v + 1] - out_offsets[v];
      in = in_offsets[v + 1] - in_offsets[v];
    }
    bool lives = out > 0 && in > 0;
    if (v < active) component[v] = lives ? NONE : (u32)v;
    if (lives) {
      u64 key = (u64)__float_as_uint((float)out * (float)in) << 32 | ~(u32)v;
      best = max(best, key);
    }
    u32 word = __ballot_sync(~0u, lives);
    if (lane() == 0) {
      alive[at / 32] = word;
      forward[at / 32] = backward[at / 32] = bits0[at / 32] = bits1[at / 32] = done[at / 32] = 0;
    }
    list_hubs((u32)v, lives ? out : 0, out_hubs, &state->hubs[0]);
    list_hubs((u32)v, lives ? in : 0, in_hubs, &state->hubs[1]);
  }
  for (int d = 16; d; d >>= 1) best = max(best, (u64)__shfl_xor_sync(~0u, best, d));
  if (lane() == 0 && best) atomicMax(&state->pivot, best);
  if (global_thread() == 0) {
    state->giant = NONE;
    state->fresh = 1;
  }
}

// How a search goes on: from a list; by sweeps; by a sweep that lists what it
// finds; not at all.
enum { LIST, SWEEP, LISTING, ENDED };

// One of the two searches: pushed along the arcs of offsets and targets, pulled
// along the others.
struct Search {
  const Offset *offsets, *pull_offsets;
  const u32 *targets, *pull_targets;
  u32 *reached;
  Lists lists;
  u64 *counts, *swept;
  const uint2 *hubs;  // pieces of what is pulled
  const u32 *hub_count;
};

struct Reach {
  const Offset *offsets;
  u32 *reached;
  Pusher *out;

  __device__ __forceinline__ bool open(u32, bool, u32 &) { return true; }

  __device__ __forceinline__ void visit(Arcs<u32> &a) {
    Offset degree[AHEAD];
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) a.ok[k] = a.ok[k] && !marked(reached, a.target[k]);
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      degree[k] = 0;
      if (!a.ok[k]) continue;
      degree[k] = __ldg(offsets + a.target[k] + 1) - __ldg(offsets + a.target[k]);
      a.ok[k] = mark(reached, a.target[k]);
    }
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) out->push(a.ok[k], a.target[k], degree[k]);
  }
};

struct IsReached {
  const u32 *reached;
  __device__ __forceinline__ bool operator()(u32 u, u32, u32) const { return marked(reached, u); }
};

// Looks at one piece of a hub after the other; returns how many hubs were found.
__device__ __forceinline__ u32 sweep_hubs(const Search &s, bool listing, Pusher &out) {
  u32 found = 0, pieces = peek(s.hub_count);
  for (u64 i = global_warp(); i < pieces; i += global_warps()) {
    uint2 piece = s.hubs[i];
    bool open = !marked(s.reached, piece.x);
    if (!__shfl_sync(~0u, (u32)open, 0)) continue;
    Offset start = s.pull_offsets[piece.x] + (Offset)piece.y * HUB, end = s.pull_offsets[piece.x + 1];
    end = min(end, start + HUB);
    bool hit = any_arc(lane() == 0, piece.x, 0, start, end, s.pull_targets, IsReached{s.reached});
    bool first = hit && mark(s.reached, piece.x);
    found += __popc(__ballot_sync(~0u, first));
    if (listing) out.push(first, piece.x, s.offsets[piece.x + 1] - s.offsets[piece.x]);
  }
  return found;
}

// The vertices of SCC_BATCH words, from number first on, look for a reached
// neighbour: mine of the lanes k and on has their bits. The first two neighbours of
// all of a lane's vertices are loaded side by side; in an order by degree they
// nearly always tell.
__device__ __forceinline__ u32 look(const Search &s, u32 first, u32 mine, u32 k, bool listing, Pusher &out) {
  Offset start[SCC_BATCH], end[SCC_BATCH];
  u32 u[SCC_BATCH][2], hit = 0, more = 0, found = 0; // bits of the lane's vertices
#pragma unroll
  for (u32 q = 0; q < SCC_BATCH; q++) {
    u32 v = (first + q) * 32 + lane(), word = __shfl_sync(~0u, mine, k + q);
    start[q] = end[q] = 0;
    if (word >> lane() & 1) start[q] = __ldg(s.pull_offsets + v), end[q] = __ldg(s.pull_offsets + v + 1);
  }
#pragma unroll
  for (u32 q = 0; q < SCC_BATCH; q++) {
    if (end[q] - start[q] > HUB) end[q] = start[q];
#pragma unroll
    for (u32 j = 0; j < 2; j++) u[q][j] = start[q] + j < end[q] ? __ldg(s.pull_targets + start[q] + j) : NONE;
  }
#pragma unroll
  for (u32 q = 0; q < SCC_BATCH; q++) {
    bool one = u[q][0] != NONE && marked(s.reached, u[q][0]), two = u[q][1] != NONE && marked(s.reached, u[q][1]);
    if (one || two) hit |= 1u << q;
    else if (end[q] - start[q] > 2) more |= 1u << q;
  }
#pragma unroll 1
  for (u32 q = 0; q < SCC_BATCH; q++) {
    u32 v = (first + q) * 32 + lane();
    bool hits = hit >> q & 1, looks = more >> q & 1;
    if (__any_sync(~0u, looks)) {
      Offset from = looks ? __ldg(s.pull_offsets + v) + 2 : 0, to = looks ? __ldg(s.pull_offsets + v + 1) : 0;
      if (any_arc(looks, v, 0, from, to, s.pull_targets, IsReached{s.reached})) hits = true;
    }
    u32 bits = __ballot_sync(~0u, hits);
    if (!bits) continue;
    if (lane() == 0) atomicOr(s.reached + first + q, bits);
    found += __popc(bits);
    if (listing) out.push(hits, v, hits ? s.offsets[v + 1] - s.offsets[v] : 0);
  }
  return found;
}

// Every vertex alive that is not reached looks for a neighbour that is. Returns
// how many the warp has found.
__device__ __forceinline__ u32 sweep(u32 n, const u32 *alive, const Search &s, bool listing, Pusher &out) {
  static_assert(SPAN % SCC_BATCH == 0, "words are looked after in batches");
  u32 found = sweep_hubs(s, listing, out);
  u32 words = (u32)(((u64)n + 31) / 32);
  for (u64 at = (u64)global_warp() * SPAN; at < words; at += (u64)global_warps() * SPAN) {
    u32 mine = lane() < SPAN && at + lane() < words ? alive[at + lane()] & ~peek(s.reached + at + lane()) : 0;
    u32 some = __ballot_sync(~0u, mine != 0);
#pragma unroll 1
    for (u32 k = 0; k < SPAN; k += SCC_BATCH)
      if (some >> k & ((1u << SCC_BATCH) - 1)) found += look(s, (u32)at + k, mine, k, listing, out);
  }
  return found;
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

// How a search goes on after a round.
__device__ __forceinline__ u32 next_mode(u32 n, u32 mode, u64 counts, u64 swept) {
  bool heavy = 32ull * vertices_of(counts) + (u64)CHUNK * chunks_of(counts) > n / 2;
  if (mode == LIST || mode == LISTING) return !counts ? ENDED : heavy ? SWEEP : LIST;
  if (mode == SWEEP) return !swept ? ENDED : swept < n / 256 ? LISTING : SWEEP;
  return ENDED;
}

// The two searches, until both have ended or the time is over.
extern "C" __global__ void __launch_bounds__(512, 2)
    scc_reach(u32 n, const Offset *out_offsets, const u32 *out_targets, const Offset *in_offsets, const u32 *in_targets, const u32 *alive, u32 *forward, u32 *backward, u32 *f0, u32 *f1,
              u32 *b0, u32 *b1, uint2 *fc0, uint2 *fc1, uint2 *bc0, uint2 *bc1, const uint2 *out_hubs, const uint2 *in_hubs, State *state, u64 limit) {
  __shared__ u32 buffers[THREADS / 32][64];
  __shared__ u32 swept;
  if (peek(&state->reached)) return;
  Grid grid(state->barrier);
  u64 start = nanoseconds(), rounds = 0, vertices = 0, arcs = 0;
  u32 round = peek(&state->round), modes[2] = {peek(&state->mode[0]), peek(&state->mode[1])};
  u64 pivot = peek(&state->pivot);
  if (!pivot) modes[0] = modes[1] = ENDED;
  Pusher out;
  while (modes[0] != ENDED || modes[1] != ENDED) {
    if (global_thread() < 2) state->counts[global_thread()][(round + 2) & 3] = state->swept[global_thread()][(round + 2) & 3] = 0;
#pragma unroll
    for (u32 d = 0; d < 2; d++) {
      if (modes[d] == ENDED) continue;
      Search s;
      if (d == 0) s = {out_offsets, in_offsets, out_targets, in_targets, forward, {f0, f1, fc0, fc1}, state->counts[0], state->swept[0], in_hubs, &state->hubs[1]};
      else s = {in_offsets, out_offsets, in_targets, out_targets, backward, {b0, b1, bc0, bc1}, state->counts[1], state->swept[1], out_hubs, &state->hubs[0]};
      out.begin(buffers[threadIdx.x >> 5], s.lists.vertices(round + 1), s.lists.chunks(round + 1), s.counts + ((round + 1) & 3));
      if (round == 0) {
        u32 v = ~(u32)pivot;
        bool first = global_thread() == 0 && mark(s.reached, v);
        __syncwarp();
        out.push(first, v, s.offsets[v + 1] - s.offsets[v]);
      } else if (modes[d] == LIST) {
        u64 counts = peek(s.counts + (round & 3));
        vertices += vertices_of(counts) + chunks_of(counts);
        Reach body = {s.offsets, s.reached, &out};
        arcs += visit_chunks<u32>(body, d ? last_warp() : global_warp(), s.lists.chunks(round), chunks_of(counts), s.offsets, s.targets);
        arcs += visit_list<u32>(body, d ? last_warp() : global_warp(), s.lists.vertices(round), vertices_of(counts), s.offsets, s.targets);
      } else {
        __syncthreads();
        if (threadIdx.x == 0) swept = 0;
        __syncthreads();
        u32 found = sweep(n, alive, s, modes[d] == LISTING, out);
        if (lane() == 0 && found) atomicAdd(&swept, found);
        __syncthreads();
        if (threadIdx.x == 0 && swept) atomicAdd(s.swept + ((round + 1) & 3), (u64)swept);
      }
      out.end();
    }
    u64 leave = global_thread() == 0 && round % 16 == 15 && nanoseconds() - start > limit;
    leave = grid.sync(leave);
    round++;
    rounds++;
#pragma unroll
    for (u32 d = 0; d < 2; d++) {
      if (modes[d] == ENDED) continue;
      u64 found = peek(&state->swept[d][round & 3]);
      if (modes[d] != LIST) vertices += found;
      modes[d] = next_mode(n, modes[d], peek(&state->counts[d][round & 3]), found);
    }
    if (leave) break;
  }
  if (lane() == 0 && arcs) atomicAdd(&state->arcs, arcs);
  if (pivot && modes[0] == ENDED && modes[1] == ENDED) find_least(n, alive, forward, backward, &state->giant);
  if (global_thread() != 0) return;
  state->round = round;
  state->mode[0] = modes[0];
  state->mode[1] = modes[1];
  state->reached = modes[0] == ENDED && modes[1] == ENDED;
  state->rounds += rounds;
  state->vertices += vertices;
}
