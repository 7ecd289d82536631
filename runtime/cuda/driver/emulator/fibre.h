// Threads as fibres, and all that is known of a launch under way. For emulator.c
// alone.
#ifndef GOPREGEL_EMULATOR_FIBRE_H
#define GOPREGEL_EMULATOR_FIBRE_H

#include "launch.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 32, GROUPS = 4, SLOTS = 256 };
enum { STACK = (32 << 10) + 9 * 64, ARENA = 256 << 10 }; // tops of stacks that differ in their places in caches
enum { READY, AT_WARP, AT_BLOCK, DONE };

typedef unsigned long long u64;
typedef struct warp warp;
typedef struct block block;

typedef struct {
  emu_thread known; // to the module: first
  void *sp;
  char *stack;
  warp *warp;
  int state;
} fibre;

// Lanes that wait for others of their mask in a collective.
typedef struct {
  int kind, line;
  unsigned mask, arrived;
  const char *file;
} group;

struct warp {
  fibre *lanes[LANES];
  block *block;
  unsigned exist, ended; // lanes
  unsigned ready;        // number of lanes
  int listed;
  group groups[GROUPS];
  u64 value[LANES], result[LANES];
  unsigned argument[LANES];
};

struct block {
  unsigned number, size, waiting, ended;
  const char *file; // of the barrier
  int line;
  warp *warps;
  fibre *fibres;
  char *arena;
  size_t used;
  void *slots[SLOTS];
};

static emu_state state;
static fibre *running;
static warp **list; // may run
static unsigned listed;
static block *places; // blocks under way
static char *arenas;
static unsigned place_count, fibre_count;
static fibre *fibres;
static warp *warps;
static void *scheduler;
static void (*body)(void **);
static void **body_arguments;
static const char *kernel;
static size_t dynamic_bytes;
static u64 random_state, clock_now, clock_step, spins;
static int leave, failed;
static char *message;
static size_t message_size;

static const char *const names[EMU_KINDS] = {
  "__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync", "__ballot_sync", "__any_sync", "__all_sync", "__syncwarp",
  "__reduce_or_sync", "__reduce_and_sync", "__reduce_xor_sync", "__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync", "__reduce_min_sync", "__reduce_max_sync"};

static unsigned draw(unsigned below) {
  random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
  u64 x = random_state >> 33;
  return below ? (unsigned)(x % below) : (unsigned)x;
}

// ---- Fibres ------------------------------------------------------------------

#if defined(__x86_64__)
// emu_switch goes on where the fibre of a stack was left. It is part of its caller, and
// jumps: a processor foretells where a function of its own would return to by who has
// called it, and lanes that meet do so from the same place.
static inline __attribute__((always_inline)) void emu_switch(void **from, void *to) {
  __asm__ volatile("lea -128(%%rsp),%%rsp\n" // what functions keep below their stack
                   "lea 1f(%%rip),%%rax\n"
                   "push %%rax\npush %%rbp\n"
                   "mov %%rsp,(%0)\nmov %1,%%rsp\n"
                   "pop %%rbp\npop %%rax\njmp *%%rax\n"
                   "1: lea 128(%%rsp),%%rsp\n"
                   : "+D"(from), "+S"(to)
                   :
                   : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
                     "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}
#else
#error "the emulator switches stacks on x86-64 alone"
#endif

static void suspend(void) { emu_switch(&running->sp, scheduler); }

static void fail(const char *format, ...) {
  int n = snprintf(message, message_size, "kernel %s, block %u, thread %u: ", kernel, running->known.block.x, running->known.thread.x);
  va_list list;
  va_start(list, format);
  vsnprintf(message + n, message_size - n, format, list);
  va_end(list);
  failed = EMU_WRONG;
  suspend();
}

static void wake(fibre *f) {
  warp *w = f->warp;
  f->state = READY;
  w->ready++;
  if (!w->listed) list[listed++] = w, w->listed = 1;
}

static void rest(int why) {
  running->state = why;
  running->warp->ready--;
  suspend();
}

static void entry(void) {
  body(body_arguments);
  warp *w = running->warp;
  block *b = w->block;
  unsigned me = 1u << running->known.lane;
  for (int i = 0; i < GROUPS; i++)
    if (w->groups[i].arrived && w->groups[i].mask & me)
      fail("it ends, lanes %08x of its warp wait for it in %s (%s:%d)", w->groups[i].arrived, names[w->groups[i].kind], w->groups[i].file, w->groups[i].line);
  if (b->waiting) fail("it ends, %u threads of its block wait for it in __syncthreads (%s:%d)", b->waiting, b->file, b->line);
  w->ended |= me;
  b->ended++;
  rest(DONE);
}

static void start(fibre *f) {
  uintptr_t *top = (uintptr_t *)(f->stack + STACK - 64);
  *--top = 0;
  *--top = (uintptr_t)entry;
  *--top = 0; // rbp
  f->sp = top;
}

#endif
