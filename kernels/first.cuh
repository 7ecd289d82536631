// The first neighbours of vertices, side by side: entry j of vertex v is its
// neighbour number j, NONE where it has not so many. 32 vertices have a row of 32
// entries for each j, so that a warp reads a row at once and no offsets.
#pragma once
#include "base.cuh"

static const u32 FIRST = 2; // neighbours of a vertex; runtime/cuda/first.go knows it

__device__ __forceinline__ u64 first_at(u32 v, u32 j) { return ((u64)(v >> 5) * FIRST + j) * 32 + (v & 31); }
