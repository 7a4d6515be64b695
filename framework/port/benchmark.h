// Google Benchmark.

#ifndef SYNCLINE_FRAMEWORK_PORT_BENCHMARK_H_
#define SYNCLINE_FRAMEWORK_PORT_BENCHMARK_H_

#include "benchmark/benchmark.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_BENCHMARK_H_
