// CallErrors: what went wrong during a call and could not be returned from it.
//
// AddPacket and its like return nothing, since calculators would not look. A
// wrong timestamp or type is recorded here instead; the call goes on, and the
// engine fails the run when it is over. The first few errors are kept, the rest
// only counted, so that a calculator in a loop cannot fill the memory.
//
// Thread rule: belongs to one call, used by its thread.
// Tested by output_stream_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_CALL_ERRORS_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_CALL_ERRORS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace syncline {

class CallErrors {
 public:
  static constexpr size_t kMaxKept = 16;

  void Add(absl::Status error) {
    if (errors_.size() < kMaxKept) errors_.push_back(std::move(error));
    ++count_;
  }
  bool empty() const { return count_ == 0; }
  // All of them, kept or not.
  int64_t count() const { return count_; }
  const std::vector<absl::Status>& kept() const { return errors_; }
  // Gives the kept errors away and starts over.
  std::vector<absl::Status> Take() {
    count_ = 0;
    return std::exchange(errors_, {});
  }

 private:
  std::vector<absl::Status> errors_;
  int64_t count_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_CALL_ERRORS_H_
