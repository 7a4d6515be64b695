#include "framework/expansion/graph_errors.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/base/status_text.h"
#include "framework/expansion/node_origin.h"

namespace syncline {

void GraphErrors::Add(absl::Status error, absl::optional<NodeOrigin> origin) {
  if (error.ok()) return;
  ++count_;
  if (count_ > kMaxKept) return;
  if (error.message().size() > kMaxText) {
    error = absl::Status(
        error.code(),
        absl::StrCat(error.message().substr(0, kMaxText), " ... (",
                     error.message().size() - kMaxText, " more bytes)"));
  }
  kept_.push_back({std::move(error), origin});
}

absl::Status GraphErrors::ToStatus() const {
  if (empty()) return absl::OkStatus();
  std::vector<absl::Status> lines;
  for (const RecordedError& error : kept_) lines.push_back(error.status);
  if (count_ > kMaxKept) {
    // Has the code of the last error, so that the combined code stays the same.
    lines.push_back(absl::Status(
        kept_.back().status.code(),
        absl::StrCat("... and ", count_ - kMaxKept, " more errors.")));
  }
  return CombineStatuses("ValidatedGraphConfig Initialization failed.", lines);
}

}  // namespace syncline
