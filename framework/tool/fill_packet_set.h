// FillPacketSet: side packets by port instead of by name.
//
// Thread rule: a pure function.
// Tested by fill_packet_set_test.

#ifndef SYNCLINE_FRAMEWORK_TOOL_FILL_PACKET_SET_H_
#define SYNCLINE_FRAMEWORK_TOOL_FILL_PACKET_SET_H_

#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/packet/packet.h"

namespace syncline {
namespace tool {

// A packet for each port of `types`, found in `packets` by the port's name. A
// packet of the wrong type is INVALID_ARGUMENT. So is a missing packet if
// `missing_count` is null; otherwise the port stays empty and is counted.
absl::StatusOr<std::unique_ptr<PacketSet>> FillPacketSet(
    const PacketTypeSet& types, const std::map<std::string, Packet>& packets,
    int* missing_count);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_FILL_PACKET_SET_H_
