// How much memory this process has resident. Tests use it to check that clients
// cannot make it grow.
//
// Thread rule: any thread.

#ifndef SYNCLINE_PAGES_SERVER_RESIDENT_MEMORY_H_
#define SYNCLINE_PAGES_SERVER_RESIDENT_MEMORY_H_

#include <cstdint>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace syncline {

// 0 under a sanitizer: these have memory of their own, and the number would say
// nothing.
inline std::int64_t ResidentKilobytes() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 0;
#endif
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    std::int64_t kilobytes = 0;
    if (word == "VmRSS:" && status >> kilobytes) return kilobytes;
  }
  ADD_FAILURE() << "no VmRSS";
  return 0;
}

}  // namespace syncline

#endif  // SYNCLINE_PAGES_SERVER_RESIDENT_MEMORY_H_
