// The least vertex heard of, passed to all neighbours: programs/wcc, method
// propagate.

__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) {
  awake = true;
  return v.id;
}

__device__ Message emit(Vertex v, Value x, const Params &p) { return x; }

__device__ Value apply(Vertex v, Value x, Message least, bool got, const Params &p, bool &awake) {
  awake = least < x;
  return awake ? least : x;
}
