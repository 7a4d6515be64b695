// What an error of a calculator's function says besides the function's own
// words: which function, of which node and, for Process, at which timestamp.
// The texts are those that users of MediaPipe's graphs know. (Errors of
// compiling also have the node's file and line: expansion/node_origin.h.)
//
// Thread rule: free functions, on the thread of the call.
// Tested by call_error_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_CALL_ERROR_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_CALL_ERROR_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/context.h"

namespace syncline {

// The error of Process. tool::StatusStop() comes back as it is.
// REQUIRES: `status` is not OK.
absl::Status ProcessError(const CalculatorContext& context,
                          const absl::Status& status);

// The error of another function: "Open", "Close", or "Calculator" for the
// constructor. tool::StatusStop() is a mistake there.
// REQUIRES: `status` is not OK.
absl::Status CallError(absl::string_view function,
                       const CalculatorContext& context,
                       const absl::Status& status);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_CALL_ERROR_H_
