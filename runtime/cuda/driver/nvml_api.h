// NVML, which knows what energy a device has used, found at run time: a host
// may have none. go-nvml is not used, since its link flags let any undefined
// symbol of the binary pass.
#ifndef GOPREGEL_NVML_API_H
#define GOPREGEL_NVML_API_H

typedef struct {
  void *library;
  void *device; // nvmlDevice_t
  int (*init)(void);
  int (*shutdown)(void);
  int (*find)(const char *bus, void **device);
  int (*energy)(void *device, unsigned long long *millijoules);
  const char *(*error)(int result);
} pregel_nvml;

// Opens the library at path. Returns NULL, or what failed: text of the dynamic
// loader, valid until its next call in this thread.
const char *pregel_nvml_open(pregel_nvml *n, const char *path);

int pregel_nvml_init(pregel_nvml *n);
int pregel_nvml_find(pregel_nvml *n, const char *bus);
int pregel_nvml_energy(pregel_nvml *n, unsigned long long *millijoules);
const char *pregel_nvml_error(pregel_nvml *n, int result);
void pregel_nvml_close(pregel_nvml *n);

#endif
