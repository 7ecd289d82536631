// The relaxed form of an edge program on a graph with hubs: pushes while few
// vertices change, then bounded sweeps. What sssp_pull.cuh does for shortest paths,
// for any program that keeps the law of pregel.Relaxer.
//
// Result: the least fixed point of the program, the same values as superstep by
// superstep.
//
// Method: every vertex has a box, the messages it has heard, combined, and an
// offer, what it has said last. A push sends the offers of those who changed into
// boxes; who was sent to is then applied, and changes or does not (WAKE). From the
// first push on that would be larger than PUSH_MOST every vertex pulls, in place:
// it combines offers along its arcs into its box, those arcs first that make the most
// of an offer, the lightest where the least message wins, the heaviest where the
// greatest does; and stops where not even the best offer made in the round before
// would say anything new. Hubs' boxes are soon as good as that, and so they look at few
// of their arcs; the others have few. In the first HUB_SWEEPS sweeps only those with
// long lists look. Once a sweep has changed few, which it has marked, these are
// pushed.
//
// Invariant: after each round, box(v) has what offer(u) is along the arc (u,v), for
// every arc whose source has not changed in it. A push sends along all others. In a
// sweep, let an arc from u, which does not change, have something new for v. Then u
// has changed in the round before, so its offer is no better than best, what all offers
// made in it are combined; edge operations are monotone, so best along that arc is
// news, too, and so it is along those before it: v looks at the arc. Whether it sees what others
// write in the same sweep makes no difference: what it sees has been offered, and
// better offers are best's of the next round. Where only hubs look, best stays, and
// is combined with theirs. When nobody changes, the invariant is the fixed point.
// A product is monotone in the weight only where the offer is not negative: sweeps
// are not bounded where best is, or where it is infinite. Listing who has changed is
// no round: best stays, since there may be too many to be pushed.
//
// Cost: as many sweeps as paths' tails take, some 6 on Kronecker graphs; of each a
// pass over boxes, and the arcs that may say something new. (Beamer, Asanović and
// Patterson, Direction-optimizing breadth-first search, SC 2012, for pulling; Meyer
// and Sanders, Δ-stepping, 2003, for lists by weight.)
//
// Before it: see step.cuh, but for Run. The engine has it only where the combiner's
// identity stays what it is along an arc: who has said nothing offers that.
#pragma once
#include "sweep_run.cuh"

// ---- First values -----------------------------------------------------------

namespace sweep {

// first_of is the value that a vertex begins or goes on with.
__device__ __forceinline__ Value first_of(const SweepRun &r, const Params &p, u32 v, bool goes_on, bool &awake) {
  Value x;
  if (r.given || goes_on) x = r.values[v];
  else memset(&x, 0, sizeof x);
  if (!goes_on) {
    r.box[v] = IDENTITY;
    return init(vertex_of(r, v, -1), x, p, awake);
  }
  awake = r.bits[0][v >> 5] >> (v & 31) & 1;
  Message heard = r.box[v];
  if (heard == IDENTITY) return x;
  bool woken = false;
  x = apply(vertex_of(r, v, -1), x, heard, true, p, woken);
  awake |= woken;
  return x;
}

} // namespace sweep

extern "C" __global__ void __launch_bounds__(32) sweeps_begin(SweepControl *control) {
  if (threadIdx.x != 0) return;
  SweepControl c = {};
  c.last = sweep::UNKNOWN;
  Message none = IDENTITY;
  memcpy(&c.none, &none, sizeof none);
  for (int i = 0; i < 4; i++) c.best[i] = c.none;
  *control = c;
}

// Whoever is awake has changed, in the round before the first. A run that goes on has values, boxes, which are
// applied, and in the first bitmap those who are awake.
extern "C" __global__ void __launch_bounds__(256) sweeps_init(const __grid_constant__ SweepRun r, const __grid_constant__ Params p, u32 goes_on) {
  u64 changed = 0;
  Message said = IDENTITY;
  for (u64 base = (u64)global_warp() * 32; base < r.n; base += (u64)global_warps() * 32) {
    u32 v = (u32)base + lane();
    bool awake = false;
    if (v < r.n) {
      Value x = sweep::first_of(r, p, v, goes_on, awake);
      Message offer = awake ? sweep::offer_of(r, p, v, -1, x) : IDENTITY;
      r.values[v] = x, r.offers[v] = offer;
      said = combine(said, offer);
    }
    u32 word = __ballot_sync(~0u, awake);
    if (lane() == 0) r.bits[0][base / 32] = word, r.bits[1][base / 32] = 0;
    changed += awake;
  }
  sweep::bring_best(&r.control->best[0], said);
  changed = block_sum(changed);
  if (threadIdx.x == 0 && changed) atomicAdd(&r.control->changed, changed);
}

// Finds what sweeps look at.
extern "C" __global__ void __launch_bounds__(256) sweeps_bounds(u32 n, const Offset *offsets, u32 *bounds) { sweep::find_bounds(n, offsets, bounds); }

// ---- The loop ----------------------------------------------------------------

namespace sweep {

// What the blocks know of where a run is; all have the same.
struct Place {
  u32 round, phase, turn, lean, swept, marked, done;
  u64 changed, last;

  __device__ __forceinline__ void load(const SweepControl &c) {
    round = peek(&c.round), phase = peek(&c.phase), turn = peek(&c.turn), lean = peek(&c.lean), swept = peek(&c.swept), marked = peek(&c.marked);
    changed = peek(&c.changed), last = peek(&c.last);
    done = 0;
  }

  __device__ __forceinline__ void store(SweepControl &c) const {
    c.round = round, c.phase = phase, c.turn = turn, c.lean = lean, c.swept = swept, c.marked = marked;
    c.changed = changed, c.last = last, c.done = done;
    c.next = phase == SWEEP_NO ? 0 : changed;
  }

  // most is how many vertices and chunks a push may have.
  __device__ __forceinline__ u64 most(u32 few) const { return swept ? max((u64)PUSH_MOST, (u64)FEW_ITEMS * few) : PUSH_MOST; }

  // marks tells whether a sweep of all marks who changes: after it they may be listed.
  __device__ __forceinline__ bool marks(u32 few) const { return last <= (u64)MARK_FROM * few || lean + 1 >= LEAN_SWEEPS && last < UNKNOWN; }

  // choose makes of what the last round has left what this one does.
  __device__ __forceinline__ void choose(u64 counts, u32 few) {
    if (phase != SWEEP_WAKE && changed == 0 || phase == SWEEP_WAKE && vertices_of(counts) == 0) phase = SWEEP_NO;
    bool sweeps = phase == SWEEP_START && changed > PUSH_MOST || phase == SWEEP_PUSH && items_of(counts) > most(few);
    if (sweeps) phase = SWEEP_ALL, turn = lean = 0, swept = 1, last = UNKNOWN;
    if (phase == SWEEP_START) phase = SWEEP_LIST;
  }

  // advance is to the next round, after one in which so many have changed.
  __device__ __forceinline__ void advance(u64 sum, u32 few, bool hubs) {
    const u32 was = phase;
    if (was == SWEEP_PUSH) phase = SWEEP_WAKE;
    else if (was != SWEEP_ALL) phase = SWEEP_PUSH;
    if (was == SWEEP_WAKE) changed = sum;
    if (was == SWEEP_ALL && !hubs) {
      const bool marked_them = marks(few);
      changed = last = sum;
      lean = sum < LEAN ? lean + 1 : 0;
      if (marked_them && sum > 0 && (sum <= few || lean >= LEAN_SWEEPS)) phase = SWEEP_LIST, marked = round & 1;
    }
    if ((was == SWEEP_PUSH || was == SWEEP_ALL) && !hubs) done++;
    turn += was == SWEEP_ALL;
    round++;
  }

  __device__ __forceinline__ bool closes() const { return phase == SWEEP_PUSH || phase == SWEEP_ALL; }
};

// What a block has of its own.
struct Block {
  Room room;
  u32 held[THREADS / 32][64];
};

// sweep_all has all look, or those with long lists, and returns how many have changed. It empties the place of
// the next sweep's marks.
__device__ __forceinline__ u32 sweep_all(const SweepRun &r, const Params &p, i32 round, const Place &at, bool hubs, Message best, Message &said, u64 &arcs, Block &b) {
  const bool marks = !hubs && at.marks(r.few);
  u32 *next = r.bits[~at.round & 1];
  for (u64 i = global_thread(); i < ((u64)r.n + 31) / 32; i += global_threads()) next[i] = 0;
  Rows rows = {r.receive.offsets, r.receive.targets, r.receive.weights, r.heads, r.head_weights, r.box, r.offers, &b.room, {0, 0}};
  Pull body = {r, p, round, marks ? r.bits[at.round & 1] : nullptr, bounded(best), best, over(best, weight_from(r.extreme, (const WEIGHT *)0)), hubs ? best : IDENTITY, 0};
  rows.all(body, hubs ? 0 : r.bounds[0], r.bounds[1], r.bounds[2]);
  arcs += rows.looked.arcs;
  said = combine(said, body.said);
  return body.changed;
}

// rounds runs them until nobody changes, or there were most, or the time is over.
// before were done by launches before.
__device__ __forceinline__ void rounds(const SweepRun &r, const Params &p, u32 most, u32 before, Block &b) {
  SweepControl &c = *r.control;
  Lists lists = {r.list[0], r.list[1], r.chunks[0], r.chunks[1]};
  Grid grid(c.barrier);
  Place at;
  Pusher out;
  at.load(c);
  const bool leads = global_thread() == 0;
  const u64 start = nanoseconds();
  u64 began = start;
  for (bool first = true;; first = false) {
    const u64 counts = peek(&c.counts[at.round & 3]);
    const Message best = peek((const Message *)&c.best[at.round & 3]);
    at.choose(counts, r.few);
    if (at.phase == SWEEP_NO || at.closes() && at.done == most) {
      if (first) grid.sync(); // all have read where the run is
      break;
    }
    const bool wakes = at.phase == SWEEP_WAKE, closes = at.closes(), sweeps = at.phase == SWEEP_ALL, hubs = sweeps && at.turn < HUB_SWEEPS && r.bounds[1] > 0;
    if (leads) {
      c.counts[(at.round + 2) & 3] = 0;
      *(Message *)&c.best[(at.round + 2) & 3] = IDENTITY;
      SweepRecord empty = {};
      if (closes) r.records[at.done + 1] = empty;
    }
    out.begin(b.held[threadIdx.x >> 5], lists.vertices(at.round + 1), lists.chunks(at.round + 1), &c.counts[(at.round + 1) & 3]);
    Message said = IDENTITY;
    u64 arcs = 0;
    u32 changed = 0;
    const i32 round = (i32)(before + at.done);
    if (at.phase == SWEEP_PUSH) {
      Send body = {r, &out};
      u64 all = visit_chunks<Message>(body, global_warp(), lists.chunks(at.round), chunks_of(counts), r.send.offsets, r.send.targets);
      all += visit_list<Message>(body, last_warp(), lists.vertices(at.round), vertices_of(counts), r.send.offsets, r.send.targets);
      arcs = lane() == 0 ? all : 0;
    } else if (wakes) {
      changed = wake(r, p, round, lists.vertices(at.round), vertices_of(counts), at.most(r.few), out, said);
    } else if (sweeps) {
      changed = sweep_all(r, p, round, at, hubs, best, said, arcs, b);
    } else {
      list_marked(r, r.bits[at.marked], out);
      said = best;
    }
    out.end();
    bring_best(&c.best[(at.round + 1) & 3], said);
    if (closes) block_add(&r.records[at.done].arcs, arcs);
    u64 bring = block_sum(changed);
    if (leads && nanoseconds() - start > r.budget) bring += LEAVE;
    const u64 sum = grid.sync(bring);
    if (leads && closes && !hubs) {
      u64 now = nanoseconds();
      SweepRecord &record = r.records[at.done];
      record.awake = at.changed, record.nanoseconds = now - began, record.pull = sweeps;
      began = now;
    }
    at.advance(sum % LEAVE, r.few, hubs);
    if (sum >= LEAVE && (wakes || sweeps && !hubs)) break; // at the end of what has a record, when it is known who changes
  }
  if (!leads) return;
  if (at.done) r.records[at.done - 1].nanoseconds += nanoseconds() - began;
  at.store(c);
}

} // namespace sweep

extern "C" __global__ void __launch_bounds__(sweep::THREADS, 2) step_sweeps(const __grid_constant__ SweepRun r, const __grid_constant__ Params p, u32 most, u32 before) {
  __shared__ sweep::Block b;
  sweep::rounds(r, p, most, before, b);
}
