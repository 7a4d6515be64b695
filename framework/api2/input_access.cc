#include "framework/api2/input_access.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/base/type_id.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/port_name.h"
#include "framework/packet/type_map.h"

namespace syncline {
namespace api2 {
namespace internal {
namespace {

// `the input stream "IN:1" of node "Name" (Type)`.
std::string PortText(const PortUse& use) {
  return absl::StrCat("the ", use.kind, " \"", tool::CatTag(use.tag, use.index),
                      "\" of node ", NodeText(*use.contract));
}

}  // namespace

void ReportWrongGet(const PortUse& use, const char* call, bool is_connected,
                    const ::syncline::Packet& packet, TypeId wanted) {
  const std::string start = absl::StrCat(call, " on ", PortText(use), ": ");
  const std::string type =
      wanted == TypeId()
          ? std::string("a value")
          : absl::StrCat("\"", SynclineTypeStringOrDemangled(wanted), "\"");
  if (!is_connected) {
    ReportMisuse(absl::FailedPreconditionError(absl::StrCat(
        start, type,
        " was asked for, but the port is not connected. Ask IsConnected() "
        "first, or use GetOr().")));
  }
  if (packet.IsEmpty()) {
    ReportMisuse(absl::FailedPreconditionError(
        absl::StrCat(start, type,
                     " was asked for, but there is no packet in this call: the "
                     "stream is settled at ",
                     packet.Timestamp().DebugString(),
                     ". Ask IsEmpty() first, or use GetOr().")));
  }
  ReportMisuse(absl::InvalidArgumentError(absl::StrCat(
      start, type, " was asked for, but the packet at ",
      packet.Timestamp().DebugString(), " holds \"", packet.DebugTypeName(),
      "\". Ask Has<T>() first, or use Visit().")));
}

void ReportNoSuchIndex(const PortUse& use, int count) {
  ReportMisuse(absl::OutOfRangeError(absl::StrCat(
      "There is no port ", PortText(use), ": Count() is ", count, ".")));
}

}  // namespace internal
}  // namespace api2
}  // namespace syncline
