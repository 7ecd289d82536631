//go:build (cuda || emulate) && cgo

#include "owner.h"

static _Thread_local uintptr_t owned;

uintptr_t pregel_owned(void) { return owned; }
void pregel_own(uintptr_t device) { owned = device; }
