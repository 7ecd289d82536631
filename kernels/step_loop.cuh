// The superstep loop, on the device: superstep after superstep without the
// host, until the frontier is empty, the limit or the time is reached, or the
// program has to be asked.
#pragma once

#include "step_barrier.cuh"
#include "step_seek.cuh"

// Frontier is the set of awake vertices: bits, or a list. With a list there are
// bits too (marked), so that a superstep can pull from it at once.
struct Frontier {
  u64 count, arcs, waiting, current;
  bool bits;
  u32 b; // which bitmap
  u32 f; // which list
  // Where SEEKS: how many have not settled and may yet hear something, as far as is
  // known; and whether those are on the list of seekers, so many, with so many arcs.
  u32 open, seekers, rest;
  bool seek;
};

// other is another bitmap than b.
__device__ __forceinline__ u32 other(u32 b) { return b == 0; }

#ifdef LOOP
#ifndef NOTICE
#define NOTICE 4096 // arcs to push along, up to which the degrees of those they lead to are noticed
#endif

#ifndef FLOOD_LEAST
#define FLOOD_LEAST (1 << 16) // arcs
#endif

// flood_above is along how many arcs a push may go for which a list is made of those who get a message.
__device__ __forceinline__ u64 flood_above(const Run &r) {
#ifdef FLOOD
  return (u64)(r.n / FLOOD);
#elif SEEKS && BOXED // whose sweep is apply_boxes
  u32 least = r.n / 16 < FLOOD_LEAST ? r.n / 16 : FLOOD_LEAST;
  return r.n / 64 > least ? r.n / 64 : least;
#else
  return r.n / 16;
#endif
}

// a counter that is 0; the other one is emptied for the next time.
__device__ __forceinline__ u32 *fresh(const Run &r, u32 &turn) {
  turn ^= 1;
  if (leader()) r.control->lengths[2 + (turn ^ 1)] = 0;
  return r.control->lengths + 2 + turn;
}

__device__ __forceinline__ bool pulls(const Run &r, const Frontier &x) {
  if (r.direction) return r.direction == 2;
#if SEEKS
  if (x.seek && x.rest <= SEEK_ARCS) return true;
#endif
#if FIRST
  return (float)x.arcs * r.alpha > (float)r.total;
#else
  return x.arcs * 2 > r.total + r.n;
#endif
}

#if SILENT && WAITS
// as_bits makes bits of a frontier that is a list.
__device__ __forceinline__ void as_bits(const Run &r, Loop &l, Frontier &x) {
  clear_phase(r, r.awake[x.b]);
  l.sync();
  bits_phase(r.list[x.f], (u32)x.count, r.awake[x.b]);
  l.sync();
  x.bits = true;
}
#endif

// advance makes what a phase has left the frontier.
__device__ __forceinline__ void advance(Frontier &x, const Totals &t) {
  x.count = t.count, x.arcs = t.arcs;
  if (WAITS) x.waiting += t.waiting;
}

#if SEEKS
// seek is pull where all is sent along one side.
__device__ __forceinline__ Totals seek(const Run &r, const Params &p, Loop &l, i32 s, Frontier &x, u32 &turn) {
  u32 b = x.b == 2 ? 0 : x.b + 1;
  Seek k = {r, p, s, r.awake[x.b], r.awake[b], {0, 0}, r.send[0].offsets == r.receive[0].offsets};
  u32 *third = r.awake[b == 2 ? 0 : b + 1];
  Found found = {};
  bool lists = !x.seek && x.open < r.n / SEEK_SHARE;
  if (lists) k.seekers.list = r.seekers, k.seekers.length = fresh(r, turn);
  if (lists || x.seek) empty_words(r, third, 0);
  if (x.seek) listed_phase(k, r.seekers, x.seekers, found);
  else sweep_phase(k, found);
  Totals t = l.sync(found, 0, true);
  TRACE(l.lap(PHASE_PULL);)
  if (!x.seek) x.open = (u32)t.waiting;
  if (lists) x.seek = true, x.seekers = (u32)t.waiting, x.rest = t.rest <= SEEK_ARCS ? (u32)t.rest : NONE;
  x.b = b, x.bits = true;
  x.count = t.count, x.arcs = t.arcs;
  return t;
}
#endif

__device__ __forceinline__ Totals pull(const Run &r, const Params &p, Loop &l, i32 s, Frontier &x, u32 &turn) {
#if !defined(EDGE_SOURCE)
  bool all = x.count == r.n;
  emit_phase(r, p, s, r.awake[x.b], all);
  l.sync();
  TRACE(l.lap(PHASE_EMIT);)
#elif !FIRST
  bool all = x.count == r.n;
#endif
#if SEEKS && !BOTH
  return seek(r, p, l, s, x, turn);
#else
#if SEEKS
  if (r.sides == 1) return seek(r, p, l, s, x, turn);
#endif
  u32 *front = r.awake[x.b], *next = r.awake[other(x.b)];
  Found found = {};
#if FIRST
  pull_phase(r, p, s, front, next, x.current, found);
#else
  for (u32 k = 0; k < (BOTH ? r.sides : 1); k++) {
    gather_phase(r, k, front, all);
    l.sync();
    fix_phase(r, k);
    l.sync();
    TRACE(l.lap(PHASE_GATHER);)
  }
  apply_phase<true, 1>(r, p, s, 0, front, next, all, x.current, r.values, 0, found);
#endif
  Totals t = l.sync(found, 0, true);
  TRACE(l.lap(PHASE_PULL);)
  x.b = other(x.b), x.bits = true;
  advance(x, t);
  return t;
#endif
}

#if WAITS
// wake lets those of least priority that wait begin, when nobody else is awake.
__device__ __forceinline__ void wake(const Run &r, const Params &p, Loop &l, Frontier &x, u32 &turn) {
  if (x.count > 0 || x.waiting == 0) return;
  Found none = {};
  Totals t = l.sync(none, 0, true, least_phase(r, p));
  x.current = t.least;
  Found found = none;
  release_phase(r, p, x.current, marked(r, x.b), r.list[x.f], fresh(r, turn), found);
  t = l.sync(found, 0, true);
  x.bits = false;
  advance(x, t);
#if SILENT
  as_bits(r, l, x);
#endif
  TRACE(l.lap(PHASE_RELEASE);)
}
#endif

// blank empties a record, a lane a word: memset would go byte by byte. Those of a superstep
// and of the next are empty when it begins: a fused phase adds to the next one.
__device__ __forceinline__ void blank(const Run &r, u32 i) {
  static_assert(sizeof(Record) / 8 <= 32, "a lane a word");
  if (global_thread() < sizeof(Record) / 8) ((u64 *)(r.records + i))[global_thread()] = 0;
  __syncwarp();
}

// begins: no first values have been set.
extern "C" __global__ void __launch_bounds__(THREADS, 1) step_loop(const __grid_constant__ Run r, const __grid_constant__ Params p, u32 most, u32 begins) {
  __shared__ u64 start, began; // for the leader
  Loop l(r, &start);
  Control &c = *r.control;
  Frontier x = {c.count, c.arcs, WAITS ? c.waiting : 0, WAITS ? c.current : 0, c.bits != 0, c.side & 3, c.side >> 2, NONE};
  i32 s = (i32)c.superstep;
  u32 done = 0, turn = 0;
  bool late = false;
  Found none = {};
  blank(r, 0), blank(r, 1);
#if SEEKS
  if (begins) {
    Found found = {};
    begin_phase(r, p, found);
    advance(x, l.sync(found, 0, true));
  }
  if (x.count > 0 && x.count <= START_LIST && x.count == peek(c.lengths + 2)) x.bits = false; // the list has been made
#endif
  bool listed = x.bits && x.count > 0 && !pulls(r, x);
  if (listed) list_phase(r, r.awake[x.b], r.list[x.f], fresh(r, turn));
  if (listed || WAITS) l.sync(); // all have read
#if WAITS
  wake(r, p, l, x, turn);
#endif
  while (x.count + x.waiting > 0 && done < most && !late) {
    Record *rec = r.records + done;
    bool by_list = !x.bits;
    blank(r, done + 2);
    if (leader()) rec->awake = x.count, rec->arcs = x.arcs, began = nanoseconds();
    TRACE(l.begin(rec, began);)
    if (pulls(r, x)) {
#if SEEKS
      TRACE(if (x.seek && x.rest <= SEEK_ARCS) l.chosen(rec, RULE_SEEK, x.rest);)
#endif
      late = pull(r, p, l, s, x, turn).late;
      if (leader()) rec->pull = 1;
    } else {
      u32 side = x.f ^ 1;
      if (x.bits && !listed) {
        list_phase(r, r.awake[x.b], r.list[x.f], fresh(r, turn));
        l.sync();
        TRACE(l.lap(PHASE_LIST);)
      }
      listed = false;
      x.seek = false; // its list and its third bitmap may be written
      Found found = none;
      u32 *bits = by_list ? marked(r, x.b) : 0;
      bool deals = r.heavies && r.sides == 1 && x.count <= THREADS, many = deals && x.arcs > NOTICE;
      bool flood = SILENT || x.arcs > flood_above(r); // those who have got one are found in the boxes
      u32 *length = flood ? 0 : c.lengths + side;
      if (deals) deal_phase(r, p, s, r.list[x.f], (u32)x.count, bits, side, length, !many, found);
      else push_phase(r, p, s, r.list[x.f], (u32)x.count, bits, side, length, found);
      Totals t = l.sync(found, 0, false);
      TRACE(l.lap(PHASE_PUSH);)
      u32 count = t.count, chunks = deals ? 0 : peek(c.chunks + side);
      [[maybe_unused]] bool big = t.big || many;
      bool over = false;
      if (chunks) {
        found = none;
        heavy_phase(r, p, s, chunks, side, length, found);
        t = l.sync(found, 0, false);
        TRACE(l.lap(PHASE_PUSH);)
        count += t.count, big = true;
        if (leader()) c.chunks[side] = 0;
      }
#if !SILENT
      while (!big && !flood && count > 0 && count <= r.n / 8 && done + 1 < most && !late && r.direction != 2) {
        if (leader()) c.lengths[side] = 0, rec->list = by_list TRACE(+ FUSED + count * FUSED_COUNT);
        Record *following = r.records + done + 1;
        blank(r, done + 2);
        found = none;
        fused_phase(r, p, s, count, side, x.current, found);
        t = l.sync(found, following, WAITS);
        if (WAITS) x.waiting += t.waiting;
        count = t.count, big = t.big, late = t.late;
        if (leader()) {
          u64 now = nanoseconds();
          rec->nanoseconds = now - began;
          began = now;
        }
        if (count == 0 && t.awake == 0) { // s was the last
          over = true;
          TRACE(if (leader()) rec->heard = peek(&following->awake) / HEARD;) // there is no such record
          x.count = 0, x.arcs = 0;
          break;
        }
        done++, s++, side ^= 1;
        rec = following;
        by_list = true;
      }
      TRACE(if (over || rec != l.rec) l.begin(rec, began);)
#endif
      if (!over) {
        if (leader()) c.lengths[side] = 0;
        blank(r, done + 2); // done has gone on with fused phases
        found = none;
        if (flood || count > r.n / 8) {
#if SIGNALS
          apply_bits(r, p, s, side, r.awake[other(x.b)], found);
#elif SEEKS && BOXED
          apply_boxes(r, p, s, side, r.awake[other(x.b)], found);
#else
          apply_phase<false, 2>(r, p, s, side, r.awake[x.b], r.awake[other(x.b)], false, x.current, r.values, 0, found);
#endif
          x.b = other(x.b), x.bits = true;
        } else {
          apply_list(r, p, s, count, side, marked(r, x.b), r.list[side ^ 1], fresh(r, turn), x.current, found);
          x.bits = false;
        }
        x.f = side ^ 1;
        t = l.sync(found, 0, true);
        TRACE(l.lap(PHASE_APPLY);)
        late |= t.late;
        advance(x, t);
      }
      if (leader()) rec->list = by_list TRACE(+ over * FUSED);
    }
#if WAITS
    wake(r, p, l, x, turn);
#endif
    if (leader()) rec->next = x.count, rec->nanoseconds += nanoseconds() - began;
    done++, s++;
  }
  if (!done) l.sync(); // all have read
#if SEEKS
  if (r.lazy && (x.count == 0 || most == 0)) fill_phase(r, p);
#endif
  if (leader()) {
    c.count = x.count, c.arcs = x.arcs, c.waiting = x.waiting, c.current = x.current;
    c.bits = x.bits, c.side = x.b | x.f << 2, c.superstep = (u32)s, c.done = done;
  }
}
#endif
