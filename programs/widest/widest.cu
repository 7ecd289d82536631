// Widest paths: the width of a path is the least weight on it, and width(v) the
// greatest width of a path from the source to v; 0 where there is none. The
// source itself has an infinite width: no edge narrows the path to it.
//
//   width'(v) = max(width(v), max over arcs u → v of min(width(u), weight(u,v)))
//
// The engine gives the types: Value { float width; }, Message (float), Vertex
// (id, out_degree, superstep, n) and Params (source). The minimum along an arc
// and the maximum of what arrives are not written here: they are `edge` and
// `combine` in the job file.

// The first value of a vertex, and whether it is awake.
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) {
  awake = v.id == p.source;
  return Value{awake ? __int_as_float(0x7f800000) : 0.0f};
}

// What an awake vertex offers along its arcs.
__device__ Message emit(Vertex v, Value x, const Params &p) { return x.width; }

// What the greatest of the offers makes of a vertex. One that has become wider
// is awake, and offers its width in the next superstep.
__device__ Value apply(Vertex v, Value x, Message offer, bool got, const Params &p, bool &awake) {
  awake = got && offer > x.width;
  return Value{awake ? offer : x.width};
}
