// The cores of this machine.
//
// Thread rule: free functions.
// Tested by cpu_util_test.

#ifndef SYNCLINE_UTIL_CPU_UTIL_H_
#define SYNCLINE_UTIL_CPU_UTIL_H_

#include <set>

namespace syncline {

// The number of cores; at least 1.
int NumCPUCores();

// The slow cores and the fast ones. Empty if they do not differ, or if the
// kernel does not say.
std::set<int> InferLowerCoreIds();
std::set<int> InferHigherCoreIds();

}  // namespace syncline

#endif  // SYNCLINE_UTIL_CPU_UTIL_H_
