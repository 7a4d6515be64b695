// ReliefCount: how often a run has raised the limits of full queues, and when
// that is to be warned of: the first time, the tenth, the hundredth ... A run
// that needs longer queues raises limits again and again, by one packet each
// time.
//
// Thread rule: any thread.
// Tested by relief_count_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_RELIEF_COUNT_H_
#define SYNCLINE_FRAMEWORK_RUN_RELIEF_COUNT_H_

#include <atomic>
#include <cstdint>

#include "absl/types/optional.h"

namespace syncline {

class ReliefCount {
 public:
  // Counts one. Returns how many there are, if this one is to be warned of.
  absl::optional<std::int64_t> Add() {
    const std::int64_t count = count_.fetch_add(1) + 1;
    if (IsWarnedOf(count)) return count;
    return absl::nullopt;
  }
  // Whether the next one is to be warned of, if no other thread adds it.
  bool WarnsOfNext() const { return IsWarnedOf(count_.load() + 1); }

 private:
  static bool IsWarnedOf(std::int64_t count) {
    while (count % 10 == 0) count /= 10;
    return count == 1;
  }

  std::atomic<std::int64_t> count_{0};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_RELIEF_COUNT_H_
