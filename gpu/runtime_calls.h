// RuntimeCallCounts: how often this process has called the CUDA runtime, by
// what the calls do. For tests and benchmarks: a graph in steady state must not
// allocate, free, or wait for a device.
//
//   const RuntimeCallCounts before = CountRuntimeCalls();
//   ...
//   EXPECT_EQ((CountRuntimeCalls() - before)[RuntimeCall::kRecordEvent], 0);
//
// gpu/cuda/runtime_calls.h counts; in a build without CUDA all counts stay 0.
// Kernels launch by themselves: one launch that a form makes in two steps
// counts once.
//
// Thread rule: any thread. Counts of other threads may be seen a moment later.
// Tested by runtime_calls_test.

#ifndef SYNCLINE_GPU_RUNTIME_CALLS_H_
#define SYNCLINE_GPU_RUNTIME_CALLS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace syncline::gpu {

enum class RuntimeCall {
  kAllocate,       // memory, or a memory pool, from the device or the system
  kFree,           // both wait for all work of the device
  kAllocateAsync,  // from a memory pool, in the order of a stream
  kFreeAsync,
  kSynchronize,  // the host waits for an event, a stream or a device
  kMakeStream,
  kDropStream,
  kCopy,
  kFill,
  kLaunch,
  kCallHost,
  kMakeEvent,
  kDropEvent,
  kRecordEvent,
  kWaitForEvent,  // of a stream
  kAskEvent,      // whether it has ended, or its time
  kSelectDevice,  // which device the calling thread uses
  kOther,         // questions about devices
};
inline constexpr std::size_t kNumRuntimeCalls =
    static_cast<std::size_t>(RuntimeCall::kOther) + 1;

// "allocate", "record event", ...
absl::string_view RuntimeCallName(RuntimeCall call);

class RuntimeCallCounts {
 public:
  std::int64_t operator[](RuntimeCall call) const {
    return counts_[static_cast<std::size_t>(call)];
  }
  std::int64_t& operator[](RuntimeCall call) {
    return counts_[static_cast<std::size_t>(call)];
  }
  // What came in between.
  RuntimeCallCounts operator-(const RuntimeCallCounts& before) const;
  // "launch 10, record event 1": those that are not 0; "none".
  std::string ToString() const;

 private:
  std::array<std::int64_t, kNumRuntimeCalls> counts_{};
};

// Since the process began.
RuntimeCallCounts CountRuntimeCalls();

namespace internal {

// For who calls the runtime.
void CountRuntimeCall(RuntimeCall call);

}  // namespace internal
}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_RUNTIME_CALLS_H_
