// Steps 3 and 4 of scc.cu: the components outside the pivot's.
#pragma once
#include "scc.cuh"

// Tells whether a neighbour is left too and in the same class.
struct OfClass {
  const u32 *alive, *forward, *backward;
  __device__ __forceinline__ bool operator()(u32 u, u32 v, u32 key) const {
    u32 at = u >> 5, i = u & 31, live = alive[at], f = forward[at], b = backward[at];
    return u != v && (live >> i & 1) && ((f >> i & 1) | (b >> i & 1) << 1) == key;
  }
};

#ifndef SCC_WORDS
#define SCC_WORDS 4 // words of the bitmaps that a warp loads together, for scc_classes
#endif

// What scc_classes knows of the graph, and writes.
struct Classes {
  const Offset *out_offsets, *in_offsets;
  const u32 *out_targets, *in_targets;
  u32 *component, *classes, *rest;
  State *state;
};

// Trims those of the 32 vertices of a warp, with bits in left, that have no in- or
// no out-neighbour in their class; lists the others.
__device__ __forceinline__ void trim_first(const Classes &c, u32 v, bool left, u32 key, OfClass same) {
  Offset out = 0, out_end = 0, in = 0, in_end = 0;
  if (left) out = c.out_offsets[v], out_end = c.out_offsets[v + 1], in = c.in_offsets[v], in_end = c.in_offsets[v + 1];
  bool joined = any_arc(left, v, key, out, out_end, c.out_targets, same);
  joined = any_arc(left && joined, v, key, in, in_end, c.in_targets, same);
  if (left) {
    c.classes[v] = joined ? key : DEAD;
    if (!joined) c.component[v] = v;
  }
  left = left && joined;
  if (!__any_sync(~0u, left)) return;
  u32 place = append((u32 *)&c.state->left[0], left);
  if (left) c.rest[place] = v;
  u64 arcs = warp_sum(left ? (u64)(out_end - out) + (in_end - in) : 0ull);
  if (lane() == 0) atomicAdd(&c.state->left_arcs, arcs);
}

// Labels the pivot's component, and gives the others their classes. Those that
// have no in- or no out-neighbour in theirs are trimmed at once; the rest is
// listed, and trimmed again. The words of a warp are as far apart as there are
// warps: most of what is left stands together, in an order by degree.
extern "C" __global__ void __launch_bounds__(256, 6)
    scc_classes(u32 n, const Offset *out_offsets, const u32 *out_targets, const Offset *in_offsets, const u32 *in_targets, const u32 *alive, const u32 *forward, const u32 *backward,
                u32 *component, u32 *classes, u32 *rest, State *state) {
  if (!state->reached) return;
  u32 giant = state->giant, words = (u32)(((u64)n + 31) / 32);
  Classes c = {out_offsets, in_offsets, out_targets, in_targets, component, classes, rest, state};
  for (u64 at = global_warp(); at < words; at += (u64)global_warps() * SCC_WORDS) {
    u32 f[SCC_WORDS], b[SCC_WORDS], live[SCC_WORDS], left = 0, keys = 0; // of the lane's vertices
#pragma unroll
    for (u32 k = 0; k < SCC_WORDS; k++) {
      u64 i = at + (u64)k * global_warps();
      f[k] = b[k] = live[k] = 0;
      if (i < words) f[k] = __ldg(forward + i), b[k] = __ldg(backward + i), live[k] = __ldg(alive + i);
    }
#pragma unroll
    for (u32 k = 0; k < SCC_WORDS; k++) {
      u64 v = (at + (u64)k * global_warps()) * 32 + lane();
      u32 both = f[k] & b[k], stays = live[k] & ~both;
      if (live[k] & both & 1u << lane()) component[v] = giant;
      if (v < n && !(stays & 1u << lane())) classes[v] = DEAD;
      left |= (stays >> lane() & 1) << k;
      keys |= ((f[k] >> lane() & 1) | (b[k] >> lane() & 1) << 1) << 2 * k;
    }
#pragma unroll 1
    for (u32 k = 0; k < SCC_WORDS; k++)
      if (__any_sync(~0u, left >> k & 1)) trim_first(c, (u32)(at + (u64)k * global_warps()) * 32 + lane(), left >> k & 1, keys >> 2 * k & 3, {alive, forward, backward});
  }
}

// A one-to-one mixing of 32 bits, and back.
__device__ __forceinline__ u32 mix(u32 v, u32 salt) {
  u32 x = (v ^ salt) * 0x9e3779b1u;
  return (x ^ x >> 16) * 0x85ebca6bu;
}
__device__ __forceinline__ u32 unmix(u32 x, u32 salt) {
  x *= 0xa5cb9243u;
  return (x ^ x >> 16) * 0x0e8b2f51u ^ salt;
}
static_assert(0x85ebca6bu * 0xa5cb9243u == 1u, "an inverse");
static_assert(0x9e3779b1u * 0x0e8b2f51u == 1u, "an inverse");

struct Rest {
  const Offset *out_offsets, *in_offsets;
  const u32 *out_targets, *in_targets;
  u32 *component, *classes, *colours, *least;
  u32 *done;                 // bits: the component of the vertex's colour
  u32 *listed, *next_listed; // bits: on the list, and on the next
  u32 salt;
  u32 warps; // that share the work; those of the first block, or all
  Pusher *out;
};

// Where little is left one block does it all: its barriers cost a tenth of those
// of the grid.
#ifndef ALONE_VERTICES
#define ALONE_VERTICES 4096
#endif
#ifndef ALONE_ARCS
#define ALONE_ARCS 65536
#endif

// The blocks that work together.
struct Crew {
  Grid grid;
  bool alone;

  __device__ __forceinline__ u64 sync(u64 bring) {
    __shared__ u64 brought;
    if (!alone) return grid.sync(bring);
    __syncthreads();
    if (threadIdx.x == 0) brought = bring;
    __syncthreads();
    return brought;
  }
};

struct SameClass {
  const u32 *classes;
  __device__ __forceinline__ bool operator()(u32 u, u32 v, u32 key) const { return u != v && peek(classes + u) == key; }
};

// Lists the neighbours that are left, of vertices that are trimmed.
struct Wake {
  Rest *r;
  __device__ __forceinline__ void visit(Arcs<u32> &a) {
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      bool wakes = a.ok[k] && peek(r->classes + a.target[k]) != DEAD && mark(r->next_listed, a.target[k]);
      r->out->vertex(wakes, a.target[k]);
    }
  }
};

// Chunks of in-arcs have this bit set in their number.
static const u32 INWARD = 1u << 31;

// Trims those of the list that stand alone, and lists their neighbours; those of
// a vertex with many arcs in the next round, by chunks.
//
// Who was seen alive and is trimmed in the same round lists whoever has seen it.
__device__ __forceinline__ u64 trim(Rest &r, const u32 *list, u64 count) {
  u64 arcs = 0;
  Wake wake = {&r};
  for (u64 at = (u64)global_warp() * 32; at < count; at += (u64)r.warps * 32) {
    bool here = at + lane() < count;
    u32 v = here ? peek(list + at + lane()) : 0, key = DEAD;
    Offset out = 0, out_end = 0, in = 0, in_end = 0;
    if (here) {
      unmark(r.listed, v);
      key = peek(r.classes + v);
    }
    here = here && key != DEAD;
    if (here) out = r.out_offsets[v], out_end = r.out_offsets[v + 1], in = r.in_offsets[v], in_end = r.in_offsets[v + 1];
    bool joined = any_arc(here, v, key, out, out_end, r.out_targets, SameClass{r.classes});
    joined = any_arc(here && joined, v, key, in, in_end, r.in_targets, SameClass{r.classes});
    bool alone = here && !joined;
    if (alone) {
      r.classes[v] = DEAD;
      r.component[v] = v;
    }
    __syncwarp();
    if (!__any_sync(~0u, alone)) continue;
    Offset out_degree = alone ? out_end - out : 0, in_degree = alone ? in_end - in : 0;
    arcs += visit_vertices<u32>(wake, v, 0u, out, out_degree <= FEW ? (u32)out_degree : 0, r.out_targets);
    arcs += visit_vertices<u32>(wake, v, 0u, in, in_degree <= FEW ? (u32)in_degree : 0, r.in_targets);
    r.out->cut(out_degree > FEW, v, out_degree);
    r.out->cut(in_degree > FEW, v, in_degree, INWARD);
  }
  return arcs;
}

// Lists the neighbours along chunks of vertices trimmed in the round before.
__device__ __forceinline__ u64 wake_chunks(Rest &r, const uint2 *list, u32 count) {
  u64 arcs = 0;
  Wake wake = {&r};
  for (u64 at = global_warp(); at < count; at += r.warps) {
    uint2 item = peek(list + at);
    bool in = item.y & INWARD;
    const Offset *offsets = in ? r.in_offsets : r.out_offsets;
    Offset start = offsets[item.x] + (Offset)(item.y & ~INWARD) * CHUNK, end = offsets[item.x + 1];
    u32 few = (u32)min((u64)CHUNK, (u64)(end - start));
    // Dealt out as if each lane had a 32nd of them.
    u32 each = (few + 31) / 32, from = min(few, each * lane()), to = min(few, each * (lane() + 1));
    arcs += visit_vertices<u32>(wake, item.x, 0u, start + from, to - from, in ? r.in_targets : r.out_targets);
  }
  return arcs;
}

// Gives the vertices that are left their own colours and lists them; returns how
// many the warp has.
__device__ __forceinline__ u32 begin_colours(Rest &r, const u32 *rest, u64 count) {
  u32 alive = 0;
  for (u64 at = (u64)global_warp() * 32; at < count; at += (u64)r.warps * 32) {
    u32 v = at + lane() < count ? peek(rest + at + lane()) : 0;
    bool here = at + lane() < count && peek(r.classes + v) != DEAD;
    if (here) {
      r.colours[v] = mix(v, r.salt);
      r.least[v] = NONE;
    }
    alive += __popc(__ballot_sync(~0u, here));
    r.out->push(here, v, here ? r.out_offsets[v + 1] - r.out_offsets[v] : 0);
  }
  return alive;
}

// A colour goes along out-arcs within its class. The value of a source is its
// class and, below, its colour.
struct Paint {
  Rest *r;

  __device__ __forceinline__ bool open(u32 v, bool first, u64 &value) {
    if (first) unmark(r->listed, v);
    value = (u64)peek(r->classes + v) << 32 | peek(r->colours + v);
    return true;
  }

  __device__ __forceinline__ void visit(Arcs<u64> &a) {
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) a.ok[k] = a.ok[k] && peek(r->classes + a.target[k]) == (u32)(a.value[k] >> 32) && peek(r->colours + a.target[k]) > (u32)a.value[k];
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      u32 t = a.target[k];
      bool won = a.ok[k] && atomicMin(r->colours + t, (u32)a.value[k]) > (u32)a.value[k] && mark(r->next_listed, t);
      r->out->push(won, t, won ? r->out_offsets[t + 1] - r->out_offsets[t] : 0);
    }
  }
};

// Lists the vertices that have kept their own colours.
__device__ __forceinline__ void find_roots(Rest &r, const u32 *rest, u64 count) {
  for (u64 at = (u64)global_warp() * 32; at < count; at += (u64)r.warps * 32) {
    u32 v = at + lane() < count ? peek(rest + at + lane()) : 0;
    bool root = at + lane() < count && peek(r.classes + v) != DEAD && peek(r.colours + v) == mix(v, r.salt);
    if (root) {
      mark(r.done, v);
      atomicMin(r.least + v, v);
    }
    r.out->push(root, v, root ? r.in_offsets[v + 1] - r.in_offsets[v] : 0);
  }
}

// What reaches the root within its colour is its component. A colour belongs to
// one class, but dead vertices have colours too, of times before.
struct Spread {
  Rest *r;

  __device__ __forceinline__ bool open(u32 v, bool, u64 &value) {
    value = (u64)peek(r->classes + v) << 32 | peek(r->colours + v);
    return true;
  }

  __device__ __forceinline__ void visit(Arcs<u64> &a) {
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++)
      a.ok[k] = a.ok[k] && peek(r->classes + a.target[k]) == (u32)(a.value[k] >> 32) && peek(r->colours + a.target[k]) == (u32)a.value[k] && !marked(r->done, a.target[k]);
#pragma unroll
    for (u32 k = 0; k < AHEAD; k++) {
      u32 t = a.target[k];
      bool first = a.ok[k] && mark(r->done, t);
      if (first) atomicMin(r->least + unmix((u32)a.value[k], r->salt), t);
      r->out->push(first, t, first ? r->in_offsets[t + 1] - r->in_offsets[t] : 0);
    }
  }
};

// Labels the components that were found, gives the others their new classes and
// lists them.
__device__ __forceinline__ void settle(Rest &r, const u32 *rest, u64 count, u32 *next_rest, u64 *next_count) {
  for (u64 at = (u64)global_warp() * 32; at < count; at += (u64)r.warps * 32) {
    u32 v = at + lane() < count ? peek(rest + at + lane()) : 0;
    bool left = at + lane() < count && peek(r.classes + v) != DEAD;
    if (left) {
      u32 root = unmix(peek(r.colours + v), r.salt);
      if (marked(r.done, v)) {
        r.component[v] = peek(r.least + root);
        r.classes[v] = DEAD;
        left = false;
      } else {
        r.classes[v] = root;
      }
    }
    u32 place = append((u32 *)next_count, left);
    if (left) next_rest[place] = v;
  }
}

// The phases of the rest, in this order, again and again; TRIM, PAINT and SPREAD
// until their list is empty.
enum { TRIM, COLOURS, PAINT, ROOTS, SPREAD, SETTLE, DONE };

// The components outside the pivot's, until all are found or the time is over.
extern "C" __global__ void __launch_bounds__(512, 1)
    scc_rest(u32 n, const Offset *out_offsets, const u32 *out_targets, const Offset *in_offsets, const u32 *in_targets, u32 *component, u32 *classes, u32 *colours, u32 *least, u32 *bits0,
             u32 *bits1, u32 *done, u32 *rest0, u32 *rest1, u32 *list0, u32 *list1, uint2 *chunks0, uint2 *chunks1, State *state, u64 limit) {
  __shared__ u32 buffers[THREADS / 32][64];
  __shared__ u32 alive;
  __shared__ u64 now[3]; // length of the round's list; of the lists of what is left
  // As in scc_reach. One block alone may change what others have yet to read, but
  // not so that they would think otherwise.
  u32 phase = state->phase;
  if (!state->reached || phase == DONE) return;
  Lists lists = {list0, list1, chunks0, chunks1};
  Crew crew = {Grid(state->rest_barrier), state->left[state->iteration & 1] <= ALONE_VERTICES && state->left_arcs <= ALONE_ARCS};
  if (crew.alone && blockIdx.x != 0) return;
  u64 start = nanoseconds(), arcs = 0, rounds = 0, vertices = 0;
  u32 round = state->rest_round, iteration = state->iteration, fresh = state->fresh;
  auto look = [&]() {
    if (threadIdx.x < 3) now[threadIdx.x] = threadIdx.x ? peek(&state->left[threadIdx.x - 1]) : peek(&state->rest_counts[round & 3]);
    __syncthreads();
  };
  Pusher out;
  look();
  while (phase != DONE) {
    u64 counts = now[0], left = now[1 + (iteration & 1)], bring = 0;
    u32 *rest = iteration & 1 ? rest1 : rest0;
    bool odd = round & 1;
    out.begin(buffers[threadIdx.x >> 5], lists.vertices(round + 1), lists.chunks(round + 1), &state->rest_counts[(round + 1) & 3]);
    Rest r = {out_offsets, in_offsets, out_targets, in_targets, component, classes, colours, least, done, odd ? bits1 : bits0, odd ? bits0 : bits1, iteration * 0x7f4a7c15u,
              crew.alone ? blockDim.x / 32 : global_warps(), &out};
    if (global_thread() == 0) {
      state->rest_counts[(round + 2) & 3] = 0;
      if (phase == COLOURS) state->left[(iteration + 1) & 1] = 0;
    }
    vertices += vertices_of(counts) + chunks_of(counts);
    if (phase == TRIM) {
      arcs += wake_chunks(r, lists.chunks(round), fresh ? 0 : chunks_of(counts));
      arcs += trim(r, fresh ? rest : lists.vertices(round), fresh ? left : vertices_of(counts));
      fresh = 0;
    } else if (phase == COLOURS) {
      if (threadIdx.x == 0) alive = 0;
      __syncthreads();
      u32 mine = begin_colours(r, rest, left);
      if (lane() == 0 && mine) atomicAdd(&alive, mine);
      __syncthreads();
      bring = alive;
    } else if (phase == PAINT) {
      Paint body = {&r};
      arcs += visit_chunks<u64>(body, global_warp(), lists.chunks(round), chunks_of(counts), out_offsets, out_targets, r.warps);
      arcs += visit_list<u64>(body, r.warps - 1 - global_warp(), lists.vertices(round), vertices_of(counts), out_offsets, out_targets, r.warps);
    } else if (phase == ROOTS) {
      find_roots(r, rest, left);
    } else if (phase == SPREAD) {
      Spread body = {&r};
      arcs += visit_chunks<u64>(body, global_warp(), lists.chunks(round), chunks_of(counts), in_offsets, in_targets, r.warps);
      arcs += visit_list<u64>(body, r.warps - 1 - global_warp(), lists.vertices(round), vertices_of(counts), in_offsets, in_targets, r.warps);
    } else {
      settle(r, rest, left, iteration & 1 ? rest0 : rest1, &state->left[(iteration + 1) & 1]);
    }
    out.end();
    if (global_thread() == 0 && nanoseconds() - start > limit) bring += 1ull << 40;
    u64 sum = crew.sync(bring);
    round++;
    rounds++;
    look();
    bool empty = !now[0];
    if (phase == COLOURS) {
      phase = (sum & ((1ull << 40) - 1)) ? PAINT : DONE;
    } else if (phase == SETTLE) {
      phase = TRIM;
      fresh = 1;
      iteration++;
    } else if (phase == ROOTS || empty) {
      phase++;
    }
    if (sum >> 40) break;
  }
  if (lane() == 0 && arcs) atomicAdd(&state->arcs, arcs);
  if (global_thread() != 0) return;
  state->phase = phase;
  state->rest_round = round;
  state->iteration = iteration;
  state->fresh = fresh;
  state->rounds += rounds;
  state->vertices += vertices;
}
