#include "framework/base/ret_check.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace syncline {

StatusBuilder RetCheckFail(source_location location,
                           absl::string_view condition) {
  std::string text =
      absl::StrCat("RET_CHECK failure (", location.ToString(), ")");
  if (!condition.empty()) absl::StrAppend(&text, " ", condition);
  StatusBuilder builder(absl::InternalError(text), location);
  builder.join_ = StatusBuilder::Join::kSpace;
  return builder;
}

StatusBuilder RetCheckFail(source_location location,
                           absl::string_view expression,
                           const absl::Status& status) {
  return RetCheckFail(
      location, absl::StrCat(expression, " is OK (", status.ToString(), ")"));
}

StatusBuilder RetCheckFail(source_location location,
                           absl::string_view comparison,
                           absl::string_view values) {
  return RetCheckFail(location, absl::StrCat(comparison, " ", values));
}

}  // namespace syncline
