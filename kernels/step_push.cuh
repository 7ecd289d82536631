// Pushing: from a list of vertices, in work of about equal numbers of arcs.
#pragma once

#include "step_signals.cuh"

// touch delivers K messages of each lane to v[0], v[1], … and puts those vertices
// on the list for which it is the first, if a list is made (length). All lanes of
// the warp call it; those without a message say so. Loads and atomics of all K are under way together. It
// is noticed whether a vertex has many arcs where that can be and matters.
template <int K>
__device__ __forceinline__ void touch(const Run &r, u32 side, u32 *length, bool notice, bool *has, const u32 *v, const Message *m, Found &found) {
  bool first[K];
  u32 mine = 0;
#if SETTLES
  u32 done[K];
#pragma unroll
  for (int j = 0; j < K; j++) done[j] = peek(r.settled + (v[j] >> 5));
#endif
#if BOXED
  // The identity is no vertex: a box that held it is touched for the first time.
  Message old[K];
#pragma unroll
  for (int j = 0; j < K; j++) old[j] = peek(r.box[side] + v[j]);
#pragma unroll
  for (int j = 0; j < K; j++) {
#if SETTLES
    has[j] &= !(done[j] >> (v[j] & 31) & 1);
#endif
    first[j] = false;
    if (has[j] && m[j] < old[j]) old[j] = atomicMin(r.box[side] + v[j], m[j]), first[j] = old[j] == IDENTITY;
  }
#else
  u32 before[K];
#if SIGNALS
#pragma unroll
  for (int j = 0; j < K; j++) before[j] = peek(r.touched[side] + (v[j] >> 5));
#pragma unroll
  for (int j = 0; j < K; j++) before[j] = has[j] ? before[j] | done[j] : ~0u;
#else
#pragma unroll
  for (int j = 0; j < K; j++) {
#if SETTLES
    has[j] &= !(done[j] >> (v[j] & 31) & 1);
#endif
    if (has[j]) deliver(r.box[side] + v[j], m[j]);
  }
#pragma unroll
  for (int j = 0; j < K; j++) before[j] = has[j] ? peek(r.touched[side] + (v[j] >> 5)) : ~0u;
#endif
#pragma unroll
  for (int j = 0; j < K; j++) {
#if SIGNALS
    first[j] = mark(r.touched[side], v[j], !(before[j] >> (v[j] & 31) & 1));
#else
    u32 bit = 1u << (v[j] & 31);
    first[j] = !(before[j] & bit) && !(atomicOr(r.touched[side] + (v[j] >> 5), bit) & bit);
#endif
  }
#endif
  if (!length) {
#pragma unroll
    for (int j = 0; j < K; j++) found.count += first[j];
    return;
  }
  u32 degree[K];
#pragma unroll
  for (int j = 0; j < K; j++) {
    mine += first[j];
    degree[j] = r.mean; // near enough
    if (notice && first[j]) degree[j] = out_degree(r, v[j]);
  }
  if (!__any_sync(~0u, mine)) return;
  u32 scan = warp_scan(mine), at = 0;
  if (lane() == 31) at = atomicAdd(length, scan);
  at = __shfl_sync(~0u, at, 31) + scan - mine;
#pragma unroll
  for (int j = 0; j < K; j++) {
    if (!first[j]) continue;
    r.list[side][at++] = v[j];
    found.count++;
    found.arcs += degree[j];
    if (degree[j] >= HEAVY) found.big = 1;
  }
}

// push_row sends the offer of u along its arcs lo to hi on one side, by a warp.
__device__ __forceinline__ void push_row(const Run &r, u32 k, u32 side, u32 *length, bool notice, u32 u, Message x, u64 lo, u64 hi, Found &found) {
  const Arcs &a = r.send[k];
  for (u64 base = lo + lane(); base - lane() < hi; base += 128) {
    u32 v[4];
    bool has[4];
    Message m[4];
#pragma unroll
    for (int j = 0; j < 4; j++) has[j] = base + j * 32 < hi, v[j] = has[j] ? a.targets[base + j * 32] : 0;
#pragma unroll
    for (int j = 0; j < 4; j++) m[j] = has[j] ? along(x, u, a, base + j * 32) : IDENTITY;
    touch<4>(r, side, length, notice, has, v, m, found);
  }
}

// push_warp sends for the vertices that the lanes of a warp have: long rows one
// after the other, short ones side by side, arc by arc.
__device__ __forceinline__ void push_warp(const Run &r, u32 side, u32 *length, bool sends, u32 u, Message x, Found &found) {
  for (u32 k = 0; k < (BOTH ? r.sides : 1); k++) {
    const Arcs &a = r.send[k];
    u64 begin = 0, end = 0;
    if (sends) begin = a.offsets[u], end = a.offsets[u + 1];
    u32 degree = (u32)(end - begin);
    u32 heavy = __ballot_sync(~0u, degree >= HEAVY);
    while (heavy) { // in chunks, by whoever is free after the next barrier
      int owner = __ffs(heavy) - 1;
      heavy &= heavy - 1;
      u32 d = __shfl_sync(~0u, degree, owner), w = __shfl_sync(~0u, u, owner);
      u32 chunks = (d + CHUNK - 1) / CHUNK, at = 0;
      if (lane() == 0) at = atomicAdd(r.control->chunks + side, chunks);
      at = __shfl_sync(~0u, at, 0);
      for (u32 c = lane(); c < chunks; c += 32) r.chunk[at + c] = (u64)w | (u64)c << 33 | (u64)k << 32;
    }
    u32 wide = __ballot_sync(~0u, degree >= 64 && degree < HEAVY);
    while (wide) {
      int owner = __ffs(wide) - 1;
      wide &= wide - 1;
      u64 lo = __shfl_sync(~0u, begin, owner), hi = __shfl_sync(~0u, end, owner);
      push_row(r, k, side, length, r.heavies, __shfl_sync(~0u, u, owner), __shfl_sync(~0u, x, owner), lo, hi, found);
    }
    u32 d = degree < 64 ? degree : 0;
    u32 scan = warp_scan(d);
    u32 total = __shfl_sync(~0u, scan, 31);
    for (u32 base = 0; base < total; base += 32) {
      u32 i = base + lane();
      u32 owner = 0; // the first lane whose scan is above i
#pragma unroll
      for (u32 step = 16; step; step >>= 1) {
        u32 at = owner + step - 1;
        if (__shfl_sync(~0u, scan, at) <= i) owner += step;
      }
      owner = owner < 31 ? owner : 31;
      u32 before = __shfl_sync(~0u, scan - d, owner);
      u64 e = __shfl_sync(~0u, begin, owner) + (i - before);
      u32 source = __shfl_sync(~0u, u, owner);
      Message y = __shfl_sync(~0u, x, owner);
      bool has = i < total;
      u32 v = has ? a.targets[e] : 0;
      Message m = has ? along(y, source, a, e) : IDENTITY;
      touch<1>(r, side, length, r.heavies, &has, &v, &m, found);
    }
  }
}

// share is how many of count vertices of a list a warp takes at a time: a power of 2.
__device__ __forceinline__ u32 share(u32 count) {
  u32 each = (count - 1) / global_warps(); // and one more
  return each < 16 ? 1u << (32 - __clz(each)) : 32;
}

// marked is the bitmap of a frontier that is a list: null where none is wanted.
__device__ __forceinline__ u32 *marked(const Run &r, u32 b) { return SILENT || r.direction == 1 ? 0 : r.awake[b]; }

// push_phase sends for the awake vertices of a list, whose bits it clears.
__device__ __forceinline__ void push_phase(const Run &r, const Params &p, i32 s, const u32 *list, u32 count, u32 *bits, u32 side, u32 *length,
                                           Found &found) {
  u32 per = share(count);
  for (u32 base = global_warp() * per; base < count; base += global_warps() * per) {
    bool sends = lane() < per && base + lane() < count;
    u32 u = sends ? list[base + lane()] : 0;
    if (bits && sends) bits[u >> 5] = 0;
    Message x = sends ? offer(r, p, u, s) : IDENTITY;
    push_warp(r, side, length, sends, u, x, found);
  }
}

// spread numbers the warps so that neighbours are of different blocks.
__device__ __forceinline__ u32 spread() { return (threadIdx.x >> 5) * gridDim.x + blockIdx.x; }

// deal_phase is push_phase for a list of at most THREADS vertices, sent along one
// side: each block finds out by itself which chunk of whose arcs each warp has, so
// that hubs need no list of chunks and no barrier.
__device__ __forceinline__ void deal_phase(const Run &r, const Params &p, i32 s, const u32 *list, u32 count, u32 *bits, u32 side, u32 *length,
                                           bool notice, Found &found) {
  __shared__ u32 vertices[THREADS], ends[THREADS], sums[THREADS / 32];
  const Arcs &a = r.send[0];
  u32 u = 0, chunks = 0;
  if (threadIdx.x < count) {
    u = list[threadIdx.x];
    chunks = (u32)((a.offsets[u + 1] - a.offsets[u] + CHUNK - 1) / CHUNK);
    if (bits && blockIdx.x == 0) bits[u >> 5] = 0;
  }
  u32 scan = warp_scan(chunks);
  if (lane() == 31) sums[threadIdx.x >> 5] = scan;
  __syncthreads();
  u32 sum = lane() < (threadIdx.x >> 5) ? sums[lane()] : 0;
  vertices[threadIdx.x] = u, ends[threadIdx.x] = scan + warp_sum(sum);
  __syncthreads();
  u32 total = ends[THREADS - 1];
  for (u32 i = spread(); i < total; i += global_warps()) {
    u32 at = 0; // the first whose end is above i
#pragma unroll
    for (u32 step = 512; step; step >>= 1)
      if (at + step < THREADS && ends[at + step - 1] <= i) at += step;
    u32 v = vertices[at], c = i - (at ? ends[at - 1] : 0);
    u64 lo = a.offsets[v] + (u64)c * CHUNK, end = a.offsets[v + 1];
    push_row(r, 0, side, length, notice, v, offer(r, p, v, s), lo, lo + CHUNK < end ? lo + CHUNK : end, found);
  }
}

// heavy_phase sends along the chunks that push_phase has left. So much has been
// sent then that the next superstep is looked at anew: no degree is noticed.
__device__ __forceinline__ void heavy_phase(const Run &r, const Params &p, i32 s, u32 chunks, u32 side, u32 *length, Found &found) {
  for (u32 i = global_warp(); i < chunks; i += global_warps()) {
    u64 c = r.chunk[i];
    u32 u = (u32)c, k = (u32)(c >> 32) & 1;
    u64 lo = r.send[k].offsets[u] + (c >> 33) * CHUNK, end = r.send[k].offsets[u + 1];
    u64 hi = lo + CHUNK < end ? lo + CHUNK : end;
    push_row(r, k, side, length, false, u, offer(r, p, u, s), lo, hi, found);
  }
}

// take applies the message in v's box, which it empties. A fused phase may have
// sent to v before v has settled in it: then nothing is applied.
__device__ __forceinline__ Fate take(const Run &r, const Params &p, i32 s, u32 side, u32 v, u64 current, Found &found) {
  u32 done = SETTLES ? peek(r.settled + (v >> 5)) >> (v & 31) & 1 : 0;
  Message m = SIGNALS ? IDENTITY : r.box[side][v];
  Value old = value_of(r, p, v, is_kept(r, v));
  if (!SIGNALS) r.box[side][v] = IDENTITY;
  if (!BOXED) r.touched[side][v >> 5] = 0; // all touched vertices are on the list
  if (done) return Fate{false, true, false};
  TRACE(found.awake += HEARD;)
  bool awake = false;
  Value x = apply(vertex(r, v, s, 0), old, m, true, p, awake);
  Fate f = keep(r, p, v, x, awake, current);
  u32 bit = 1u << (v & 31);
  if (SETTLES && f.settled) atomicOr(r.settled + (v >> 5), bit);
  if (WAITS && f.waits && !(atomicOr(r.waiting + (v >> 5), bit) & bit)) found.waiting++;
  if (WAITS && f.awake && peek(r.waiting + (v >> 5)) & bit) {
    atomicAnd(r.waiting + (v >> 5), ~bit);
    found.waiting--;
  }
  return f;
}

// apply_list applies to the touched vertices; those left awake make a list, and
// set their bits.
__device__ __forceinline__ void apply_list(const Run &r, const Params &p, i32 s, u32 count, u32 side, u32 *bits, u32 *next, u32 *length,
                                           u64 current, Found &found) {
  u32 rounds = (count + 31) / 32;
  for (u32 i = global_warp(); i < rounds; i += global_warps()) {
    bool has = i * 32 + lane() < count;
    u32 v = has ? r.list[side][i * 32 + lane()] : 0;
    Fate f = {false, false, false};
    u32 degree = has ? out_degree(r, v) : 0; // on its way with the rest
    if (has) f = take(r, p, s, side, v, current, found);
    u32 at = append(length, f.awake);
    if (f.awake) {
      next[at] = v;
      if (bits) atomicOr(bits + (v >> 5), 1u << (v & 31));
      found.count++;
      found.arcs += degree;
    }
  }
}

// fused_phase applies the messages of superstep s and sends those of s+1, for
// programs that need nothing in between.
__device__ __forceinline__ void fused_phase(const Run &r, const Params &p, i32 s, u32 count, u32 side, u64 current, Found &found) {
  u32 per = share(count);
  for (u32 base = global_warp() * per; base < count; base += global_warps() * per) {
    bool has = lane() < per && base + lane() < count;
    u32 v = has ? r.list[side][base + lane()] : 0;
    Fate f = {false, false, false};
    if (has) f = take(r, p, s, side, v, current, found);
    Message x = f.awake ? offer(r, p, v, s + 1) : IDENTITY;
    if (f.awake) found.awake++, found.sent += out_degree(r, v);
    push_warp(r, side ^ 1, r.control->lengths + (side ^ 1), f.awake, v, x, found);
  }
}

// list_phase makes a list of bits, which it clears unless they are still wanted.
__device__ __forceinline__ void list_phase(const Run &r, u32 *bits, u32 *list, u32 *length) {
  for (u32 base = global_warp() * 32; base < r.words; base += global_warps() * 32) {
    u32 word = base + lane() < r.words ? bits[base + lane()] : 0;
    u32 scan = warp_scan(__popc(word));
    u32 total = __shfl_sync(~0u, scan, 31), at = 0;
    if (!total) continue;
    if (!SILENT && word) bits[base + lane()] = 0;
    if (lane() == 0) at = atomicAdd(length, total);
    at = __shfl_sync(~0u, at, 0) + scan - __popc(word);
    for (u32 w = word; w; w &= w - 1) list[at++] = (base + lane()) * 32 + __ffs(w) - 1;
  }
}

#if SILENT && WAITS
// bits_phase makes bits of a list; they are 0 before.
__device__ __forceinline__ void bits_phase(const u32 *list, u32 count, u32 *bits) {
  for (u32 i = global_thread(); i < count; i += global_threads()) atomicOr(bits + (list[i] >> 5), 1u << (list[i] & 31));
}

__device__ __forceinline__ void clear_phase(const Run &r, u32 *bits) {
  for (u32 i = global_thread(); i < r.words; i += global_threads()) bits[i] = 0;
}
#endif

#if WAITS
// least_phase finds the least priority of the vertices that wait.
__device__ __forceinline__ u64 least_phase(const Run &r, const Params &p) {
  u64 least = ~0ull;
  for (u32 word = global_warp(); word < r.words; word += global_warps())
    if (r.waiting[word] >> lane() & 1) {
      u64 x = priority(r.values[word * 32 + lane()], p);
      least = x < least ? x : least;
    }
  return least;
}

// release_phase wakes those up to the current priority, while no other is awake.
__device__ __forceinline__ void release_phase(const Run &r, const Params &p, u64 current, u32 *bits, u32 *list, u32 *length, Found &found) {
  for (u32 word = global_warp(); word < r.words; word += global_warps()) {
    u32 waiting = r.waiting[word];
    if (!waiting) continue;
    u32 v = word * 32 + lane();
    bool wakes = (waiting >> lane() & 1) && priority(r.values[v], p) <= current;
    u32 mask = __ballot_sync(~0u, wakes);
    u32 at = append(length, wakes);
    if (wakes) {
      list[at] = v;
      found.count++;
      found.arcs += out_degree(r, v);
    }
    if (lane() == 0 && mask) {
      r.waiting[word] = waiting & ~mask;
      if (bits) bits[word] = mask;
      found.waiting -= __popc(mask);
    }
  }
}
#endif
