// The cores of this machine.
//
// Thread rule: free functions.
// Tested by cpu_util_test.

#ifndef SYNCLINE_UTIL_CPU_UTIL_H_
#define SYNCLINE_UTIL_CPU_UTIL_H_

#include <set>

namespace syncline {

// How many there are; at least 1.
int NumCPUCores();

// The slow ones and the fast ones. Empty where they do not differ, or the
// kernel does not say.
std::set<int> InferLowerCoreIds();
std::set<int> InferHigherCoreIds();

}  // namespace syncline

#endif  // SYNCLINE_UTIL_CPU_UTIL_H_
