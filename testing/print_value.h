// The values of packets as text, for comparing runs.
//
// Thread rule: pure functions.
// Tested by print_value_test and explore_schedules_test.

#ifndef SYNCLINE_TESTING_PRINT_VALUE_H_
#define SYNCLINE_TESTING_PRINT_VALUE_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "framework/packet/packet.h"

namespace syncline {

// The value of a packet; an error says that it cannot be compared.
using PrintPacket = std::function<absl::StatusOr<std::string>(const Packet&)>;

// Prints numbers, strings and Protobuf messages, and of other types that have
// bytes (packet_bytes.h), such as images and tensors, how many, the first of
// them and a hash. Values of a device are copied to the host, for which the
// host waits. UNIMPLEMENTED names a type that has no bytes.
absl::StatusOr<std::string> PrintValue(const Packet& packet);

}  // namespace syncline

#endif  // SYNCLINE_TESTING_PRINT_VALUE_H_
