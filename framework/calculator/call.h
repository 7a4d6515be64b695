// CallRecord: which call of a calculator is in progress, and the mistakes made
// in it.
//
// The output streams and side packets of a call share this record: some of
// their functions are allowed in Open only, and they note mistakes for the
// engine instead of returning them.
//
// Thread rule: belongs to one call.
// Tested by output_stream_test and context_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_CALL_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_CALL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

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
    if (errors_ == nullptr) {
      errors_ = std::make_unique<std::vector<absl::Status>>();
    }
    if (errors_->size() < kMaxErrors) errors_->push_back(std::move(error));
  }
  bool ok() const { return errors_ == nullptr; }
  // The first error, which is the one that counts; OK if there was none.
  absl::Status status() const {
    return ok() ? absl::OkStatus() : errors_->front();
  }
  absl::Span<const absl::Status> errors() const {
    if (ok()) return {};
    return *errors_;
  }

  void Clear() {
    phase_ = CallPhase::kNone;
    if (!ok()) errors_.reset();
  }

 private:
  CallPhase phase_ = CallPhase::kNone;
  std::unique_ptr<std::vector<absl::Status>> errors_;  // null: none
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_CALL_H_
