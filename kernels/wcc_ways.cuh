// How vertices come to the roots of deep trees: on a grid in order of rows, each goes below
// the one above it, and its way is as long as the grid is high.
//
// Method: levels of words, that is, of 32 vertices that follow one another. Level s has one
// of 2^s words, drawn by a hash of its number, and is a part of the level before. Going up,
// the vertices of a level skip to the next of it; then those of the last come to their
// roots, and level by level down those of the one before, who are 2^s steps from one that
// is there. That is a list ranking by random samples (Reid-Miller, SPAA 1994), of trees.
// Which words are drawn, and that ways are words long, is a matter of speed only: a label
// is written where it leads to an ancestor, whatever the order.
//
// Cost: with levels of a quarter, a sixteenth and so on about 6n reads of labels, those of
// a warp side by side where the ways of neighbours are, and a latency for each step of a
// few; a way of vertices one by one in a word is gone in begin_labels.
#pragma once
#include "wcc.cuh"

static const u32 PUBLISH = 8; // steps, after which a walker writes how far it has come

__device__ __forceinline__ bool of_level(u32 word, u32 shift) {
  u32 h = word * 0x9e3779b9u;
  h = (h ^ (h >> 15)) * 0x85ebca6bu;
  h ^= h >> 13;
  return shift == 0 || h >> (32 - shift) == 0;
}

// The words of a level that a warp has, WCC_BATCH at a time, out of GROUP that follow one
// another.
struct Words {
  static const u32 GROUP = 16;
  u32 n, words, shift, first, left; // left: bits of the group's words
  __device__ __forceinline__ Words(u32 n, u32 shift) : n(n), words((u32)(((u64)n + 31) >> 5)), shift(shift), first(global_warp() * GROUP), left(0) { draw(); }

  __device__ __forceinline__ void draw() {
    u32 word = first + lane();
    left = __ballot_sync(~0u, lane() < GROUP && word < words && of_level(word, shift));
  }

  // All lanes of the warp call it, and take.
  __device__ __forceinline__ bool more() {
    while (!left) {
      first += global_warps() * GROUP;
      if (first >= words) return false;
      draw();
    }
    return true;
  }

  // The lane's vertices, of words of several groups where they have few; NONE for those that
  // there are not.
  __device__ __forceinline__ void take(u32 (&v)[WCC_BATCH]) {
#pragma unroll
    for (u32 k = 0; k < WCC_BATCH; k++) {
      v[k] = NONE;
      if (!more()) continue;
      u32 at = (first + __ffs(left) - 1) * 32 + lane();
      if (at < n) v[k] = at;
      left &= left - 1;
    }
  }
};

// Where the labels of the lane's vertices lead, 0 for those that there are not, and bits
// of those that are not seen to be there: vertex 0 is a root always.
__device__ __forceinline__ u32 set_out(const u32 *label, const u32 (&v)[WCC_BATCH], u32 (&at)[WCC_BATCH]) {
  u32 going = 0;
#pragma unroll
  for (u32 k = 0; k < WCC_BATCH; k++) at[k] = v[k] != NONE ? label[v[k]] : 0;
#pragma unroll
  for (u32 k = 0; k < WCC_BATCH; k++)
    if (at[k] && at[k] != v[k]) going |= 1u << k;
  return going;
}

// One step of those going, all reads under way together; it returns those who go on. What
// is read may be in the first-level cache for long: it led to an ancestor then, and does.
__device__ __forceinline__ u32 step_up(const u32 *label, u32 going, u32 (&at)[WCC_BATCH], u32 &moved) {
  u32 above[WCC_BATCH];
#pragma unroll
  for (u32 k = 0; k < WCC_BATCH; k++) above[k] = going >> k & 1 ? label[at[k]] : at[k];
#pragma unroll
  for (u32 k = 0; k < WCC_BATCH; k++) {
    if (above[k] == at[k]) going &= ~(1u << k);
    else moved |= 1u << k;
    at[k] = above[k];
    if (at[k] == 0) going &= ~(1u << k);
  }
  return going;
}

__device__ __forceinline__ void publish(u32 *label, u32 which, const u32 (&v)[WCC_BATCH], const u32 (&at)[WCC_BATCH]) {
#pragma unroll
  for (u32 k = 0; k < WCC_BATCH; k++)
    if (which >> k & 1) __stcg(label + v[k], at[k]);
}

// rise brings vertices to their roots; nobody joins roots meanwhile. Those on their way for
// long publish how far they have come for those behind them, so that a way of any length
// takes a logarithm of steps.
__device__ __forceinline__ void rise(u32 *label, const u32 (&v)[WCC_BATCH]) {
  u32 at[WCC_BATCH], moved = 0;
  u32 going = set_out(label, v, at);
  for (u32 step = 1; going; step++) {
    going = step_up(label, going, at, moved);
    if (step % PUBLISH == 0) publish(label, going, v, at);
  }
  publish(label, moved, v, at);
}

// lift brings vertices of a level to the next ones of it, or so many steps up: ways can avoid
// the words of a level, and the longest gap between two is as many times the mean as there
// are powers of e in the number of gaps.
__device__ __forceinline__ void lift(u32 *label, u32 shift, u32 steps, const u32 (&v)[WCC_BATCH]) {
  u32 at[WCC_BATCH], moved = 0;
  u32 going = set_out(label, v, at);
  for (u32 step = 0; step < steps; step++) {
#pragma unroll
    for (u32 k = 0; k < WCC_BATCH; k++)
      if (of_level(at[k] >> 5, shift)) going &= ~(1u << k);
    if (!going) break;
    going = step_up(label, going, at, moved);
  }
  publish(label, moved, v, at);
}
