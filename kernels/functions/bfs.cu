// Breadth-first search: programs/bfs. The message is the id of the sender, the
// least of them the parent.

__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) {
  awake = v.id == p.source;
  Value x = {awake ? 0 : NONE, NONE};
  return x;
}

__device__ Message emit(Vertex v, Value x, const Params &p) { return v.id; }

__device__ Value apply(Vertex v, Value x, Message parent, bool got, const Params &p, bool &awake) {
  if (x.depth != NONE) return x;
  awake = true;
  x.depth = v.superstep + 1;
  x.parent = parent;
  return x;
}

__device__ bool settled(Value x) { return x.depth != NONE; }
