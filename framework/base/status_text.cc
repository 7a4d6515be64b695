#include "framework/base/status_text.h"

#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"

namespace syncline {

absl::Status PrefixStatus(absl::string_view prefix,
                          const absl::Status& status) {
  if (status.ok()) return status;
  return WithPayloadsOf(status, status.code(),
                        absl::StrCat(prefix, status.message()));
}

absl::Status WithPayloadsOf(const absl::Status& other, absl::StatusCode code,
                            absl::string_view text) {
  absl::Status result(code, text);
  other.ForEachPayload(
      [&result](absl::string_view url, const absl::Cord& payload) {
        result.SetPayload(url, payload);
      });
  return result;
}

absl::Status CombineStatuses(absl::string_view prefix,
                             absl::Span<const absl::Status> statuses) {
  absl::StatusCode code = absl::StatusCode::kOk;
  std::string text(prefix);
  for (const absl::Status& status : statuses) {
    if (status.ok()) continue;
    if (code == absl::StatusCode::kOk) {
      code = status.code();
    } else if (code != status.code()) {
      code = absl::StatusCode::kUnknown;
    }
    absl::StrAppend(&text, "\n", status.message());
  }
  if (code == absl::StatusCode::kOk) return absl::OkStatus();
  return absl::Status(code, text);
}

}  // namespace syncline
