// Copies headers from a calculator's inputs to its outputs.
//
// Thread rule: called within a call of the calculator.
// Tested by header_util_test.

#ifndef SYNCLINE_UTIL_HEADER_UTIL_H_
#define SYNCLINE_UTIL_HEADER_UTIL_H_

#include "absl/status/status.h"
#include "framework/calculator_framework.h"

namespace syncline {

// Gives each output the header of the input with the same tag and index. An
// output without such an input is not changed. Call it in Open.
absl::Status CopyInputHeadersToOutputs(const InputStreamShardSet& inputs,
                                       OutputStreamShardSet* outputs);

}  // namespace syncline

#endif  // SYNCLINE_UTIL_HEADER_UTIL_H_
