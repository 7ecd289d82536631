// What Go calls.
#ifndef GOPREGEL_EMULATOR_LAUNCH_H
#define GOPREGEL_EMULATOR_LAUNCH_H

#include "emulator.h"
#include <stddef.h>

enum { EMU_FINE, EMU_WRONG };

typedef struct {
  unsigned blocks, threads, shared;
  int cooperative;
} emu_shape;

emu_state *emu_runtime(void);

// Runs a kernel to its end. What is wrong with it is written to text. One launch
// at a time.
int emu_launch(const emu_entry *e, const char *name, emu_shape s, void **arguments, unsigned long long seed, char *text, size_t size);

#endif
