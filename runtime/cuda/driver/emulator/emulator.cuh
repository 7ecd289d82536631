// What CUDA C has and C++ has not, by the emulator. It stands before every
// source, after emulator.h.
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS // those of C: a quarter of the time
#include <math.h>
#include <string.h>

#define __CUDACC__ 1
#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __noinline__
#define __restrict__
#define __grid_constant__
#define __launch_bounds__(...)

extern "C" __attribute__((visibility("default"))) emu_state *emu;
emu_state *emu;

#define threadIdx (emu->current->thread)
#define blockIdx (emu->current->block)
#define blockDim (emu->threads)
#define gridDim (emu->blocks)
static const int warpSize = 32;

struct uint2 { unsigned x, y; };
struct uint4 { unsigned x, y, z, w; };
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

// ---- Entry points ------------------------------------------------------------

template <class... A> struct emu_types {};
template <unsigned... I> struct emu_numbers {};
template <unsigned N, unsigned... I> struct emu_count : emu_count<N - 1, N - 1, I...> {};
template <unsigned... I> struct emu_count<0, I...> { typedef emu_numbers<I...> type; };
template <class... A> constexpr emu_types<A...> emu_parameters(void (*)(A...)) { return {}; }

template <class F, class... A, unsigned... I> inline void emu_call(F f, void **arguments, emu_types<A...>, emu_numbers<I...>) { f(*(A *)arguments[I]...); }
template <class F, class... A> inline void emu_call(F f, void **arguments, emu_types<A...> t) { emu_call(f, arguments, t, typename emu_count<sizeof...(A)>::type()); }
template <class... A> constexpr emu_entry emu_make(void (*call)(void **), emu_types<A...>, unsigned bound, unsigned = 0) { return {call, bound, sizeof...(A), {(unsigned)sizeof(A)...}}; }

#define EMU_ENTRY(name, ...) \
  static void emu_call_##name(void **arguments) { emu_call(&name, arguments, emu_parameters(&name)); } \
  extern "C" __attribute__((visibility("default"))) const emu_entry emu_entry_##name; \
  const emu_entry emu_entry_##name = emu_make(emu_call_##name, emu_parameters(&name), __VA_ARGS__);

// ---- Meeting ------------------------------------------------------------------

#define EMU_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

template <class T> inline unsigned long long emu_bits(T x) {
  static_assert(sizeof(T) <= 8, "a shuffle moves 8 bytes at the most");
  unsigned long long b = 0;
  memcpy(&b, &x, sizeof x);
  return b;
}
template <class T> inline T emu_of(unsigned long long b) {
  T x;
  memcpy(&x, &b, sizeof x);
  return x;
}
template <class T> inline T __shfl_sync(unsigned m, T x, int a, EMU_SITE) { return emu_of<T>(emu->meet(EMU_SHFL, m, emu_bits(x), a, file, line)); }
template <class T> inline T __shfl_up_sync(unsigned m, T x, unsigned a, EMU_SITE) { return emu_of<T>(emu->meet(EMU_UP, m, emu_bits(x), a, file, line)); }
template <class T> inline T __shfl_down_sync(unsigned m, T x, unsigned a, EMU_SITE) { return emu_of<T>(emu->meet(EMU_DOWN, m, emu_bits(x), a, file, line)); }
template <class T> inline T __shfl_xor_sync(unsigned m, T x, int a, EMU_SITE) { return emu_of<T>(emu->meet(EMU_XOR, m, emu_bits(x), a, file, line)); }
inline unsigned __ballot_sync(unsigned m, int x, EMU_SITE) { return (unsigned)emu->meet(EMU_BALLOT, m, x != 0, 0, file, line); }
inline int __any_sync(unsigned m, int x, EMU_SITE) { return (int)emu->meet(EMU_ANY, m, x != 0, 0, file, line); }
inline int __all_sync(unsigned m, int x, EMU_SITE) { return (int)emu->meet(EMU_ALL, m, x != 0, 0, file, line); }
inline void __syncwarp(unsigned m = ~0u, EMU_SITE) { emu->meet(EMU_WARP, m, 0, 0, file, line); }
inline unsigned __reduce_or_sync(unsigned m, unsigned x, EMU_SITE) { return (unsigned)emu->meet(EMU_OR, m, x, 0, file, line); }
inline unsigned __reduce_and_sync(unsigned m, unsigned x, EMU_SITE) { return (unsigned)emu->meet(EMU_AND, m, x, 0, file, line); }
inline unsigned __reduce_xor_sync(unsigned m, unsigned x, EMU_SITE) { return (unsigned)emu->meet(EMU_REDUCE_XOR, m, x, 0, file, line); }
inline unsigned __reduce_add_sync(unsigned m, unsigned x, EMU_SITE) { return (unsigned)emu->meet(EMU_ADD, m, x, 0, file, line); }
inline unsigned __reduce_min_sync(unsigned m, unsigned x, EMU_SITE) { return (unsigned)emu->meet(EMU_MIN, m, x, 0, file, line); }
inline unsigned __reduce_max_sync(unsigned m, unsigned x, EMU_SITE) { return (unsigned)emu->meet(EMU_MAX, m, x, 0, file, line); }
inline int __reduce_min_sync(unsigned m, int x, EMU_SITE) { return (int)emu->meet(EMU_IMIN, m, (unsigned)x, 0, file, line); }
inline int __reduce_max_sync(unsigned m, int x, EMU_SITE) { return (int)emu->meet(EMU_IMAX, m, (unsigned)x, 0, file, line); }
inline void __syncthreads(EMU_SITE) { emu->barrier(file, line); }
inline int __syncthreads_or(int x, EMU_SITE) {
  volatile int *any = (volatile int *)emu->shared(EMU_ANY_SLOT, sizeof *any);
  emu->barrier(file, line); // those of before have read
  *any = 0;
  emu->barrier(file, line);
  if (x) *any = 1;
  emu->barrier(file, line);
  return *any;
}
inline void __threadfence() {}
inline void __threadfence_system() {}
inline void __threadfence_block() {}
inline void __nanosleep(unsigned) { emu->spin(); }
inline void __trap(EMU_SITE) { emu->trap("__trap()", file, line); }

// ---- Memory --------------------------------------------------------------------

// Others may run before every access that is meant to see what they do.
inline void emu_step() {
  if (--emu->countdown == 0) emu->pause();
}

template <class T> inline T emu_acquire(const T *p) {
  emu->spin();
  return *(const volatile T *)p;
}
template <class T> inline T __ldg(const T *p) { return *p; }
template <class T> inline T __ldcs(const T *p) { return *p; }
template <class T> inline T __ldcg(const T *p) { emu_step(); return *p; }
template <class T> inline T __ldcv(const T *p) { emu_step(); return *p; }
template <class T> inline void __stcg(T *p, T x) { emu_step(); *p = x; }
template <class T> inline void __stcs(T *p, T x) { emu_step(); *p = x; }
template <class T, class U> inline T atomicAdd(T *p, U x) { emu_step(); T o = *p; *p = o + (T)x; return o; }
template <class T, class U> inline T atomicSub(T *p, U x) { emu_step(); T o = *p; *p = o - (T)x; return o; }
template <class T, class U> inline T atomicMin(T *p, U x) { emu_step(); T o = *p; if ((T)x < o) *p = (T)x; return o; }
template <class T, class U> inline T atomicMax(T *p, U x) { emu_step(); T o = *p; if ((T)x > o) *p = (T)x; return o; }
template <class T, class U> inline T atomicOr(T *p, U x) { emu_step(); T o = *p; *p = o | (T)x; return o; }
template <class T, class U> inline T atomicAnd(T *p, U x) { emu_step(); T o = *p; *p = o & (T)x; return o; }
template <class T, class U> inline T atomicXor(T *p, U x) { emu_step(); T o = *p; *p = o ^ (T)x; return o; }
template <class T, class U> inline T atomicExch(T *p, U x) { emu_step(); T o = *p; *p = (T)x; return o; }
template <class T, class U, class V> inline T atomicCAS(T *p, U is, V x) { emu_step(); T o = *p; if (o == (T)is) *p = (T)x; return o; }

// ---- Numbers -------------------------------------------------------------------

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
inline unsigned __brev(unsigned x) {
  unsigned r = 0;
  for (int i = 0; i < 32; i++) r |= (x >> i & 1) << (31 - i);
  return r;
}
inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned __int128)a * b >> 64); }
inline int __float_as_int(float x) { return emu_of<int>(emu_bits(x)); }
inline unsigned __float_as_uint(float x) { return emu_of<unsigned>(emu_bits(x)); }
inline float __int_as_float(int x) { return emu_of<float>(emu_bits(x)); }
inline float __uint_as_float(unsigned x) { return emu_of<float>(emu_bits(x)); }
inline long long __double_as_longlong(double x) { return emu_of<long long>(emu_bits(x)); }
inline double __longlong_as_double(long long x) { return emu_of<double>(emu_bits(x)); }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
template <class A, class B> inline auto min(A a, B b) -> decltype(a + b) {
  typedef decltype(a + b) T;
  return (T)b < (T)a ? (T)b : (T)a;
}
template <class A, class B> inline auto max(A a, B b) -> decltype(a + b) {
  typedef decltype(a + b) T;
  return (T)b > (T)a ? (T)b : (T)a;
}

// math.h of C knows double alone.
#define EMU_FLOAT1(of) inline float of(float x) { return __builtin_##of##f(x); }
#define EMU_FLOAT2(of) inline float of(float x, float y) { return __builtin_##of##f(x, y); }
EMU_FLOAT1(fabs) EMU_FLOAT1(sqrt) EMU_FLOAT1(floor) EMU_FLOAT1(ceil) EMU_FLOAT1(trunc) EMU_FLOAT1(round) EMU_FLOAT1(rint) EMU_FLOAT1(exp) EMU_FLOAT1(exp2)
EMU_FLOAT1(log) EMU_FLOAT1(log2) EMU_FLOAT1(log10) EMU_FLOAT1(sin) EMU_FLOAT1(cos) EMU_FLOAT1(tan) EMU_FLOAT1(tanh)
EMU_FLOAT2(fmin) EMU_FLOAT2(fmax) EMU_FLOAT2(fmod) EMU_FLOAT2(pow)
inline int abs(int x) { return x < 0 ? -x : x; }
inline long long abs(long long x) { return x < 0 ? -x : x; }
inline float abs(float x) { return __builtin_fabsf(x); }
inline double abs(double x) { return __builtin_fabs(x); }
