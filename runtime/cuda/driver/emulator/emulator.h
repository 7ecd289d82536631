// What modules and the emulator know of each other, C and C++ alike.
#ifndef GOPREGEL_EMULATOR_H
#define GOPREGEL_EMULATOR_H

typedef struct { unsigned x, y, z; } emu_index;

typedef struct {
  emu_index thread, block;
  unsigned lane;
} emu_thread;

enum {
  EMU_SHFL, EMU_UP, EMU_DOWN, EMU_XOR, EMU_BALLOT, EMU_ANY, EMU_ALL, EMU_WARP,
  EMU_OR, EMU_AND, EMU_REDUCE_XOR, EMU_ADD, EMU_MIN, EMU_MAX, EMU_IMIN, EMU_IMAX,
  EMU_KINDS
};

enum { EMU_ANY_SLOT = 254 }; // the shared variable of __syncthreads_or

typedef struct {
  emu_thread *current;
  emu_index threads, blocks;
  unsigned countdown; // to the next pause
  unsigned long long (*meet)(int kind, unsigned mask, unsigned long long value, unsigned argument, const char *file, int line);
  void (*barrier)(const char *file, int line);
  void (*pause)(void);
  void (*spin)(void);
  unsigned long long (*time)(void);
  void *(*shared)(unsigned number, unsigned long bytes);
  void *(*dynamic)(void);
  void (*trap)(const char *what, const char *file, int line);
} emu_state;

typedef struct {
  void (*call)(void **arguments);
  unsigned bound; // threads of a block, 0: any
  unsigned count; // parameters
  unsigned bytes[64];
} emu_entry;

#endif
