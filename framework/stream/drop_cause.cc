#include "framework/stream/drop_cause.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace syncline {

absl::string_view DropCauseText(DropCause cause) {
  switch (cause) {
    case DropCause::kAfterClose:
      return "came after the node was closed";
    case DropCause::kAtClose:
      return "still waited when the node closed";
    case DropCause::kAtEnd:
      return "still waited when the run ended";
    case DropCause::kSkipped:
      return "lay before an input set that was taken";
    case DropCause::kByPolicy:
      return "removed by the rule of the input stream handler";
    case DropCause::kRunFailed:
      return "thrown away as the run failed or was cancelled";
    case DropCause::kGoesBack:
      return "came below the bound of the stream";
    case DropCause::kUnmatched:
      return "matched nothing";
    case DropCause::kLate:
      return "came when idle_after or a timeout had settled that time";
    case DropCause::kQueueFull:
      return "were too many for the queue";
  }
  return "dropped";
}

std::string DroppedText(const DropCounts& counts, absl::string_view stream) {
  const std::int64_t total = counts.total();
  if (total == 0) return "";
  std::vector<std::string> causes;
  for (std::size_t i = 0; i < kNumDropCauses; ++i) {
    const auto cause = static_cast<DropCause>(i);
    if (counts.of(cause) == 0) continue;
    causes.push_back(absl::StrCat(counts.of(cause), " ", DropCauseText(cause)));
  }
  return absl::StrCat(total, total == 1 ? " packet" : " packets", " of \"",
                      stream, "\" (", absl::StrJoin(causes, ", "), ")");
}

}  // namespace syncline
