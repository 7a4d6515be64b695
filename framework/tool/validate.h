// Checks the input files that a config names.
//
// Thread rule: pure functions.
// Tested by executor_util_test.

#ifndef SYNCLINE_FRAMEWORK_TOOL_VALIDATE_H_
#define SYNCLINE_FRAMEWORK_TOOL_VALIDATE_H_

#include "absl/status/status.h"
#include "framework/config/calculator.pb.h"

namespace syncline {
namespace tool {

// INVALID_ARGUMENT unless the name of the side packet, if there is one, is well
// formed, the type of the file is known, and the file's name is set.
absl::Status ValidateInput(const InputCollection& input);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_VALIDATE_H_
