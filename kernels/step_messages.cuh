// Messages: how two are combined, how one is delivered to a box, what becomes of
// one along an arc. Before this file: see step.cuh.
#pragma once

struct Arcs {
  const Offset *offsets;
  const u32 *targets;
  const WEIGHT *weights;
};

#if defined(COMBINE_ANY)
__device__ __forceinline__ Message combine(Message a, Message b) { return b; }
#elif defined(COMBINE_MIN)
__device__ __forceinline__ Message combine(Message a, Message b) { return b < a ? b : a; }
#elif defined(COMBINE_MAX)
__device__ __forceinline__ Message combine(Message a, Message b) { return b > a ? b : a; }
#elif defined(COMBINE_SUM)
__device__ __forceinline__ Message combine(Message a, Message b) { return a + b; }
#elif defined(COMBINE_OR)
__device__ __forceinline__ Message combine(Message a, Message b) { return a | b; }
#endif

__device__ __forceinline__ void atomic_min(u32 *p, u32 x) { atomicMin(p, x); }
__device__ __forceinline__ void atomic_min(i32 *p, i32 x) { atomicMin(p, x); }
__device__ __forceinline__ void atomic_min(u64 *p, u64 x) { atomicMin(p, x); }
__device__ __forceinline__ void atomic_min(i64 *p, i64 x) { atomicMin(p, x); }
__device__ __forceinline__ void atomic_max(u32 *p, u32 x) { atomicMax(p, x); }
__device__ __forceinline__ void atomic_max(i32 *p, i32 x) { atomicMax(p, x); }
__device__ __forceinline__ void atomic_max(u64 *p, u64 x) { atomicMax(p, x); }
__device__ __forceinline__ void atomic_max(i64 *p, i64 x) { atomicMax(p, x); }

// Floats of one sign are ordered as the integers of their bits, those below 0
// the other way round.
__device__ __forceinline__ void atomic_min(float *p, float x) {
  if (x != x) return;
  if (!signbit(x)) atomicMin((i32 *)p, __float_as_int(x));
  else atomicMax((u32 *)p, __float_as_uint(x));
}
__device__ __forceinline__ void atomic_max(float *p, float x) {
  if (x != x) return;
  if (!signbit(x)) atomicMax((i32 *)p, __float_as_int(x));
  else atomicMin((u32 *)p, __float_as_uint(x));
}
__device__ __forceinline__ void atomic_min(double *p, double x) {
  if (x != x) return;
  if (!signbit(x)) atomicMin((i64 *)p, __double_as_longlong(x));
  else atomicMax((u64 *)p, (u64)__double_as_longlong(x));
}
__device__ __forceinline__ void atomic_max(double *p, double x) {
  if (x != x) return;
  if (!signbit(x)) atomicMax((i64 *)p, __double_as_longlong(x));
  else atomicMin((u64 *)p, (u64)__double_as_longlong(x));
}
__device__ __forceinline__ void atomic_add(u32 *p, u32 x) { atomicAdd(p, x); }
__device__ __forceinline__ void atomic_add(i32 *p, i32 x) { atomicAdd(p, x); }
__device__ __forceinline__ void atomic_add(u64 *p, u64 x) { atomicAdd(p, x); }
__device__ __forceinline__ void atomic_add(i64 *p, i64 x) { atomicAdd((u64 *)p, (u64)x); }
__device__ __forceinline__ void atomic_add(float *p, float x) { atomicAdd(p, x); }
__device__ __forceinline__ void atomic_add(double *p, double x) { atomicAdd(p, x); }
template <class T> __device__ __forceinline__ void atomic_or(T *p, T x) {
  if (sizeof(T) == 4) atomicOr((u32 *)p, (u32)x);
  else atomicOr((u64 *)p, (u64)x);
}

namespace boxes {

// news tells whether a message changes what a box has.
__device__ __forceinline__ bool news(Message box, Message x) {
#if defined(COMBINE_MIN)
  return x < box;
#elif defined(COMBINE_MAX)
  return x > box;
#elif defined(COMBINE_OR)
  return (x & ~box) != 0;
#else
  return true;
#endif
}

// put combines a message into a box.
__device__ __forceinline__ void put(Message *p, Message x) {
#if defined(COMBINE_ANY)
  *(volatile Message *)p = x;
#elif defined(COMBINE_MIN)
  atomic_min(p, x);
#elif defined(COMBINE_MAX)
  atomic_max(p, x);
#elif defined(COMBINE_SUM)
  atomic_add(p, x);
#elif defined(COMBINE_OR)
  atomic_or(p, x);
#endif
}

} // namespace boxes

// deliver combines a message into a box, unless the box says that it changes nothing.
__device__ __forceinline__ void deliver(Message *p, Message x) {
#if defined(COMBINE_MIN) || defined(COMBINE_MAX) || defined(COMBINE_OR)
  if (!boxes::news(peek(p), x)) return;
#endif
  boxes::put(p, x);
}

// number makes a weight a message: towards zero and wrapping around where
// messages are whole numbers.
template <class M> __device__ __forceinline__ M number(WEIGHT w, M *) { return (M)(i64)w; }
__device__ __forceinline__ float number(WEIGHT w, float *) { return (float)w; }
__device__ __forceinline__ double number(WEIGHT w, double *) { return (double)w; }

// along is what an offer of u becomes on arc e. Unreached plus a weight is
// unreached.
__device__ __forceinline__ Message along(Message x, u32 u, const Arcs &a, u64 e) {
#if defined(EDGE_SOURCE)
  return (Message)u;
#elif defined(EDGE_COPY)
  return x;
#else
#if WEIGHTED
  Message w = number(a.weights[e], (Message *)0);
#else
  Message w = 1;
#endif
#if defined(UNREACHED) && !defined(EDGE_LEAST)
  if (x == IDENTITY) return x;
#endif
#if defined(EDGE_PLUS)
  return x + w;
#elif defined(EDGE_TIMES)
  return x * w;
#else
  return w < x ? w : x;
#endif
#endif
}
