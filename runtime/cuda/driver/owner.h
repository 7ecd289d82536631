#ifndef GOPREGEL_OWNER_H
#define GOPREGEL_OWNER_H

#include <stdint.h>

// The device whose context the calling thread owns; 0 when it owns none.
uintptr_t pregel_owned(void);
void pregel_own(uintptr_t device);

#endif
