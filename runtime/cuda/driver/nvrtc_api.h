// NVRTC, CUDA's compiler, found at run time: one binary runs with whichever
// version a host has, or with none.
#ifndef GOPREGEL_NVRTC_API_H
#define GOPREGEL_NVRTC_API_H

#include <stddef.h>

// The signatures are the same from CUDA 11.2 on.
typedef struct {
  void *library;
  int (*version)(int *major, int *minor);
  int (*archCount)(int *n);
  int (*archs)(int *list);
  int (*create)(void **program, const char *source, const char *name, int headers, const char *const *texts, const char *const *names);
  int (*compile)(void *program, int n, const char *const *options);
  int (*logSize)(void *program, size_t *n);
  int (*log)(void *program, char *to);
  int (*cubinSize)(void *program, size_t *n);
  int (*cubin)(void *program, char *to);
  int (*ptxSize)(void *program, size_t *n);
  int (*ptx)(void *program, char *to);
  int (*destroy)(void **program);
  const char *(*error)(int result);
} pregel_nvrtc;

// Opens the library at path. Returns NULL, or what failed: text of the dynamic
// loader, valid until its next call in this thread.
const char *pregel_nvrtc_open(pregel_nvrtc *n, const char *path);

int pregel_nvrtc_version(pregel_nvrtc *n, int *major, int *minor);
int pregel_nvrtc_arch_count(pregel_nvrtc *n, int *count);
int pregel_nvrtc_archs(pregel_nvrtc *n, int *list);
int pregel_nvrtc_create(pregel_nvrtc *n, void **program, const char *source, const char *name);
int pregel_nvrtc_compile(pregel_nvrtc *n, void *program, int count, char **options);
int pregel_nvrtc_log_size(pregel_nvrtc *n, void *program, size_t *size);
int pregel_nvrtc_log(pregel_nvrtc *n, void *program, char *to);
int pregel_nvrtc_image_size(pregel_nvrtc *n, void *program, int ptx, size_t *size);
int pregel_nvrtc_image(pregel_nvrtc *n, void *program, int ptx, char *to);
int pregel_nvrtc_destroy(pregel_nvrtc *n, void **program);
const char *pregel_nvrtc_error(pregel_nvrtc *n, int result);

#endif
