// CUDA graphs whose nodes follow one another.
#ifndef GOPREGEL_GRAPH_H
#define GOPREGEL_GRAPH_H

#include "native.h"

// What a launch takes.
typedef struct {
  CUfunction f;
  unsigned blocks, threads, shared;
  void **arguments;
  int cooperative;
} pregel_start;

// Each adds a node behind *last, where that is not NULL, and leaves it there.
CUresult pregel_graph_kernel(CUgraph graph, CUgraphNode *last, pregel_start s);
CUresult pregel_graph_event(CUgraph graph, CUgraphNode *last, CUevent e);

// Gives a kernel other arguments.
CUresult pregel_graph_arguments(CUgraphExec exec, CUgraphNode node, pregel_start s);

#endif
