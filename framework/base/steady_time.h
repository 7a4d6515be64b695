// SteadyNowNs: the time of std::chrono::steady_clock, in nanoseconds.
//
// Thread rule: a free function, any thread.

#ifndef SYNCLINE_FRAMEWORK_BASE_STEADY_TIME_H_
#define SYNCLINE_FRAMEWORK_BASE_STEADY_TIME_H_

#include <chrono>
#include <cstdint>

namespace syncline {

inline std::int64_t SteadyNowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_STEADY_TIME_H_
