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
// Invariant: a tile whose key is not NEVER is to be taken, or is on the queue; its key is
// emptied before its boxes are read, by who puts it on the queue and, where it has waited
// there for another tile, by who takes it, too; whoever delivers fills the box first and
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
#include "tile_visit.cuh"

// ---- First values -----------------------------------------------------------

// Whoever is awake waits, to be due in the first round that takes it.
extern "C" __global__ void __launch_bounds__(256) tiles_init(const __grid_constant__ TileRun r, const __grid_constant__ Params p) {
  __shared__ u64 least;
  for (u32 tile = blockIdx.x; tile < r.tiles; tile += gridDim.x) {
    if (threadIdx.x == 0) least = tile::NEVER;
    __syncthreads();
    for (u32 k = threadIdx.x; k < TILE; k += blockDim.x) {
      u32 v = tile * TILE + k;
      bool awake = false;
      if (v < r.n) {
        Value given;
        if (r.given) given = r.values[v];
        else memset(&given, 0, sizeof given);
        Value x = init(tile::vertex_of(r, v, -1), given, p, awake);
        tile::put(r.values + v, x);
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

namespace tile {

// choose puts the tiles that are due on the queue of a turn, and returns the least
// key of the others of this block. None are where the turn is NONE.
template <class Team> __device__ __forceinline__ u64 choose(const TileRun &r, u32 turn, u64 current, Team team) {
  u64 rest = NEVER;
  for (u64 i = threadIdx.x; i * team.blocks() < r.tiles; i += TILE_THREADS) {
    u64 tile = i * team.blocks() + team.block();
    u64 key = tile < r.tiles ? peek(r.key + tile) : NEVER;
    if (turn != NONE && key <= current && key != NEVER) r.key[tile] = NEVER, r.queue[atomicAdd(&r.control->queued[turn], 1)] = (u32)tile;
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

// What a block has of its own.
struct Block {
  Message offers[TILE + 1]; // the last offers nothing
  Mute mute[MUTE ? 1 : TILE + 1];
  u32 dirty[TILE / 32];
  u64 waits, marked, sent;
  u32 awake, next;
};

// take has the team's blocks visit the tiles on the queue. What has marked a tile since it
// is there is heard in the visit, too, if it comes before.
template <class Team> __device__ __forceinline__ void take(const TileRun &r, const Params &p, i32 round, u64 current, u32 turn, Team team, Block &b, const Inside &s) {
  TileControl &c = *r.control;
  u32 count = peek(&c.queued[turn]), at = team.block();
  while (at < count) {
    __syncthreads(); // all are done with the tile before
    u32 tile = peek(r.queue + at);
    Held h;
    Leaving l;
    join(r, tile * TILE, h), part(r, tile, l); // which never change, and so wait for nothing
    if (threadIdx.x == 0) {
      u32 next = count;
      if (count > team.blocks()) next = team.blocks() + atomicAdd(&c.taken[turn], 1);
      if (at >= team.blocks()) {
        atomicExch(r.key + tile, NEVER);
        __threadfence();
      }
      b.waits = NEVER, b.next = next;
    }
    __syncthreads();
    at = b.next;
    visit(r, p, round, current, tile, h, l, s);
  }
  __syncthreads();
}

// rounds runs them until no tile is marked, or there were most, or the time is over.
// before were done by launches before.
template <class Team> __device__ __forceinline__ void rounds(const TileRun &r, const Params &p, u32 most, u32 before, Team team, Block &b) {
  Inside s = {b.offers, b.mute, b.dirty, &b.waits, &b.marked, &b.awake, &b.sent};
  TileControl &c = *r.control;
  Barrier<Team> barrier(c.barrier, team);
  bool leads = team.block() == 0 && threadIdx.x == 0, late = false;
  u64 began = nanoseconds(), start = began;
  if (threadIdx.x == 0) b.marked = NEVER, b.offers[TILE] = IDENTITY, b.mute[MUTE ? 0 : TILE] = 1;
  __syncthreads();
  bring(r, 3, choose(r, NONE, 0, team), &b.marked); // the turn before the first
  barrier.sync();
  u64 least = peek(&c.least[3]);
  u32 done = 0;
  while (least != NEVER && done < most && !late) {
    u32 turn = done & 3, after = (done + 1) & 3;
    u64 current = least + r.slack < least ? NEVER - 1 : least + r.slack;
    if (threadIdx.x == 0) b.marked = NEVER, b.awake = 0, b.sent = 0;
    u64 rest = choose(r, turn, current, team);
    if (leads) {
      c.least[after] = NEVER, c.queued[after] = c.taken[after] = 0;
      TileRecord none = {};
      r.records[done + 1] = none; // memset would go byte by byte
    }
    barrier.sync();
    take(r, p, (i32)(before + done), current, turn, team, b, s);
    bring(r, turn, rest, &b.marked);
    if (threadIdx.x == 0 && b.awake) atomicAdd(&r.records[done].awake, (u64)b.awake), atomicAdd(&r.records[done].arcs, b.sent);
    late = barrier.sync(leads && nanoseconds() - start > r.budget) != 0;
    least = peek(&c.least[turn]);
    if (leads) {
      u64 now = nanoseconds();
      r.records[done].nanoseconds = now - began;
      r.records[done].next = least != NEVER;
      began = now;
    }
    done++;
  }
  if (leads) c.done = done, c.next = least != NEVER;
}

} // namespace tile

extern "C" __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS) step_tiles(const __grid_constant__ TileRun r, const __grid_constant__ Params p, u32 most, u32 before) {
  __shared__ tile::Block b;
  tile::rounds(r, p, most, before, AllBlocks(), b);
}

#ifdef TILE_PAIR
// Two runs of one program side by side, along other arcs: each has half of the
// blocks, as neither has work for all.
extern "C" __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    step_tile_pair(const __grid_constant__ TileRun r0, const __grid_constant__ TileRun r1, const __grid_constant__ Params p, u32 most, u32 before0, u32 before1) {
  __shared__ tile::Block b;
  u32 half = gridDim.x / 2;
  SomeBlocks first = {0, half}, second = {half, gridDim.x - half};
  if (blockIdx.x < half) tile::rounds(r0, p, most, before0, first, b);
  else tile::rounds(r1, p, most, before1, second, b);
}
#endif
