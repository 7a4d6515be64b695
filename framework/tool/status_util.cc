#include "framework/tool/status_util.h"

#include "framework/base/status_text.h"

namespace syncline {
namespace tool {

absl::Status StatusInvalid(absl::string_view message) {
  return absl::InvalidArgumentError(message);
}

absl::Status StatusFail(absl::string_view message) {
  return absl::UnknownError(message);
}

absl::Status AddStatusPrefix(absl::string_view prefix,
                             const absl::Status& status) {
  return PrefixStatus(prefix, status);
}

absl::Status CombinedStatus(absl::string_view prefix,
                            absl::Span<const absl::Status> statuses) {
  return CombineStatuses(prefix, statuses);
}

}  // namespace tool
}  // namespace syncline
