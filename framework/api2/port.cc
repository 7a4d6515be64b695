#include "framework/api2/port.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/calculator/node_environment.h"

namespace syncline {
namespace api2 {
namespace internal {

void ReportWrongTag(const char* tag) {
  ReportMisuse(absl::InvalidArgumentError(absl::StrCat(
      "\"", tag,
      "\" is not a tag of a port. A tag consists of capital letters, digits "
      "and underscores, and does not begin with a digit.")));
}

absl::Status CheckSideFallback(const CalculatorContract& cc, const char* tag,
                               bool has_stream, bool has_side_packet,
                               bool is_optional) {
  if (has_stream && has_side_packet) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Node ", NodeText(cc), " may take \"", tag,
        "\" as an input stream or as an input side packet, but not both. "
        "Disconnect one."));
  }
  if (!has_stream && !has_side_packet && !is_optional) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Node ", NodeText(cc), ": \"", tag,
        "\" must be connected, as an input stream or as an input side "
        "packet."));
  }
  return absl::OkStatus();
}

}  // namespace internal
}  // namespace api2
}  // namespace syncline
