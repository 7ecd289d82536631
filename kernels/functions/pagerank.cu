// PageRank: programs/pagerank, in float or double as Value is. What sinks hold
// and how much the ranks change are added up as double.

__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) {
  awake = true;
  Value rank = (Value)(1 / p.n);
  if (v.out_degree == 0) v.add_sinks(rank);
  return rank;
}

__device__ Message emit(Vertex v, Value rank, const Params &p) { return v.out_degree ? rank / (Value)v.out_degree : rank; }

__device__ Value apply(Vertex v, Value rank, Message sum, bool got, const Params &p, bool &awake) {
  awake = true;
  Value next = (Value)(p.base + p.share * p.last_sinks + p.damping * sum);
  v.add_change(fabs((double)next - rank));
  if (v.out_degree == 0) v.add_sinks(next);
  return next;
}
