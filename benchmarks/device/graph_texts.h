// The graphs of the benchmark, as text.
//
// Thread rule: pure functions.
// Tested by device_benchmark_test.

#ifndef SYNCLINE_BENCHMARKS_DEVICE_GRAPH_TEXTS_H_
#define SYNCLINE_BENCHMARKS_DEVICE_GRAPH_TEXTS_H_

#include <string>

#include "benchmarks/device/workloads.h"

namespace syncline {

// From "host" to "arrived"; the side packet "rounds" is an int.
std::string TransferGraphText(const TransferWorkload& work);

// From "numbers" to the output of the last of its nodes k0, k1, ...; the side
// packet "work" is the workload. With streams of the application they are in
// the side packets "s0" and "s1".
std::string ChainGraphText(const ChainWorkload& work, bool has_given_streams);

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_DEVICE_GRAPH_TEXTS_H_
