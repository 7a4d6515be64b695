#include "framework/tool/validate.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/port_name.h"
#include "framework/config/calculator.pb.h"

namespace syncline {
namespace tool {

absl::Status ValidateInput(const InputCollection& input) {
  const std::string who =
      absl::StrCat("InputCollection \"", input.name(), "\"");
  if (!input.name().empty()) {
    SYNCLINE_RETURN_IF_ERROR(ValidateName(input.name())).SetPrepend()
        << who << ": ";
  }
  if (!InputCollection::InputType_IsValid(input.input_type()) ||
      input.input_type() <= InputCollection::UNKNOWN ||
      input.input_type() >= InputCollection::INVALID_UPPER_BOUND) {
    return absl::InvalidArgumentError(
        absl::StrCat(who, " has no valid input_type: it is ",
                     static_cast<int>(input.input_type())));
  }
  if (input.file_name().empty()) {
    return absl::InvalidArgumentError(absl::StrCat(who, " has no file_name"));
  }
  return absl::OkStatus();
}

}  // namespace tool
}  // namespace syncline
