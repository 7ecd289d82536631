// Pulling: the first awake neighbour, or all of them.
#pragma once

// ---- The first awake neighbour ---------------------------------------------

// A lane looks at the first SHORT neighbours of its vertex, the warp at the rest.
static const u32 SHORT = 16;

struct Hit {
  bool found;
  u32 from;
  u64 arc;
};

__device__ __forceinline__ bool awake_at(const u32 *front, u32 u) { return peek(front + (u >> 5)) >> (u & 31) & 1; }

// first_awake finds it along one side. All lanes of the warp call it.
__device__ __forceinline__ Hit first_awake(const Arcs &a, const u32 *front, u32 v, bool wanted, u64 &read) {
  Hit h = {false, 0, 0};
  u64 e = 0, end = 0;
  if (wanted) e = a.offsets[v], end = a.offsets[v + 1];
  u64 stop = e + SHORT < end ? e + SHORT : end;
  for (; e < stop && !h.found; e += 4) {
    u32 u[4];
    bool b[4];
#pragma unroll
    for (int j = 0; j < 4; j++) u[j] = e + j < stop ? a.targets[e + j] : NONE;
#pragma unroll
    for (int j = 0; j < 4; j++) b[j] = u[j] != NONE && awake_at(front, u[j]);
#pragma unroll
    for (int j = 3; j >= 0; j--)
      if (b[j]) h.found = true, h.from = u[j], h.arc = e + j;
    read += 4;
  }
  e = stop;
  u32 others = __ballot_sync(~0u, !h.found && e < end);
  while (others) {
    int owner = __ffs(others) - 1;
    others &= others - 1;
    u64 at = __shfl_sync(~0u, e, owner), to = __shfl_sync(~0u, end, owner);
    for (bool more = true; more && at < to; at += 128) {
      u32 u[4];
      bool b[4];
#pragma unroll
      for (int j = 0; j < 4; j++) u[j] = at + j * 32 + lane() < to ? a.targets[at + j * 32 + lane()] : NONE;
#pragma unroll
      for (int j = 0; j < 4; j++) b[j] = u[j] != NONE && awake_at(front, u[j]);
      if (lane() == owner) read += 128;
#pragma unroll
      for (int j = 0; j < 4; j++) {
        u32 hits = __ballot_sync(~0u, b[j]);
        if (!hits || !more) continue;
        int first = __ffs(hits) - 1;
        u32 from = __shfl_sync(~0u, u[j], first);
        if (lane() == owner) h.found = true, h.from = from, h.arc = at + j * 32 + first;
        more = false;
      }
    }
  }
  return h;
}

#if FIRST
// pull_phase lets every vertex that still takes messages look, and applies.
__device__ __forceinline__ void pull_phase(const Run &r, const Params &p, i32 s, const u32 *front, u32 *next, u64 current,
                                           Found &found, u64 &read) {
  for (u32 word = global_warp(); word < r.words; word += global_warps()) {
    u32 v = word * 32 + lane();
    u32 open = r.receivers[word] & (SETTLES ? ~r.settled[word] : ~0u);
    u32 runs = SILENT ? open | peek(front + word) : open;
    if (!runs) {
      if (lane() == 0) next[word] = 0;
      continue;
    }
    Hit h = first_awake(r.receive[0], front, v, open >> lane() & 1, read);
    u32 side = 0;
    if (BOTH && r.sides > 1) {
#if defined(COMBINE_MIN)
      bool wanted = open >> lane() & 1;
#else
      bool wanted = (open >> lane() & 1) && !h.found;
#endif
      Hit other = first_awake(r.receive[1], front, v, wanted, read);
      if (other.found && (!h.found || other.from < h.from)) h = other, side = 1;
    }
    Fate f = {false, false, false};
    u32 degree = 0;
    bool asleep = !(SILENT && peek(front + word) >> lane() & 1);
    if (h.found || !asleep) {
      Message m = IDENTITY;
      if (h.found) {
#if defined(EDGE_SOURCE)
        m = (Message)h.from;
#else
        m = along(peek(r.offers + h.from), h.from, r.receive[side], h.arc);
#endif
      }
      Vertex x = vertex(r, v, s, 0);
      bool awake = false;
      Value value = apply(x, r.values[v], m, h.found, p, awake);
      f = keep(r, p, v, value, awake, current);
      degree = x.out_degree;
    }
    close(r, word, f, next, found, degree, false);
  }
}
#else
// ---- All neighbours, a tile of arcs at a time -------------------------------

__device__ __forceinline__ Message warp_combine(Message x) {
  for (int d = 16; d; d >>= 1) x = combine(x, __shfl_xor_sync(~0u, x, d));
  return x;
}

// gathered row: complete in this tile, or combined with what side 0 has left.
__device__ __forceinline__ void put(const Run &r, u32 box, u32 v, Message x, bool all, bool second) {
  if (second) {
    bool before = test_bit(r.touched[box], v);
    if (before) x = combine(r.box[box][v], x);
  }
  r.box[box][v] = x;
  if (!all || second || BOTH) atomicOr(r.touched[box] + (v >> 5), 1u << (v & 31));
}

// gather_phase combines, along one side, the messages of every row into its box.
// A warp has a tile; what it knows of rows that reach beyond the tile goes to
// the partial arrays, for fix_phase. The order of a sum depends on the graph
// alone.
__device__ __forceinline__ void gather_phase(const Run &r, u32 side, u32 box, const u32 *front, bool all) {
  const Tiles &t = r.tiles[side];
  const Arcs &a = r.receive[side];
  for (u32 tile = global_warp(); tile < t.count; tile += global_warps()) {
    u64 from = (u64)tile * TILE;
    u32 length = (u32)(t.arcs - from < TILE ? t.arcs - from : TILE);
    u32 row = t.tiles[tile], last = t.tiles[tile + 1];
    bool begun = t.starts[row] < from; // the open row began before the tile
    u32 ahead = row + 1;               // rows from here on start behind the batches read
    Message open = IDENTITY;           // the open row's, by lane
    u32 heard = 0;
    if (lane() == 0) r.heard[side][0][tile] = r.heard[side][1][tile] = 0;
    for (u32 base = 0; base < length; base += 256) {
      Message m[8];
      u32 awake[8];
#pragma unroll
      for (u32 j = 0; j < 8; j++) {
        u32 i = base + j * 32 + lane();
        m[j] = IDENTITY;
        bool on = false;
        if (i < length) {
          u32 u = __ldcs(a.targets + from + i);
          on = all || awake_at(front, u);
#if defined(EDGE_SOURCE)
          if (on) m[j] = (Message)u;
#else
          if (on) m[j] = along(r.offers[u], u, a, from + i);
#endif
        }
        awake[j] = __ballot_sync(~0u, on);
      }
#pragma unroll
      for (u32 j = 0; j < 8; j++) {
        u32 at = base + j * 32;
        if (at >= length) break;
        // Rows that start in this batch, as bits.
        u32 k = ahead + lane();
        u64 start = k <= last ? (u64)t.starts[k] - from : ~0ull;
        bool here = start >= at && start < at + 32 && start < length;
        u32 starts = warp_or(here ? 1u << (u32)(start - at) : 0);
        if (!starts) {
          open = combine(open, m[j]);
          heard |= awake[j];
          continue;
        }
        u32 first = __ffs(starts) - 1, final = 31 - __clz(starts);
        u32 below = (1u << first) - 1;
        // The open row ends before the first start.
        if (lane() < first) open = combine(open, m[j]);
        heard |= awake[j] & below;
        bool any = at + first > 0; // the open row has an arc in this tile
        Message total = warp_combine(open);
        if (any && heard && lane() == 0) {
          if (begun) r.partial[side][0][tile] = total, r.heard[side][0][tile] = 1;
          else put(r, box, t.rows[ahead - 1], total, all, side > 0);
        }
        // Rows wholly within the batch: a scan that stops at starts.
        u32 mine = starts & (lane() == 31 ? ~0u : (2u << lane()) - 1); // starts up to this lane
        u32 head = mine ? 31 - __clz(mine) : 0;
        if (first != final) {
          Message x = m[j];
#pragma unroll
          for (u32 d = 1; d < 32; d <<= 1) {
            Message y = __shfl_up_sync(~0u, x, d);
            if (lane() >= head + d) x = combine(y, x);
          }
          bool ends = lane() >= first && lane() < final && (starts >> (lane() + 1) & 1);
          u32 span = ((2u << lane()) - 1) & ~((1u << head) - 1);
          if (ends && awake[j] & span) put(r, box, t.rows[ahead + __popc(mine) - 1], x, all, side > 0);
        }
        // The last start opens the next row.
        open = lane() >= final ? m[j] : IDENTITY;
        heard = awake[j] & ~((1u << final) - 1);
        ahead += __popc(starts);
        begun = false;
      }
    }
    // The row open at the end: whole if the next tile begins with another.
    Message total = warp_combine(open);
    if (lane() == 0 && heard) {
      bool goes_on = (u64)t.starts[ahead] > from + length;
      if (begun) r.partial[side][0][tile] = total, r.heard[side][0][tile] = 1;
      else if (goes_on) r.partial[side][1][tile] = total, r.heard[side][1][tile] = 1;
      else put(r, box, t.rows[ahead - 1], total, all, side > 0);
    }
  }
}

// fix_phase completes the rows that span tiles: each belongs to the tile it
// starts in. Long ones are added up by a warp.
__device__ __forceinline__ void fix_phase(const Run &r, u32 side, u32 box, bool all) {
  const Tiles &t = r.tiles[side];
  u32 tiles = (t.count + 31) & ~31u;
  for (u32 tile = global_thread(); tile < tiles; tile += global_threads()) {
    u32 row = 0, to = 0;
    bool spans = false;
    if (tile < t.count) {
      u64 from = (u64)tile * TILE, end = from + TILE < t.arcs ? from + TILE : t.arcs;
      row = t.tiles[tile + 1];
      if (row > t.tiles[tile] && (u64)t.starts[row] >= end) row--; // starts with the next tile
      u64 start = t.starts[row], stop = t.starts[row + 1];
      spans = start >= from && start < end && stop > end;
      if (spans) to = (u32)((stop - 1) / TILE);
    }
    bool short_one = spans && to - tile <= 8;
    if (short_one) {
      bool heard = r.heard[side][1][tile];
      Message x = heard ? r.partial[side][1][tile] : IDENTITY;
      for (u32 k = tile + 1; k <= to; k++)
        if (r.heard[side][0][k]) heard = true, x = combine(x, r.partial[side][0][k]);
      if (heard) put(r, box, t.rows[row], x, all, side > 0);
    }
    u32 others = __ballot_sync(~0u, spans && !short_one);
    while (others) {
      int owner = __ffs(others) - 1;
      others &= others - 1;
      u32 a = __shfl_sync(~0u, tile, owner), b = __shfl_sync(~0u, to, owner);
      bool heard = lane() == 0 && r.heard[side][1][a];
      Message x = heard ? r.partial[side][1][a] : IDENTITY;
      for (u32 k = a + 1 + lane(); k <= b; k += 32)
        if (r.heard[side][0][k]) heard = true, x = combine(x, r.partial[side][0][k]);
      x = warp_combine(x);
      heard = __any_sync(~0u, heard);
      if (heard && lane() == owner) put(r, box, t.rows[row], x, all, side > 0);
    }
  }
}
#endif
