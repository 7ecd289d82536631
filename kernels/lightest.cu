// The lightest arcs of lists that are in order of weight: see lightest.cuh.
// Cost: O(n); a thread an arc.
#include "lightest.cuh"

// lightest_fill writes the arcs of n vertices; there are no weights where a word
// holds both.
extern "C" __global__ void __launch_bounds__(256) lightest_fill(const Offset *offsets, const u32 *targets, const WEIGHT *weights, u32 n, u32 *arcs, WEIGHT *arc_weights) {
  for (u64 i = global_thread(); i < (u64)n * LIGHTEST; i += global_threads()) {
    u32 v = (u32)(i / LIGHTEST);
    Offset at = offsets[v] + (Offset)(i % LIGHTEST);
    bool has = at < offsets[v + 1];
    u32 arc = has ? targets[at] : NONE;
    WEIGHT w = has ? weights[at] : 0;
    if (arc_weights) arc_weights[i] = w;
    else if (has) arc |= (u32)w << PACKED_BITS;
    arcs[i] = arc;
  }
}
