// Checks of what a config says about files of inputs.
//
// Thread rule: pure functions.
// Tested by executor_util_test.

#ifndef SYNCLINE_FRAMEWORK_TOOL_VALIDATE_H_
#define SYNCLINE_FRAMEWORK_TOOL_VALIDATE_H_

#include "absl/status/status.h"
#include "framework/config/calculator.pb.h"

namespace syncline {
namespace tool {

// INVALID_ARGUMENT unless the name, if any, is well formed, the type of the
// file is known and its name is there.
absl::Status ValidateInput(const InputCollection& input);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_VALIDATE_H_
