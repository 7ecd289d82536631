// Breadth-first search that finds no depths: programs/bfs. A value is the parent, of the source
// itself; the message is the id of the sender.

__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) {
  awake = v.id == p.source;
  return awake ? v.id : NONE;
}

__device__ Message emit(Vertex v, Value x, const Params &p) { return v.id; }

__device__ Value apply(Vertex v, Value x, Message parent, bool got, const Params &p, bool &awake) {
  if (x != NONE) return x;
  awake = true;
  return parent;
}

__device__ bool settled(Value x) { return x != NONE; }
