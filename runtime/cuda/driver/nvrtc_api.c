//go:build cuda && cgo

#include "nvrtc_api.h"
#include <dlfcn.h>
#include <stdlib.h>

const char *pregel_nvrtc_open(pregel_nvrtc *n, const char *path) {
  struct { const char *name; void **to; } symbols[] = {
      {"nvrtcVersion", (void **)&n->version},
      {"nvrtcGetNumSupportedArchs", (void **)&n->archCount},
      {"nvrtcGetSupportedArchs", (void **)&n->archs},
      {"nvrtcCreateProgram", (void **)&n->create},
      {"nvrtcCompileProgram", (void **)&n->compile},
      {"nvrtcGetProgramLogSize", (void **)&n->logSize},
      {"nvrtcGetProgramLog", (void **)&n->log},
      {"nvrtcGetCUBINSize", (void **)&n->cubinSize},
      {"nvrtcGetCUBIN", (void **)&n->cubin},
      {"nvrtcGetPTXSize", (void **)&n->ptxSize},
      {"nvrtcGetPTX", (void **)&n->ptx},
      {"nvrtcDestroyProgram", (void **)&n->destroy},
      {"nvrtcGetErrorString", (void **)&n->error},
  };
  n->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (n->library == NULL) return dlerror();
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
    *symbols[i].to = dlsym(n->library, symbols[i].name);
    if (*symbols[i].to == NULL) return dlerror();
  }
  return NULL;
}

int pregel_nvrtc_version(pregel_nvrtc *n, int *major, int *minor) { return n->version(major, minor); }
int pregel_nvrtc_arch_count(pregel_nvrtc *n, int *count) { return n->archCount(count); }
int pregel_nvrtc_archs(pregel_nvrtc *n, int *list) { return n->archs(list); }
int pregel_nvrtc_create(pregel_nvrtc *n, void **program, const char *source, const char *name) {
  return n->create(program, source, name, 0, NULL, NULL);
}
int pregel_nvrtc_compile(pregel_nvrtc *n, void *program, int count, char **options) {
  return n->compile(program, count, (const char *const *)options);
}
int pregel_nvrtc_log_size(pregel_nvrtc *n, void *program, size_t *size) { return n->logSize(program, size); }
int pregel_nvrtc_log(pregel_nvrtc *n, void *program, char *to) { return n->log(program, to); }
int pregel_nvrtc_image_size(pregel_nvrtc *n, void *program, int ptx, size_t *size) {
  return ptx ? n->ptxSize(program, size) : n->cubinSize(program, size);
}
int pregel_nvrtc_image(pregel_nvrtc *n, void *program, int ptx, char *to) {
  return ptx ? n->ptx(program, to) : n->cubin(program, to);
}
int pregel_nvrtc_destroy(pregel_nvrtc *n, void **program) { return n->destroy(program); }
const char *pregel_nvrtc_error(pregel_nvrtc *n, int result) { return n->error(result); }
