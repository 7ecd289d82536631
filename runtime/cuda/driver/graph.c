//go:build cuda && cgo

#include "graph.h"

static CUDA_KERNEL_NODE_PARAMS parameters(pregel_start s) {
  return (CUDA_KERNEL_NODE_PARAMS){.func = s.f, .gridDimX = s.blocks, .gridDimY = 1, .gridDimZ = 1, .blockDimX = s.threads, .blockDimY = 1, .blockDimZ = 1, .sharedMemBytes = s.shared, .kernelParams = s.arguments};
}

static size_t some(CUgraphNode last) { return last != NULL; }

CUresult pregel_graph_kernel(CUgraph graph, CUgraphNode *last, pregel_start s) {
  CUDA_KERNEL_NODE_PARAMS p = parameters(s);
  CUgraphNode before = *last;
  CUresult result = cuGraphAddKernelNode(last, graph, &before, some(before), &p);
  if (result != CUDA_SUCCESS || !s.cooperative) return result;
  CUkernelNodeAttrValue value = {.cooperative = 1};
  return cuGraphKernelNodeSetAttribute(*last, CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE, &value);
}

CUresult pregel_graph_event(CUgraph graph, CUgraphNode *last, CUevent e) {
  CUgraphNode before = *last;
  return cuGraphAddEventRecordNode(last, graph, &before, some(before), e);
}

CUresult pregel_graph_arguments(CUgraphExec exec, CUgraphNode node, pregel_start s) {
  CUDA_KERNEL_NODE_PARAMS p = parameters(s);
  return cuGraphExecKernelNodeSetParams(exec, node, &p);
}
