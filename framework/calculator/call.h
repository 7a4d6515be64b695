// CallRecord: which call of a calculator is going on, and what went wrong in
// it.
//
// Output streams and side packets belong to a call: some things are allowed in
// Open only, and mistakes are noted for the engine instead of being returned.
// This is the small piece that they share.
//
// Thread rule: belongs to one call.
// Tested by output_stream_test and context_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_CALL_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_CALL_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace syncline {

enum class CallPhase : std::uint8_t { kNone, kOpen, kProcess, kClose };

class CallRecord {
 public:
  // A loop in a calculator can make any number of errors; the first few tell
  // the story.
  static constexpr std::size_t kMaxErrors = 16;

  CallPhase phase() const { return phase_; }
  void set_phase(CallPhase phase) { phase_ = phase; }

  void AddError(absl::Status error) {
    if (errors_.size() < kMaxErrors) errors_.push_back(std::move(error));
  }
  bool ok() const { return errors_.empty(); }
  // The first error, which is the one that counts; OK if there was none.
  absl::Status status() const {
    return errors_.empty() ? absl::OkStatus() : errors_.front();
  }
  const std::vector<absl::Status>& errors() const { return errors_; }

  void Clear() {
    phase_ = CallPhase::kNone;
    if (!errors_.empty()) errors_.clear();
  }

 private:
  CallPhase phase_ = CallPhase::kNone;
  std::vector<absl::Status> errors_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_CALL_H_
