// What is said when somebody touches memory of a stand-in device that is not
// open to him: a message that names the buffer, and then the process ends as
// for any wrong address.
//
//   Syncline: the host touched byte 12 of buffer "frame" (4096 bytes) of
//   stand_in:0, ...
//
// Idea: the memory is inaccessible at these addresses, so the processor itself
// finds the mistake. A hook of fatal signals (framework/base/
// fatal_signal_hook.h) looks the address up in a table that it reads without
// locks, and writes one message with write().
//
// Thread rule: any thread.
// Tested by device_memory_test.

#ifndef SYNCLINE_GPU_STAND_IN_MEMORY_FAULTS_H_
#define SYNCLINE_GPU_STAND_IN_MEMORY_FAULTS_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace syncline::gpu {

// What a range of addresses is for, and so what was wrong with its use.
enum class FaultRangeKind {
  kHostAddress,  // of device memory: what the host holds
  kReadView,     // for work that declares that it reads
  kWriteView,    // for work that declares that it writes
  kGivenBack,    // memory that was given back
};

// As long as the object exists, a fault in the range names `text`. A table that
// is full leaves the range without a name.
class FaultRange {
 public:
  FaultRange() = default;
  // `text` as `buffer "frame" (4096 bytes) of stand_in:0`; what is longer than
  // 150 bytes is cut off.
  FaultRange(const std::byte* begin, std::size_t size, FaultRangeKind kind,
             absl::string_view text);
  ~FaultRange();
  FaultRange(FaultRange&& other) noexcept {
    *this = static_cast<FaultRange&&>(other);
  }
  FaultRange& operator=(FaultRange&& other) noexcept;

 private:
  int slot_ = -1;
};

// While it exists, a fault on this thread is one of the work `name`.
class RunningWorkScope {
 public:
  // `name` ends with a zero byte and outlives the scope.
  explicit RunningWorkScope(const char* name);
  ~RunningWorkScope();
  RunningWorkScope(const RunningWorkScope&) = delete;
  RunningWorkScope& operator=(const RunningWorkScope&) = delete;

 private:
  const char* const outer_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_STAND_IN_MEMORY_FAULTS_H_
