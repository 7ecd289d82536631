//go:build emulate && cgo

#define _GNU_SOURCE
#include "launch.h"
#include "fibre.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

// ---- What modules call -------------------------------------------------------

static void draw_countdown(void) { state.countdown = 1 + draw(draw(4) ? 400 : 20); }

static void pause_now(void) {
  draw_countdown();
  leave = 1;
  suspend();
}

static void spin(void) {
  leave = 1;
  if (++spins > 20000000) fail("it waits for a word that nobody changes");
  suspend();
}

static u64 reduced(warp *w, group *g) {
  u64 r = g->kind == EMU_AND || g->kind == EMU_ALL || g->kind == EMU_MIN ? 0xffffffffu : 0;
  if (g->kind == EMU_IMIN) r = 0x7fffffff;
  if (g->kind == EMU_IMAX) r = 0x80000000;
  for (int i = 0; i < LANES; i++) {
    if (!(g->arrived >> i & 1)) continue;
    u64 x = w->value[i];
    switch (g->kind) {
    case EMU_BALLOT: r |= x << i; break;
    case EMU_ANY: case EMU_OR: r |= x; break;
    case EMU_ALL: r = r && x; break;
    case EMU_AND: r &= x; break;
    case EMU_REDUCE_XOR: r ^= x; break;
    case EMU_ADD: r = (unsigned)(r + x); break;
    case EMU_MIN: r = x < r ? x : r; break;
    case EMU_MAX: r = x > r ? x : r; break;
    case EMU_IMIN: r = (int)x < (int)r ? x : r; break;
    case EMU_IMAX: r = (int)x > (int)r ? x : r; break;
    }
  }
  return r;
}

static int source(int kind, int lane, unsigned argument) {
  int from = lane;
  switch (kind) {
  case EMU_SHFL: return argument & 31;
  case EMU_UP: from = lane - (int)argument; break;
  case EMU_DOWN: from = lane + (int)argument; break;
  case EMU_XOR: from = lane ^ (int)argument; break;
  }
  return from < 0 || from > 31 ? lane : from;
}

static void finish(warp *w, group *g) {
  u64 all = g->kind > EMU_XOR ? reduced(w, g) : 0;
  for (int i = 0; i < LANES; i++) {
    if (!(g->arrived >> i & 1)) continue;
    if (g->kind <= EMU_XOR) {
      int from = source(g->kind, i, w->argument[i]);
      if (!(g->arrived >> from & 1)) fail("lane %d asks lane %d in %s (%s:%d), which is not there", i, from, names[g->kind], g->file, g->line);
      w->result[i] = w->value[from];
    } else {
      w->result[i] = all;
    }
    if (w->lanes[i] != running) w->lanes[i]->state = READY, w->ready++;
  }
  g->arrived = 0;
}

static int same_site(const char *f, int l, const char *g, int m) { return l == m && (f == g || !strcmp(f, g)); }

static u64 meet(int kind, unsigned mask, u64 value, unsigned argument, const char *file, int line) {
  warp *w = running->warp;
  unsigned lane = running->known.lane, me = 1u << lane;
  if (--state.countdown == 0) pause_now();
  mask &= w->exist;
  if (!(mask & me)) fail("%s (%s:%d): its lane %u is not in the mask %08x", names[kind], file, line, lane, mask);
  if (mask & w->ended) fail("%s (%s:%d) waits for lanes %08x, which have ended", names[kind], file, line, mask & w->ended);
  group *mine = 0, *empty = 0;
  for (int i = 0; i < GROUPS; i++) {
    group *g = w->groups + i;
    if (!g->arrived) {
      if (!empty) empty = g;
    } else if (g->mask & mask) {
      if (g->mask != mask || g->kind != kind || !same_site(g->file, g->line, file, line))
        fail("lane %u is in %s (%s:%d, mask %08x), lanes %08x are in %s (%s:%d, mask %08x)", lane, names[kind], file, line, mask, g->arrived, names[g->kind],
             g->file, g->line, g->mask);
      mine = g;
      break; // no two of them have a lane in common
    }
  }
  if (!mine) {
    if (!empty) fail("its warp has more than %d groups under way", GROUPS);
    mine = empty;
    mine->kind = kind, mine->mask = mask, mine->file = file, mine->line = line;
  }
  mine->arrived |= me;
  w->value[lane] = value;
  w->argument[lane] = argument;
  if (mine->arrived == mask) {
    finish(w, mine);
    spins = 0;
  } else {
    rest(AT_WARP);
  }
  return w->result[lane];
}

static void barrier(const char *file, int line) {
  block *b = running->warp->block;
  if (--state.countdown == 0) pause_now();
  if (b->ended) fail("__syncthreads (%s:%d): %u threads of its block have ended", file, line, b->ended);
  if (b->waiting && !same_site(b->file, b->line, file, line))
    fail("it is in __syncthreads at %s:%d, %u others of its block are at %s:%d", file, line, b->waiting, b->file, b->line);
  b->file = file, b->line = line;
  if (++b->waiting < b->size) {
    rest(AT_BLOCK);
    return;
  }
  b->waiting = 0;
  spins = 0;
  for (unsigned i = 0; i < b->size; i++)
    if (b->fibres + i != running) wake(b->fibres + i);
  if (draw(2)) pause_now();
}

static u64 now(void) { return clock_now; }

static void *carve(block *b, size_t bytes) {
  size_t at = (b->used + 15) & ~(size_t)15;
  if (at + bytes > ARENA) fail("a block has more than %d bytes of shared memory", ARENA);
  b->used = at + bytes;
  return b->arena + at;
}

static void *shared(unsigned number, unsigned long bytes) {
  block *b = running->warp->block;
  if (number >= SLOTS) fail("there are more than %d shared variables", SLOTS);
  if (!b->slots[number]) b->slots[number] = carve(b, bytes);
  return b->slots[number];
}

static void *dynamic(void) {
  block *b = running->warp->block;
  if (!b->slots[SLOTS - 1]) b->slots[SLOTS - 1] = carve(b, dynamic_bytes);
  return b->slots[SLOTS - 1];
}

static void trap(const char *what, const char *file, int line) { fail("%s at %s:%d", what, file, line); }

emu_state *emu_runtime(void) {
  state.meet = meet, state.barrier = barrier, state.pause = pause_now, state.spin = spin;
  state.time = now, state.shared = shared, state.dynamic = dynamic, state.trap = trap;
  return &state;
}

// ---- Faults --------------------------------------------------------------------

static _Thread_local int inside;
static struct sigaction before[2];
static const int signals[2] = {SIGSEGV, SIGFPE};
static void *volatile fault_at;

static void faulted(void) {
  if (fault_at) fail("it touches memory at %p, where no buffer is", fault_at);
  fail("it divides by zero");
}

static void caught(int number, siginfo_t *info, void *context) {
  struct sigaction *old = before + (number == signals[1]);
  if (inside) { // go on in faulted, on the fibre's stack
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    fault_at = number == SIGSEGV ? info->si_addr : 0;
    if (number == SIGSEGV && !fault_at) fault_at = (void *)1;
    r[REG_RSP] = ((r[REG_RSP] - 256) & ~15ll) - 8;
    r[REG_RIP] = (greg_t)faulted;
    return;
  }
  if (old->sa_flags & SA_SIGINFO) old->sa_sigaction(number, info, context);
}

static void guard(int on) {
  struct sigaction a;
  memset(&a, 0, sizeof a);
  a.sa_sigaction = caught;
  a.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigfillset(&a.sa_mask);
  for (int i = 0; i < 2; i++) sigaction(signals[i], on ? &a : before + i, on ? before + i : NULL);
  inside = on;
}

// ---- Launches ------------------------------------------------------------------

// begin puts a block of the grid into a place.
static void begin(block *b, unsigned number, unsigned threads) {
  b->number = number, b->size = threads;
  b->waiting = b->ended = 0;
  b->used = 0;
  memset(b->slots, 0, sizeof b->slots);
  memset(b->arena, 0xa0 + (int)draw(16), 4096);
  for (unsigned i = 0; i < (threads + LANES - 1) / LANES; i++) {
    warp *w = b->warps + i;
    w->block = b, w->exist = w->ended = w->ready = 0, w->listed = 0;
    for (int g = 0; g < GROUPS; g++) w->groups[g].arrived = 0;
    for (unsigned l = 0; l < LANES && i * LANES + l < threads; l++) {
      fibre *f = b->fibres + i * LANES + l;
      f->known.thread.x = i * LANES + l, f->known.block.x = number, f->known.lane = l;
      f->warp = w;
      w->lanes[l] = f;
      w->exist |= 1u << l;
      start(f);
      wake(f);
    }
  }
}

// turn lets a warp run: each lane to its next meeting, and so on for a while.
static void turn(warp *w) {
  unsigned budget = 1 + draw(8);
  leave = 0;
  clock_now += clock_step;
  do {
    unsigned from = draw(LANES), back = draw(2) ? LANES - 1 : 0;
    for (unsigned i = 0; i < LANES && !leave && !failed; i++) {
      unsigned l = (from + i) % LANES ^ back;
      if (!(w->exist >> l & 1) || w->lanes[l]->state != READY) continue;
      running = w->lanes[l];
      state.current = &running->known;
      emu_switch(&scheduler, running->sp);
    }
  } while (!leave && !failed && w->ready && --budget);
}

static void stuck(void) {
  int n = snprintf(message, message_size, "kernel %s hangs:", kernel), told = 0;
  for (unsigned p = 0; p < place_count; p++) {
    block *b = places + p;
    if (!b->size || b->ended == b->size) continue;
    for (unsigned i = 0; i < b->size && told < 4; i++) {
      fibre *f = b->fibres + i;
      if (f->state != AT_WARP && f->state != AT_BLOCK || f->known.lane && b->fibres[i - 1].state == f->state) continue;
      const char *what = "__syncthreads", *file = b->file;
      int line = b->line;
      for (int g = 0; g < GROUPS && f->state == AT_WARP; g++) {
        group *x = f->warp->groups + g;
        if (x->arrived >> f->known.lane & 1) what = names[x->kind], file = x->file, line = x->line;
      }
      n += snprintf(message + n, message_size - n, " block %u, thread %u waits in %s (%s:%d);", b->number, i, what, file, line);
      if (n >= (int)message_size) return;
      told++;
    }
  }
  failed = EMU_WRONG;
}

static void *grown(void *old, size_t size) {
  void *p = realloc(old, size);
  if (!p) abort();
  return p;
}

// stacks makes some, in huge pages if it can: a launch uses one after another, and would
// need more pages than a processor keeps the places of, if each had its own.
static char *stacks(unsigned count) {
  size_t size = (size_t)count * STACK;
  char *all = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) abort();
  madvise(all, size, MADV_HUGEPAGE);
  return all;
}

// room makes places for so many blocks of so many threads.
static void room(unsigned blocks, unsigned threads) {
  unsigned per = (threads + LANES - 1) / LANES;
  static unsigned block_room, warp_room;
  if (blocks > block_room) {
    places = grown(places, blocks * sizeof *places);
    arenas = grown(arenas, (size_t)blocks * ARENA);
    block_room = blocks;
  }
  if (blocks * per > warp_room) {
    warp_room = blocks * per;
    warps = grown(warps, warp_room * sizeof *warps);
    list = grown(list, warp_room * sizeof *list);
  }
  if (blocks * per * LANES > fibre_count) {
    unsigned more = blocks * per * LANES;
    fibres = grown(fibres, more * sizeof *fibres);
    memset(fibres + fibre_count, 0, (more - fibre_count) * sizeof *fibres);
    char *stack = stacks(more - fibre_count);
    for (; fibre_count < more; fibre_count++, stack += STACK) fibres[fibre_count].stack = stack;
  }
  place_count = blocks;
  for (unsigned i = 0; i < blocks; i++) {
    memset(places + i, 0, sizeof *places);
    places[i].warps = warps + i * per;
    places[i].fibres = fibres + i * per * LANES;
    places[i].arena = arenas + (size_t)i * ARENA;
  }
}

int emu_launch(const emu_entry *e, const char *name, emu_shape s, void **arguments, u64 seed, char *text, size_t size) {
  random_state = seed;
  for (int i = 0; i < 4; i++) draw(0);
  unsigned most = s.cooperative ? s.blocks : 1 + draw(4);
  if (most > s.blocks) most = s.blocks;
  room(most, s.threads);
  body = e->call, body_arguments = arguments, kernel = name, dynamic_bytes = s.shared;
  message = text, message_size = size, *text = 0;
  state.threads = (emu_index){s.threads, 1, 1};
  state.blocks = (emu_index){s.blocks, 1, 1};
  clock_step = draw(16) ? 5000 : 1000000; // nanoseconds; sometimes time is up soon
  listed = 0, spins = 0, failed = 0;
  draw_countdown();
  unsigned next = 0;
  guard(1);
  while (next < most) begin(places + next, next, s.threads), next++;
  for (unsigned left = s.blocks; left && !failed;) {
    if (!listed) {
      stuck();
      break;
    }
    unsigned i = draw(listed);
    warp *w = list[i];
    turn(w);
    if (failed || w->ready) continue;
    list[i] = list[--listed];
    w->listed = 0;
    if (w->block->ended < w->block->size) continue;
    left--;
    if (next < s.blocks) begin(w->block, next++, s.threads);
  }
  guard(0);
  return failed;
}
