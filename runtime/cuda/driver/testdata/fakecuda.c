// A driver's library that has no device: what Sequences ask of one is done at once, by the
// host, with the kernels that they launch. It ends the process where CUDA says nothing of
// what would happen: a graph that is used after an event or a module that it names is gone,
// memory that is touched after it was freed, nodes that do not follow one another.
//
// Loaded in front of the real one (LD_PRELOAD) by TestSequencesOnFake. FAKE_FAIL=n: the
// n-th change of a graph's arguments fails.
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#undef cuInit

#define DONE return CUDA_SUCCESS
#define WRONG(...) (fprintf(stderr, "fakecuda: " __VA_ARGS__), fputc('\n', stderr), abort())

CUresult cuInit(unsigned flags) { DONE; }
CUresult cuDriverGetVersion(int *v) { *v = CUDA_VERSION; DONE; }
CUresult cuDeviceGetCount(int *n) { *n = 1; DONE; }
CUresult cuDeviceGet(CUdevice *d, int i) { *d = i; DONE; }
CUresult cuDeviceGetName(char *name, int n, CUdevice d) { snprintf(name, n, "fake"); DONE; }
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice d) { *bytes = 1ul << 30; DONE; }
CUresult cuDeviceGetAttribute(int *x, CUdevice_attribute a, CUdevice d) {
  *x = a == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9 : a == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? 0 : 4;
  DONE;
}
CUresult cuCtxCreate(CUcontext *c, unsigned flags, CUdevice d) { *c = malloc(1); DONE; }
CUresult cuCtxDestroy(CUcontext c) { free(c); DONE; }
CUresult cuCtxSetCurrent(CUcontext c) { DONE; }
CUresult cuStreamCreate(CUstream *s, unsigned flags) { *s = malloc(1); DONE; }
CUresult cuStreamDestroy(CUstream s) { free(s); DONE; }
CUresult cuStreamSynchronize(CUstream s) { DONE; }
CUresult cuGetErrorName(CUresult r, const char **s) { *s = "FAKE"; DONE; }
CUresult cuGetErrorString(CUresult r, const char **s) { *s = "fake"; DONE; }

// Memory. What is freed stays reserved until as many bytes are asked for again.
typedef struct block { struct block *next; size_t bytes; int live; char data[]; } block;
static block *blocks;

static void *memory(size_t bytes) {
  block *b = blocks;
  while (b && (b->live || b->bytes != bytes)) b = b->next;
  if (!b) b = malloc(sizeof *b + bytes), b->next = blocks, b->bytes = bytes, blocks = b;
  b->live = 1;
  return memset(b->data, 0xa5, bytes);
}
static block *holds(const void *p, size_t bytes) {
  for (block *b = blocks; b; b = b->next)
    if ((char *)p >= b->data && (char *)p + bytes <= b->data + b->bytes) return b->live ? b : NULL;
  return NULL;
}
static void *touch(CUdeviceptr p, size_t bytes) {
  if (!holds((void *)p, bytes)) WRONG("%zu bytes at %llx are nobody's", bytes, (unsigned long long)p);
  return (void *)p;
}
static CUresult release(const void *p) {
  block *b = holds(p, 0);
  if (!b) return CUDA_ERROR_INVALID_VALUE;
  b->live = 0;
  DONE;
}
CUresult cuMemAlloc(CUdeviceptr *p, size_t bytes) { *p = (CUdeviceptr)memory(bytes); DONE; }
CUresult cuMemFree(CUdeviceptr p) { return release((void *)p); }
CUresult cuMemHostAlloc(void **p, size_t bytes, unsigned flags) { *p = memory(bytes); DONE; }
CUresult cuMemFreeHost(void *p) { return release(p); }
CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char x, size_t n, CUstream s) { memset(touch(p, n), x, n); DONE; }
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t n, CUstream s) { memcpy(touch(to, n), from, n); DONE; }
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t n, CUstream s) { memcpy(to, touch(from, n), n); DONE; }
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s) { memcpy(touch(to, n), touch(from, n), n); DONE; }

// Modules and kernels.
typedef struct { int live; } module;
typedef struct { module *of; const char *name; int parameters, size[6]; } kernel;
static const kernel known[] = {{0, "add", 6, {8, 4, 8, 4, 8, 16}}, {0, "meet", 2, {8, 8}}, {0, "null", 1, {8}}, {0, "reverse", 1, {8}}};

CUresult cuModuleLoadData(CUmodule *m, const void *image) { *m = calloc(1, sizeof(module)), ((module *)*m)->live = 1; DONE; }
CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name) {
  for (int i = 0; i < 4; i++)
    if (!strcmp(name, known[i].name)) {
      kernel *k = malloc(sizeof *k);
      *k = known[i], k->of = (module *)m, *f = (CUfunction)k;
      DONE;
    }
  return CUDA_ERROR_NOT_FOUND;
}
CUresult cuFuncGetAttribute(int *x, CUfunction_attribute a, CUfunction f) { *x = 1; DONE; }
CUresult cuFuncGetParamInfo(CUfunction f, size_t i, size_t *offset, size_t *size) {
  kernel *k = (kernel *)f;
  if (i >= k->parameters) return CUDA_ERROR_INVALID_VALUE;
  *size = k->size[i];
  DONE;
}
static CUresult run(const kernel *k, unsigned blocks, unsigned threads, void **a, int cooperative) {
  if (!k->of->live) WRONG("%s of a module that was unloaded is launched", k->name);
  if (threads > 1024) return CUDA_ERROR_INVALID_VALUE;
  if (!strcmp(k->name, "add")) {
    unsigned n = *(unsigned *)a[1], *to = touch(*(CUdeviceptr *)a[0], 4ul * n);
    for (unsigned i = 0; i < n; i++) to[i] += *(unsigned long *)a[2];
  } else if (!strcmp(k->name, "meet")) {
    if (!cooperative) WRONG("meet is launched, and not its blocks together");
    unsigned *count = touch(*(CUdeviceptr *)a[0], 4), *seen = touch(*(CUdeviceptr *)a[1], 4ul * blocks);
    *count += blocks;
    for (unsigned i = 0; i < blocks; i++) seen[i] = *count;
  } else {
    unsigned *to = touch(*(CUdeviceptr *)a[0], 4ul * threads);
    if (!strcmp(k->name, "null")) *to = 1;
    else
      for (unsigned i = 0, x; i < threads / 2; i++) x = to[i], to[i] = to[threads - 1 - i], to[threads - 1 - i] = x;
  }
  DONE;
}
CUresult cuLaunchKernel(CUfunction f, unsigned x, unsigned y, unsigned z, unsigned tx, unsigned ty, unsigned tz, unsigned shared, CUstream s, void **a, void **extra) {
  return run((kernel *)f, x, tx, a, 0);
}
CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned x, unsigned y, unsigned z, unsigned tx, unsigned ty, unsigned tz, unsigned shared, CUstream s, void **a) {
  return run((kernel *)f, x, tx, a, 1);
}

// Graphs: the nodes of all that have not been destroyed, in a list.
typedef struct node { struct node *next; void *graph; kernel *k; CUDA_KERNEL_NODE_PARAMS p; char values[6][16]; int cooperative; CUevent e; } node;
static node *nodes;

static node *add(CUgraph g, CUgraphNode *out, const CUgraphNode *before, size_t n) {
  node **end = &nodes, *last = NULL;
  for (; *end; end = &(*end)->next)
    if ((*end)->graph == g) last = *end;
  if ((n ? (node *)before[0] : NULL) != last) WRONG("a node that does not follow the last");
  *out = (CUgraphNode)(*end = calloc(1, sizeof(node)));
  (*end)->graph = g;
  return *end;
}
static void keep(node *n, const CUDA_KERNEL_NODE_PARAMS *p) {
  n->p = *p, n->k = (kernel *)p->func;
  for (int i = 0; i < n->k->parameters; i++) memcpy(n->values[i], p->kernelParams[i], n->k->size[i]);
}
CUresult cuGraphCreate(CUgraph *g, unsigned flags) { *g = malloc(1); DONE; }
CUresult cuGraphDestroy(CUgraph g) {
  for (node **n = &nodes; *n;) {
    node *x = *n;
    if (x->graph == g) *n = x->next, free(x);
    else n = &x->next;
  }
  free(g);
  DONE;
}
CUresult cuGraphAddKernelNode(CUgraphNode *out, CUgraph g, const CUgraphNode *before, size_t n, const CUDA_KERNEL_NODE_PARAMS *p) {
  keep(add(g, out, before, n), p);
  DONE;
}
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode n, CUkernelNodeAttrID a, const CUkernelNodeAttrValue *x) {
  if (a == CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE) ((node *)n)->cooperative = x->cooperative;
  DONE;
}
CUresult cuGraphAddEventRecordNode(CUgraphNode *out, CUgraph g, const CUgraphNode *before, size_t n, CUevent e) {
  add(g, out, before, n)->e = e;
  DONE;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec *e, CUgraph g, unsigned long long flags) { *e = (CUgraphExec)g; DONE; }
CUresult cuGraphUpload(CUgraphExec e, CUstream s) { DONE; }
CUresult cuGraphExecDestroy(CUgraphExec e) { DONE; }
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec e, CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS *p) {
  static int asked;
  const char *fail = getenv("FAKE_FAIL");
  if (fail && ++asked == atoi(fail)) return CUDA_ERROR_INVALID_VALUE;
  keep((node *)n, p);
  DONE;
}

// Events.
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}
CUresult cuEventCreate(CUevent *e, unsigned flags) { *e = calloc(1, sizeof(double)); DONE; }
CUresult cuEventRecord(CUevent e, CUstream s) { *(double *)e = now(); DONE; }
CUresult cuEventSynchronize(CUevent e) { DONE; }
CUresult cuEventQuery(CUevent e) { DONE; }
CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to) { *ms = *(double *)to - *(double *)from + 1e-5; DONE; }
CUresult cuEventDestroy(CUevent e) {
  for (node *n = nodes; n; n = n->next)
    if (n->e == e) WRONG("an event is destroyed that a graph names");
  free(e);
  DONE;
}
CUresult cuModuleUnload(CUmodule m) {
  for (node *n = nodes; n; n = n->next)
    if (n->k && n->k->of == (module *)m) WRONG("a module is unloaded that a graph names");
  ((module *)m)->live = 0;
  DONE;
}
CUresult cuGraphLaunch(CUgraphExec e, CUstream s) {
  for (node *n = nodes; n; n = n->next) {
    if (n->graph != e) continue;
    void *a[6];
    for (int i = 0; i < 6; i++) a[i] = n->values[i];
    CUresult result = n->e ? cuEventRecord(n->e, s) : run(n->k, n->p.gridDimX, n->p.blockDimX, a, n->cooperative);
    if (result != CUDA_SUCCESS) return result;
  }
  DONE;
}
