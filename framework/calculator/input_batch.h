// InputBatch: the input sets of one call, in order.
//
//   for (const BatchedInputs& set : cc->Batch()) {
//     Add(set.InputTimestamp(), set.Inputs().Tag("IMAGE"));
//   }
//
// A node gets more than one set at once if its config says so:
// `batch { max_size: 8 }`. The last of them is what cc->Inputs() and
// cc->InputTimestamp() show.
//
// Thread rule: belongs to the call.
// Tested by batches_graph_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_INPUT_BATCH_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_INPUT_BATCH_H_

#include <cstddef>

#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/timestamp.h"

namespace syncline {

// One input set. Borrows; valid during the call.
class BatchedInputs {
 public:
  BatchedInputs(Timestamp timestamp, InputStreamSet* inputs)
      : timestamp_(timestamp), inputs_(inputs) {}

  Timestamp InputTimestamp() const { return timestamp_; }
  InputStreamSet& Inputs() const { return *inputs_; }

 private:
  Timestamp timestamp_;
  InputStreamSet* inputs_;
};

class InputBatch {
 public:
  // All of `sets`, or only `last` if there are none.
  InputBatch(absl::Span<const BatchedInputs> sets, const BatchedInputs& last)
      : sets_(sets), last_(last) {}

  size_t size() const { return sets_.empty() ? 1 : sets_.size(); }
  const BatchedInputs* begin() const {
    return sets_.empty() ? &last_ : sets_.data();
  }
  const BatchedInputs* end() const { return begin() + size(); }
  const BatchedInputs& operator[](size_t i) const { return begin()[i]; }

 private:
  absl::Span<const BatchedInputs> sets_;
  BatchedInputs last_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_INPUT_BATCH_H_
