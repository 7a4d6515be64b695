// TraceTicks: the time of events, by the fastest clock that the machine has.
//
// Where the processor counts at a constant rate, also while it sleeps, a tick
// is one of its counts, which takes some nanoseconds to read. Elsewhere it is
// a nanosecond of CLOCK_MONOTONIC. What a tick is in nanoseconds follows from
// two clock points (trace.h).
//
// Thread rule: free functions, any thread.
// Tested by trace_recorder_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_TRACE_TICKS_H_
#define SYNCLINE_FRAMEWORK_TRACE_TRACE_TICKS_H_

#include <cstdint>

#include "framework/base/steady_time.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace syncline {

#if defined(__x86_64__)
// Whether the counter of the processor is constant: "invariant TSC".
inline bool HasConstantCounter() {
  static const bool has = [] {
    unsigned int eax = 0, ebx = 0, ecx = 0, edx = 0;
    constexpr unsigned int kPowerLeaf = 0x80000007;
    constexpr unsigned int kInvariant = 1u << 8;
    return __get_cpuid(kPowerLeaf, &eax, &ebx, &ecx, &edx) != 0 &&
           (edx & kInvariant) != 0;
  }();
  return has;
}
// REQUIRES: HasConstantCounter().
inline std::uint64_t CounterTicks() { return __rdtsc(); }
#else
inline bool HasConstantCounter() { return false; }
inline std::uint64_t CounterTicks() { return 0; }
#endif

inline std::uint64_t SteadyTicks() {
  return static_cast<std::uint64_t>(SteadyNowNs());
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_TRACE_TICKS_H_
