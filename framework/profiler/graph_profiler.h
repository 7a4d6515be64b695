// The profiler of a graph, at MediaPipe's path: see
// framework/trace/profiling_context.h.

#ifndef SYNCLINE_FRAMEWORK_PROFILER_GRAPH_PROFILER_H_
#define SYNCLINE_FRAMEWORK_PROFILER_GRAPH_PROFILER_H_

#include "framework/trace/profiling_context.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PROFILER_GRAPH_PROFILER_H_
