// within.go of lesson 3, in CUDA C: who is within p.hops hops of p.source. The engine
// gives the types: Value { u32 hops; }, Message (u32), Vertex (id, out_degree,
// superstep, n) and Params (u32 source; i64 hops). Atomics, indices and the choice
// between push and pull are the engine's.

#define UNREACHED 0xffffffffu

// The first value of a vertex, and whether it is awake.
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) {
  awake = v.id == p.source;
  return Value{v.id == p.source ? 0 : UNREACHED};
}

// What a vertex that is awake offers its neighbours.
__device__ Message emit(Vertex v, Value x, const Params &p) { return x.hops + 1; }

// Hops stay as they are.
__device__ bool settled(Value x) { return x.hops != UNREACHED; }

// What the least offer makes of a vertex, and who is awake in the next superstep.
__device__ Value apply(Vertex v, Value x, Message least, bool got, const Params &p, bool &awake) {
  if (!got || x.hops != UNREACHED) {
    awake = false;
    return x;
  }
  awake = least < p.hops;
  return Value{least};
}
