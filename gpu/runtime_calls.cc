#include "gpu/runtime_calls.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace syncline::gpu {
namespace {

// Zero before any code runs.
std::array<std::atomic<std::int64_t>, kNumRuntimeCalls> runtime_call_counts;

}  // namespace

absl::string_view RuntimeCallName(RuntimeCall call) {
  constexpr absl::string_view kNames[kNumRuntimeCalls] = {
      "allocate",      "free",         "allocate async", "free async",
      "synchronize",   "make stream",  "drop stream",    "copy",
      "fill",          "launch",       "call host",      "make event",
      "drop event",    "record event", "wait for event", "ask event",
      "select device", "other"};
  return kNames[static_cast<std::size_t>(call)];
}

RuntimeCallCounts RuntimeCallCounts::operator-(
    const RuntimeCallCounts& before) const {
  RuntimeCallCounts difference;
  for (std::size_t i = 0; i < kNumRuntimeCalls; ++i) {
    difference.counts_[i] = counts_[i] - before.counts_[i];
  }
  return difference;
}

std::string RuntimeCallCounts::ToString() const {
  std::string text;
  for (std::size_t i = 0; i < kNumRuntimeCalls; ++i) {
    if (counts_[i] == 0) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ",
                    RuntimeCallName(static_cast<RuntimeCall>(i)), " ",
                    counts_[i]);
  }
  return text.empty() ? "none" : text;
}

RuntimeCallCounts CountRuntimeCalls() {
  RuntimeCallCounts counts;
  for (std::size_t i = 0; i < kNumRuntimeCalls; ++i) {
    counts[static_cast<RuntimeCall>(i)] =
        runtime_call_counts[i].load(std::memory_order_relaxed);
  }
  return counts;
}

namespace internal {

void CountRuntimeCall(RuntimeCall call) {
  runtime_call_counts[static_cast<std::size_t>(call)].fetch_add(
      1, std::memory_order_relaxed);
}

}  // namespace internal
}  // namespace syncline::gpu
