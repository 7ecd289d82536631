// The superstep templates: what an edge program's functions are placed into.
//
// The engine writes before this file: base.cuh; the types Value, Message and
// Params; Vertex; one of COMBINE_MIN, MAX, SUM, OR, ANY; one of EDGE_COPY, PLUS,
// TIMES, LEAST, SOURCE; and as 0 or 1 SILENT, SETTLES, WAITS, FIRST (pulling
// stops at the first awake neighbour), WEIGHTED, BOTH (sent along both
// directions); then the program's own functions.
//
// A superstep pushes or pulls. What was pushed lies in boxes, one a vertex,
// combined by atomics; a vertex that got its first message is put on a list.
// Invariant: outside the vertices on that list a box holds the identity and its
// touched bit is 0. Where messages are ids of vertices combined by minimum
// (BOXED) the box alone tells whether a message came, and there are no such bits.
// Where apply minds only that a message came (SIGNALS), there are only such bits.
#pragma once

#include "step_messages.cuh"

#ifndef SIGNALS
#define SIGNALS 0
#endif

#if FIRST && defined(EDGE_SOURCE) && defined(COMBINE_MIN) && !SIGNALS
#define BOXED 1
#else
#define BOXED 0
#endif

// Where pulling stops at the first and vertices settle (SEEKS), all that is left
// of a graph in the end are those who still seek an awake neighbour: see
// step_seek.cuh. And of most vertices init gives but the first value, which is not
// read again: what nothing was applied to is written when the run ends.
#if FIRST && SETTLES && !SILENT && !WAITS && defined(LOOP)
#define SEEKS 1
#else
#define SEEKS 0
#endif

// Messages are gathered by columns, as long as all are awake: step_columns.cuh.
#ifndef COLUMNED
#define COLUMNED 0
#endif

// Messages are received along the arcs that they are sent along, as in a graph that is not
// directed.
#ifndef MUTUAL
#define MUTUAL 0
#endif

// Supersteps may be begun before the program has been asked about the one before:
// runtime/cuda/ahead.go.
#ifndef AHEAD
#define AHEAD 0
#endif

// Values are made anew in each superstep, and of some nobody asks: runtime/cuda/bare.go.
#ifndef ANEW
#define ANEW 0
#endif

// Rows are the vertices by how many arcs they receive along: those with fewer
// than LIGHT are read by the lane that applies to them, others before that: MID
// by 8 lanes, WIDE by a warp, hubs in chunks of HUB arcs by a warp each.
struct Bins {
  const u32 *mid, *wide;
  const u32 *hubs;    // rows
  const u32 *first;   // of each hub: its first chunk; one more than hubs
  const u64 *chunks;  // hub's row, and number of the chunk within it << 32
  u32 mids, wides, hub_count, chunk_count;
};

static const u32 LIGHT = 16;
static const u32 WIDE = 128;
static const u32 HUB = 4096;

// How many arcs a lane has under way, and how many blocks of 256 threads a
// multiprocessor shall hold: TUNING.md says what else was tried.
#ifndef LIGHT_LOADS
#define LIGHT_LOADS 2
#endif
static const u32 ROW_LOADS = 4, GATHER_BLOCKS = 6;
#ifndef APPLY_BLOCKS
#define APPLY_BLOCKS 3
#endif

// How many words of vertices a warp applies at a time: as many as leave their
// values, messages and neighbours in registers.
#ifndef APPLY_WORDS
#define APPLY_WORDS (sizeof(Value) + sizeof(Message) <= 8 ? 4 : sizeof(Value) + sizeof(Message) <= 16 ? 2 : 1)
#endif

#ifndef THREADS
#define THREADS 768 // of a block of step_loop, of which a multiprocessor has one: up to 1024, in whole warps
#endif

// What is only there where a run is traced: other runs have the code that they
// would have without.
#ifdef TRACED
#define TRACE(...) __VA_ARGS__
#else
#define TRACE(...)
#endif

// The parts of a superstep that are timed then, and the rules that choose a
// direction beside that of costs.
enum { PHASE_LIST, PHASE_EMIT, PHASE_GATHER, PHASE_PULL, PHASE_PUSH, PHASE_APPLY, PHASE_RELEASE, PHASES };
enum { RULE_COST, RULE_SEEK };

// A fused phase ends a superstep within some 5 microseconds, for which an atomic operation
// more, or a look at the clock, is much. So nothing is noted of it but in words that are
// written anyway; runtime/cuda/detail.go takes them apart. Its time is what the other phases
// leave of the superstep's. What it counts is below 2^32, as vertices are: HEARD is added to
// awake for each vertex that a message was applied to, and lies in the next record, which
// awake is of. Of list the bit FUSED says that such a phase has ended the superstep, and what
// is above is how many vertices had got a message, n/8 at the most; 0 where it has woken none,
// so that it begins no superstep.
enum : u64 { HEARD = 1ull << 32 };
enum : u32 { FUSED = 2, FUSED_COUNT = 4 };

// When the kernels of a superstep began, and the last of them ended, where a program
// tallies: these times lie in the place of records, before the tallies. Those of gather and
// fix are of the first side; those of the second follow them.
enum { TIME_EMIT, TIME_GATHER, TIME_FIX, TIME_APPLY = 5, TIME_END };

// What one superstep was, for the host.
struct Record {
  u64 awake, arcs, next, nanoseconds;
  u32 pull, list;
  TRACE(u32 rule, of;)       // what else has chosen the direction, and the number it went by
  TRACE(u64 heard;)          // vertices that a message was applied to, when pushed; see HEARD
  TRACE(u64 phases[PHASES];) // nanoseconds
};

// Sums over one phase, added to by one thread a block.
struct Sums {
  u64 arcs; // and who has brought some, as in the barrier's word
  u64 rest, waiting, least;
};

struct Control {
  u64 barrier[4]; // see Grid in base.cuh
  Sums sums[4];
  // The frontier between supersteps.
  u64 count, arcs, waiting, current;
  u32 superstep, bits, side, done;
  // Lengths of the lists, and of that of chunks.
  u32 lengths[4];
  u32 chunks[4];
  u32 taken; // pieces of wide chunks: step_columns.cuh
};
static_assert(sizeof(Control) <= 256, "as controlBytes in runtime/cuda/edge.go");

static const u32 HEAVY = 256; // a vertex of so many arcs is pushed in chunks
static const u32 CHUNK = 128;
static const u32 BIG_BLOCK = 8192; // arcs that a block may leave behind unnoticed

// Where some are heard by very many, offers made by all vertices lie by rank,
// those most heard first, so that they share cache lines; the rest of a Run knows
// nothing of ranks.
struct Ranks {
  const u32 *of;      // each vertex; NONE where nobody hears it. null: not ranked
  const u32 *targets; // those of receive[0], by rank
};

struct Run {
  u32 n, words;
  u32 sides; // arrays in send and receive
  u32 ends;  // words of vertices: those behind have no arcs to receive along
  Arcs send[2], receive[2];
  Bins bins[2];
  Ranks ranks;
  const u32 *receivers; // bits: vertices with arcs to receive along
  const u32 *near;      // the first neighbours along receive[0], as in first.cuh; null: there are none
  Value *values;
  Message *box[2];
  u32 *touched[2];
  Message *offers[2]; // the second for the next superstep, where emit is LOCAL
  u32 *awake[3]; // the third where SEEKS
  u32 *settled, *waiting;
  u32 *kept; // bits: vertices that have not settled, and have a value other than init's, where lazy
  u32 *list[2];
  u32 *seekers;
  u64 *chunk;
  Message *partial[2]; // of chunks of hubs
  u8 *heard[2];
  Control *control;
  Record *records;
  Tallies *tallied; // of all, then by block
  u64 total;        // arcs to send along
  u32 direction;    // 0 auto, 1 push, 2 pull
  u32 given;        // values came with the run
  u32 heavies;      // a vertex has HEAVY arcs or more
  float alpha;      // pull when more than 1/alpha of all arcs would be pushed along
  u32 mean;         // arcs of a vertex
  u32 light;        // arcs below which a vertex hears all when it is applied, if all are awake
  u32 lazy;         // values are init's, and unwritten, where a vertex has neither settled nor is kept; see LAZY_ENDS
  u32 clean;        // boxes hold the identity before the run
  u64 budget;       // nanoseconds before coming back to the host
  u32 *told;        // memory of the host; null: what a program has tallied is copied there
  u32 tells;        // words from control on that are written there
  u32 apart;        // words from told to the second such place
  Value *later;     // of a program that tallies: what becomes of values; values again, or a second place of them
};
// A bit of lazy: the first values of those who have no arcs to receive along are not written at the end
// either, as values are brought elsewhere (step_bring.cuh).
static const u32 LAZY_ENDS = 2;

static const u32 TOLD = 16; // words of told before them, of which the first says that they are there

// How a superstep is done of a program that tallies, as bits: told in the second place; with
// last values of tallies as the superstep before has left them, not those in Params.
enum { TELLS_APART = 1, FOLLOWS = 2 };

// What a thread has found in a phase; a block adds it up.
struct Found {
  u32 count;   // vertices left awake, or touched
  u32 big;     // one of them has many arcs
  u64 arcs;    // of those
  u64 awake;   // vertices that a fused phase has woken; where traced, HEARD beside
  u64 sent;    // their arcs
  i64 waiting; // vertices that have begun to wait, less those that have ceased to; where SEEKS, those that seek on
  u64 rest;    // arcs of those
};
