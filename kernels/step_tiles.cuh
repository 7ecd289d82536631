// The relaxed form of an edge program: tile by tile, in shared memory.
//
// Result: the least fixed point of a program that keeps the law of
// pregel.Relaxer, the same values as superstep by superstep.
//
// Method: a tile is TILE consecutive vertices. A block takes a tile that has
// something to do, with what its vertices offer in shared memory, and every vertex
// hears its neighbours inside until nobody has anything new to say. Then what has
// changed is sent along the arcs that leave the tile, into boxes, and their tiles
// are marked. A round is all tiles marked before it; two barriers of the grid
// bound it. Of a program with priorities only those up to a little above the least
// one are sent on; the others wait, and the least of them is their tile's key.
//
// Invariant: a tile whose key is not NEVER is to be taken; whoever takes it empties
// the key first and reads the boxes then, whoever delivers fills the box first and
// marks the tile then. Boxes are never emptied: to hear again changes nothing. What
// is offered inside of a tile has been heard inside when the tile is done, so who
// has nothing new to say offers nothing when it is taken again.
//
// Cost: where few arcs leave their tiles, a path costs a round per tile on it, not
// a superstep per arc; arcs inside are read from registers. Within a tile vertices
// hear what is newest, without a barrier between: the order differs from run to
// run, the end does not.
//
// (Tiles are those of graph.ByTiles. What is done inside of a part of a graph need
// not wait for the others: Tian and others, From "think like a vertex" to "think
// like a graph", PVLDB 7, 2013. Near ones before far ones: Davidson, Baxter, Garland
// and Owens, Work-efficient parallel GPU methods for single-source shortest paths,
// IPDPS 2014; here by tile.)
#pragma once

#ifndef TILE
#define TILE 1024
#endif
static const u32 ROW = 4; // arcs inside of a tile that a vertex has in registers
static const u64 NEVER = ~0ull;

#ifndef HELD
#define HELD 2 // vertices of a thread
#endif
#define TILE_THREADS (TILE / HELD)
#ifndef TILE_BLOCKS
#define TILE_BLOCKS 2 // of them on a multiprocessor
#endif
#ifndef TILE_SWEEPS
#define TILE_SWEEPS 2 // between two barriers of the block
#endif

#if WEIGHTED && (defined(EDGE_PLUS) || defined(EDGE_TIMES) || defined(EDGE_LEAST))
#define WEIGHS 1
#else
#define WEIGHS 0
#endif

// Whether the combiner's identity stays what it is along an arc. Else it is
// marked who has said nothing.
#if defined(EDGE_COPY) || defined(EDGE_LEAST) && defined(COMBINE_MAX) || (defined(EDGE_PLUS) || defined(EDGE_TIMES)) && defined(UNREACHED)
#define MUTE 1
#else
#define MUTE 0
#endif

// Values of a word are read by others while they are written.
static const bool READABLE = sizeof(Value) == 4 || sizeof(Value) == 8;

// What is made of the graph once: kernels/tiles.cu.
struct TileArcs {
  const uint2 *rows;         // of each vertex: up to ROW neighbours inside, 16 bits each; TILE: none
  const uint4 *row_weights;  // of them
  const u64 *more_first;     // of each row with more of them, whose number follows MANY
  const u32 *more_count;
  const u16 *more;
  const WEIGHT *more_weights;
  const u64 *leave_first;    // of each tile: arcs that leave it
  const u16 *leave_from;     // vertices inside
  const u32 *leave;          // vertices outside
  const WEIGHT *leave_weights;
};
static const u32 MANY = 0xfffe;

struct TileControl {
  u64 barrier[4];
  u64 least[4];
  u32 queued[4], taken[4];
  u64 next; // not 0: there is more to do
  u32 done, unused;
};

struct TileRecord {
  u64 awake, arcs, next, nanoseconds;
};

struct TileRun {
  u32 n, tiles;
  u32 sides, given;
  const Offset *sent[2]; // offsets of the arcs to send along
  TileArcs arcs;
  Value *values;
  Message *box;
  u32 *waiting; // bits: those that are awake, and not yet due
  u64 *key;     // of each tile: the least priority in it that is to be sent, or NEVER
  u32 *queue;
  TileControl *control;
  TileRecord *records;
  u64 slack;  // priorities above the least that are due with it
  u64 budget; // nanoseconds before coming back to the host
};

namespace tile {

__device__ __forceinline__ u64 clock() {
  u64 t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}

__device__ __forceinline__ u32 sends(const TileRun &r, u32 v) {
  u64 d = r.sent[0][v + 1] - r.sent[0][v];
  if (BOTH && r.sides > 1) d += r.sent[1][v + 1] - r.sent[1][v];
  return (u32)d;
}

__device__ __forceinline__ Vertex vertex_of(const TileRun &r, u32 v, i32 round) {
  Vertex x;
  x.id = v;
  x.out_degree = sends(r, v);
  x.superstep = round;
  x.n = r.n;
  x.tallies = 0;
  return x;
}

__device__ __forceinline__ u64 urgency(const Value &x, const Params &p) {
#if WAITS
  return priority(x, p);
#else
  return 0;
#endif
}

__device__ __forceinline__ u64 warp_least(u64 x) {
  for (int d = 16; d; d >>= 1) {
    u64 y = __shfl_xor_sync(~0u, x, d);
    x = y < x ? y : x;
  }
  return x;
}

// Whether a message says something that the box does not.
__device__ __forceinline__ bool news(Message box, Message x) {
#if defined(COMBINE_MIN)
  return x < box;
#elif defined(COMBINE_MAX)
  return x > box;
#else
  return x & ~box;
#endif
}

// ---- A tile ------------------------------------------------------------------

// Inside is what the threads of a block share of a tile.
struct Inside {
  volatile Message *offers;
  volatile u8 *mute; // those that have said nothing yet
  u32 *dirty;        // bits: those that have something to send
  u64 *least;        // priority of those that wait
  u64 *marked;       // of what was marked in this round
  u32 *awake;        // of this round
  u64 *sent;
};

// Held are the vertices of one thread: those at threadIdx.x + j * TILE_THREADS.
struct Held {
  Value value[HELD];
  Message heard[HELD];
  uint2 row[HELD];
#if WEIGHS
  WEIGHT weights[HELD][ROW];
#endif
  u32 in, waits, dirty, applied; // bit j
};

__device__ __forceinline__ u32 neighbour(const uint2 &row, u32 z) { return (z & 2 ? row.y : row.x) >> (z & 1 ? 16 : 0) & 0xffff; }

// say puts down what vertex j offers, if it is awake: or has it wait.
__device__ __forceinline__ bool say(const TileRun &r, const Params &p, i32 round, u64 current, u32 base, u32 j, Held &h, const Inside &s) {
  u32 k = threadIdx.x + j * TILE_THREADS;
  if (WAITS && urgency(h.value[j], p) > current) {
    h.waits |= 1u << j;
    return false;
  }
  h.waits &= ~(1u << j), h.dirty |= 1u << j;
#if defined(EDGE_SOURCE)
  s.offers[k] = (Message)(base + k);
#else
  s.offers[k] = emit(vertex_of(r, base + k, round), h.value[j], p);
#endif
  if (!MUTE) s.mute[k] = 0;
  return true;
}

// fetch loads the thread's vertices.
__device__ __forceinline__ void fetch(const TileRun &r, u32 base, Held &h) {
  h.in = h.waits = h.dirty = h.applied = 0;
#pragma unroll
  for (u32 j = 0; j < HELD; j++) {
    u32 v = base + threadIdx.x + j * TILE_THREADS, at = v < r.n ? v : r.n - 1;
    if (v < r.n) h.in |= 1u << j;
    h.value[j] = r.values[at];
    h.heard[j] = peek(r.box + at);
    h.row[j] = r.arcs.rows[at];
#if WEIGHS
    uint4 w = r.arcs.row_weights[at];
    memcpy(h.weights[j], &w, sizeof w);
#endif
    h.waits |= (r.waiting[v >> 5] >> lane() & 1) << j;
  }
}

// begin applies what has come in boxes, and puts down the offers of those who have
// something new to say. It tells whether any has.
__device__ __forceinline__ bool begin(const TileRun &r, const Params &p, i32 round, u64 current, u32 base, Held &h, const Inside &s) {
  bool fresh = false;
#pragma unroll
  for (u32 j = 0; j < HELD; j++) {
    u32 k = threadIdx.x + j * TILE_THREADS, v = base + k;
    bool in = h.in >> j & 1, awake = in && h.waits >> j & 1;
    if (in && h.heard[j] != IDENTITY) {
      bool woken = false;
      h.value[j] = apply(vertex_of(r, v, round), h.value[j], h.heard[j], true, p, woken);
      h.applied |= 1u << j;
      awake |= woken;
    }
    if (awake && say(r, p, round, current, base, j, h, s)) {
      fresh = true;
    } else {
      s.offers[k] = IDENTITY;
      if (!MUTE) s.mute[k] = 1;
    }
  }
  return fresh;
}

__device__ __forceinline__ Message hear(const Inside &s, u32 base, u32 u, const Arcs &a, u64 e, Message m) {
  if (!MUTE && s.mute[u]) return m;
  return combine(m, along(s.offers[u], base + u, a, e));
}

// listen has vertex j hear its neighbours inside, and tells whether it has
// something new to say.
__device__ __forceinline__ bool listen(const TileRun &r, const Params &p, i32 round, u64 current, u32 base, u32 j, Held &h, const Inside &s) {
  Message m = h.heard[j];
  if ((h.row[j].x & 0xffff) == MANY) {
    u64 first = r.arcs.more_first[h.row[j].y];
    u32 count = r.arcs.more_count[h.row[j].y];
    Arcs a = {0, 0, r.arcs.more_weights};
    for (u32 i = 0; i < count; i++) m = hear(s, base, r.arcs.more[first + i], a, first + i, m);
  } else {
#if WEIGHS
    Arcs a = {0, 0, h.weights[j]};
#else
    Arcs a = {0, 0, 0};
#endif
#pragma unroll
    for (u32 z = 0; z < ROW; z++) {
      m = hear(s, base, neighbour(h.row[j], z), a, z, m); // TILE offers nothing
    }
  }
  if (!news(h.heard[j], m)) return false;
  h.heard[j] = m;
  bool awake = false;
  h.value[j] = apply(vertex_of(r, base + threadIdx.x + j * TILE_THREADS, round), h.value[j], m, true, p, awake);
  h.applied |= 1u << j;
  return awake && say(r, p, round, current, base, j, h, s);
}

// store puts the thread's vertices back.
__device__ __forceinline__ void store(const TileRun &r, const Params &p, u32 base, const Held &h, const Inside &s) {
  u64 least = NEVER, sent = 0;
  u32 awake = 0;
#pragma unroll
  for (u32 j = 0; j < HELD; j++) {
    u32 k = threadIdx.x + j * TILE_THREADS, v = base + k;
    bool dirty = h.dirty >> j & 1, waits = h.waits >> j & 1;
    if (h.applied >> j & 1) {
      r.values[v] = h.value[j];
      if (!READABLE && news(peek(r.box + v), h.heard[j])) deliver(r.box + v, h.heard[j]);
    }
    if (waits) {
      u64 u = urgency(h.value[j], p);
      least = u < least ? u : least;
    }
    if (dirty) sent += sends(r, v);
    u32 word = __ballot_sync(~0u, dirty), later = __ballot_sync(~0u, waits);
    awake += __popc(word);
    if (lane() == 0) s.dirty[k >> 5] = word, r.waiting[v >> 5] = later;
  }
  if (WAITS) least = warp_least(least);
  sent = warp_sum(sent);
  if (lane() == 0) {
    if (least != NEVER) atomicMin(s.least, least);
    if (awake) atomicAdd(s.awake, awake), atomicAdd(s.sent, sent);
  }
}

__device__ __forceinline__ void mark(const TileRun &r, u32 tile, u64 key, const Inside &s) {
  if (peek(r.key + tile) > key) atomicMin(r.key + tile, key);
  atomicMin(s.marked, key);
}

// pass sends a message to a vertex outside, unless it says nothing new there.
__device__ __forceinline__ void pass(const TileRun &r, const Params &p, i32 round, u64 current, u32 v, Message m, const Inside &s) {
  u64 key = WAITS ? current : 0;
  if (READABLE) {
    u64 before = sizeof(Value) == 8 ? peek((const u64 *)(r.values + v)) : peek((const u32 *)(r.values + v)), after = 0;
    Value x;
    memcpy(&x, &before, sizeof x);
    bool awake = false;
    x = apply(vertex_of(r, v, round), x, m, true, p, awake);
    memcpy(&after, &x, sizeof x);
    if (awake) key = urgency(x, p);
    else if (before == after) return;
  }
  if (!news(peek(r.box + v), m)) return;
  deliver(r.box + v, m);
  __threadfence();
  mark(r, v / TILE, key, s);
}

// leave sends what is new along the arcs that leave the tile.
__device__ __forceinline__ void leave(const TileRun &r, const Params &p, i32 round, u64 current, u32 tile, const Inside &s) {
  Arcs a = {0, r.arcs.leave, r.arcs.leave_weights};
  u64 end = r.arcs.leave_first[tile + 1];
  for (u64 e = r.arcs.leave_first[tile] + threadIdx.x; e < end; e += TILE_THREADS) {
    u32 u = r.arcs.leave_from[e];
    if (!(s.dirty[u >> 5] >> (u & 31) & 1)) continue;
    Message m = along(s.offers[u], tile * TILE + u, a, e);
    if (m != IDENTITY) pass(r, p, round, current, r.arcs.leave[e], m, s);
  }
}

__device__ __forceinline__ void visit(const TileRun &r, const Params &p, i32 round, u64 current, u32 tile, const Inside &s) {
  Held h;
  u32 base = tile * TILE;
  fetch(r, base, h);
  bool fresh = begin(r, p, round, current, base, h, s);
  while (__syncthreads_or(fresh)) {
    fresh = false;
#pragma unroll 1
    for (u32 i = 0; i < TILE_SWEEPS; i++) {
#pragma unroll
      for (u32 j = 0; j < HELD; j++) fresh |= (h.in >> j & 1) && listen(r, p, round, current, base, j, h, s);
    }
  }
  store(r, p, base, h, s);
  __syncthreads();
  if (threadIdx.x == 0 && *s.least != NEVER) mark(r, tile, *s.least, s);
  leave(r, p, round, current, tile, s);
}

// ---- Rounds ------------------------------------------------------------------

// choose puts the tiles that are due on the queue, and returns the least key of the
// others of this block.
__device__ __forceinline__ u64 choose(const TileRun &r, u32 turn, u64 current) {
  u64 rest = NEVER;
  for (u64 i = threadIdx.x; i * gridDim.x < r.tiles; i += TILE_THREADS) {
    u64 tile = i * gridDim.x + blockIdx.x;
    u64 key = tile < r.tiles ? peek(r.key + tile) : NEVER;
    if (key <= current && key != NEVER) r.queue[atomicAdd(&r.control->queued[turn], 1)] = (u32)tile;
    else rest = key < rest ? key : rest;
  }
  return rest;
}

// bring adds what a block knows of the least key to that of all.
__device__ __forceinline__ void bring(const TileRun &r, u32 turn, u64 least, u64 *shared) {
  least = warp_least(least);
  if (lane() == 0 && least != NEVER) atomicMin(shared, least);
  __syncthreads();
  if (threadIdx.x == 0 && *shared != NEVER) atomicMin(&r.control->least[turn], *shared);
}

} // namespace tile

// ---- First values -----------------------------------------------------------

// Whoever is awake waits, to be due in the first round that takes it.
extern "C" __global__ void __launch_bounds__(256) tiles_init(const __grid_constant__ TileRun r, const __grid_constant__ Params p) {
  __shared__ u64 least;
  for (u32 tile = blockIdx.x; tile < r.tiles; tile += gridDim.x) {
    if (threadIdx.x == 0) least = NEVER;
    __syncthreads();
    for (u32 k = threadIdx.x; k < TILE; k += blockDim.x) {
      u32 v = tile * TILE + k;
      bool awake = false;
      if (v < r.n) {
        Value given;
        if (r.given) given = r.values[v];
        else memset(&given, 0, sizeof given);
        Value x = init(tile::vertex_of(r, v, -1), given, p, awake);
        r.values[v] = x;
        r.box[v] = IDENTITY;
        if (awake) atomicMin(&least, tile::urgency(x, p));
      }
      u32 word = __ballot_sync(~0u, awake);
      if (lane() == 0) r.waiting[v >> 5] = word;
    }
    __syncthreads();
    if (threadIdx.x == 0) r.key[tile] = least;
    __syncthreads();
  }
}

// ---- The loop ----------------------------------------------------------------

extern "C" __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS) step_tiles(const __grid_constant__ TileRun r, const __grid_constant__ Params p, u32 most, u32 before) {
  __shared__ Message offers[TILE + 1]; // the last offers nothing
  __shared__ u8 mute[MUTE ? 1 : TILE + 1];
  __shared__ u32 dirty[TILE / 32];
  __shared__ u64 waits, marked, sent;
  __shared__ u32 awake, mine;
  tile::Inside s = {offers, mute, dirty, &waits, &marked, &awake, &sent};
  TileControl &c = *r.control;
  Grid grid(c.barrier);
  u64 began = tile::clock(), start = began;
  if (threadIdx.x == 0) marked = NEVER, offers[TILE] = IDENTITY, mute[MUTE ? 0 : TILE] = 1;
  __syncthreads();
  u64 least = NEVER;
  for (u64 i = global_thread(); i < r.tiles; i += global_threads()) {
    u64 key = peek(r.key + i);
    least = key < least ? key : least;
  }
  tile::bring(r, 3, least, &marked); // the turn before the first
  grid.sync();
  least = peek(&c.least[3]);
  i32 round = (i32)before;
  u32 done = 0;
  bool late = false;
  while (least != NEVER && done < most && !late) {
    u32 turn = done & 3;
    u64 current = least + r.slack < least ? NEVER - 1 : least + r.slack;
    if (threadIdx.x == 0) marked = NEVER, awake = 0, sent = 0;
    u64 rest = tile::choose(r, turn, current);
    if (global_thread() == 0) {
      u32 after = (done + 1) & 3;
      c.least[after] = NEVER, c.queued[after] = c.taken[after] = 0;
      memset(r.records + done + 1, 0, sizeof(TileRecord));
    }
    grid.sync();
    u32 count = peek(&c.queued[turn]), at = blockIdx.x;
    while (at < count) {
      __syncthreads(); // all are done with the tile before
      u32 tile = peek(r.queue + at);
      if (threadIdx.x == 0) {
        atomicExch(r.key + tile, NEVER);
        __threadfence();
        waits = NEVER;
        mine = gridDim.x + atomicAdd(&c.taken[turn], 1);
      }
      __syncthreads();
      at = mine;
      tile::visit(r, p, round, current, tile, s);
    }
    __syncthreads();
    tile::bring(r, turn, rest, &marked);
    if (threadIdx.x == 0 && awake) atomicAdd(&r.records[done].awake, (u64)awake), atomicAdd(&r.records[done].arcs, sent);
    late = grid.sync(blockIdx.x == 0 && tile::clock() - start > r.budget) != 0;
    least = peek(&c.least[turn]);
    if (global_thread() == 0) {
      u64 now = tile::clock();
      r.records[done].nanoseconds = now - began;
      r.records[done].next = least != NEVER;
      began = now;
    }
    done++, round++;
  }
  if (global_thread() == 0) c.done = done, c.next = least != NEVER;
}
