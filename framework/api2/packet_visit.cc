#include "framework/api2/packet_visit.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/base/type_id.h"
#include "framework/packet/packet.h"
#include "framework/packet/type_map.h"

namespace syncline {
namespace api2 {
namespace internal {

void ReportNotOneOf(const char* call, const ::syncline::Packet& packet,
                    absl::Span<const TypeId> wanted) {
  const std::string types =
      absl::StrJoin(wanted, ", ", [](std::string* out, TypeId type) {
        absl::StrAppend(out, "\"", SynclineTypeStringOrDemangled(type), "\"");
      });
  const std::string at = packet.Timestamp().DebugString();
  if (packet.IsEmpty()) {
    ReportMisuse(absl::InternalError(absl::StrCat(
        "Packet::", call, " of an empty packet at timestamp ", at,
        ", where a value of ", types, " is needed. Ask IsEmpty() first.")));
  }
  ReportMisuse(absl::InvalidArgumentError(absl::StrCat(
      "Packet::", call, " at timestamp ", at, ": the packet holds \"",
      packet.DebugTypeName(), "\", not ", types,
      ". Ask Has<T>() first where the type is not certain.")));
}

}  // namespace internal
}  // namespace api2
}  // namespace syncline
