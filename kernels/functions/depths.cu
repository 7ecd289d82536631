// Breadth-first search that finds no parents: programs/bfs. A value is the depth; of a
// message it counts that it came.

__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) {
  awake = v.id == p.source;
  return awake ? 0 : NONE;
}

__device__ Message emit(Vertex v, Value x, const Params &p) { return v.id; }

__device__ Value apply(Vertex v, Value x, Message from, bool got, const Params &p, bool &awake) {
  if (x != NONE) return x;
  awake = true;
  return v.superstep + 1;
}

__device__ bool settled(Value x) { return x != NONE; }
