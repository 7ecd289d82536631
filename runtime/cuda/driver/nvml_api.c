//go:build cuda && cgo

#include "nvml_api.h"
#include <dlfcn.h>
#include <stddef.h>

const char *pregel_nvml_open(pregel_nvml *n, const char *path) {
  struct { const char *name; void **to; } symbols[] = {
      {"nvmlInit_v2", (void **)&n->init},
      {"nvmlShutdown", (void **)&n->shutdown},
      {"nvmlDeviceGetHandleByPciBusId_v2", (void **)&n->find},
      {"nvmlDeviceGetTotalEnergyConsumption", (void **)&n->energy},
      {"nvmlErrorString", (void **)&n->error},
  };
  n->device = NULL;
  n->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (n->library == NULL) return dlerror();
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
    *symbols[i].to = dlsym(n->library, symbols[i].name);
    if (*symbols[i].to == NULL) return dlerror();
  }
  return NULL;
}

int pregel_nvml_init(pregel_nvml *n) { return n->init(); }
int pregel_nvml_find(pregel_nvml *n, const char *bus) { return n->find(bus, &n->device); }
int pregel_nvml_energy(pregel_nvml *n, unsigned long long *millijoules) { return n->energy(n->device, millijoules); }
const char *pregel_nvml_error(pregel_nvml *n, int result) { return n->error(result); }
void pregel_nvml_close(pregel_nvml *n) { n->shutdown(); }
