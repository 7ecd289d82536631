// Edges that stand with vertices, of which each has one at the most, put in order.
//
// Result: the edges in order of (lesser end, greater end), by the numbers that vertices have in order,
// if that is not null. Method: they are listed as they come (edges_list), then numbers of the list's
// places are sorted by the greater ends and, stably, by the lesser ones (sort.cu, as one list), with the ends
// of each taken from the list in between (edges_take).
//
// Cost: two reads of order an edge, a radix sort with a pass for each byte of both ends, four
// scattered reads.
#include "base.cuh"

// ends has each edge as its lesser end, then its greater; all ones: the vertex has none.
extern "C" __global__ void edges_list(const u64 *ends, const u32 *weights, const u32 *order, u32 n, u32 *count, u32 *lesser, u32 *greater, u32 *weight, u32 *number) {
  for (u64 base = (u64)global_warp() * 32; base < n; base += (u64)global_warps() * 32) {
    u64 v = base + lane(), edge = v < n ? ends[v] : ~0ull;
    bool has = edge != ~0ull;
    u32 at = append(count, has);
    if (!has) continue;
    u32 a = (u32)(edge >> 32), b = (u32)edge;
    if (order) a = order[a], b = order[b];
    lesser[at] = min(a, b), greater[at] = max(a, b), weight[at] = weights[v], number[at] = at;
  }
}

// edges_take takes from a list what stands at some places.
extern "C" __global__ void edges_take(const u32 *list, const u32 *number, u32 count, u32 *to) {
  for (u64 i = global_thread(); i < count; i += global_threads()) to[i] = list[number[i]];
}
