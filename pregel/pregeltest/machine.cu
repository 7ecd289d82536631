// The machine of machine.go. mix.cu stands before it.

__device__ u64 bits_of(Message x) {
  double f = (double)x;
  if (f != trunc(f) || isinf(f)) return (u64)__double_as_longlong(f);
  return (u64)(i64)x;
}

__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) {
  u64 h = mix(mix(mix(mix(mix(SEED, p.salt), v.id), v.out_degree), (u64)(i64)(v.superstep + 2)), given);
  awake = h % 16 >= p.asleep;
  return h;
}

__device__ Message emit(Vertex v, Value x, const Params &p) {
  u64 h = mix(mix(mix(mix(SEED, x), v.id), v.out_degree), (u64)(i64)v.superstep);
  if (p.constant) h = mix(mix(SEED, p.salt), (u64)(i64)v.superstep);
  u64 small = h % 13;
  if (p.special && small == 0) return LARGEST;
  if (p.special && small == 1) return SMALLEST;
  return small < 4 ? (Message)0 : (Message)small;
}

__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  u64 h = mix(mix(mix(mix(mix(mix(SEED, bits_of(m)), got), x), v.id), v.out_degree), (u64)(i64)v.superstep);
  awake = v.superstep + 1 < p.steps && (h >> 8) % 16 >= p.quiet;
  return h;
}

__device__ bool settled(Value x) { return (x >> 16) % 4 == 0; }
__device__ u64 priority(Value x, const Params &p) { return (x >> 24) % 4; }
