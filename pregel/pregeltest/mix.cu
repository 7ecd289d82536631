// mix of compare.go: mix(a, b) there is mix(mix(SEED, a), b) here.
__device__ u64 mix(u64 h, u64 x) {
  h = (h ^ x) + 0x9E3779B97F4A7C15ull;
  h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9ull;
  h = (h ^ h >> 27) * 0x94D049BB133111EBull;
  return h ^ h >> 31;
}

#define SEED 0x2545F4914F6CDD1Dull
