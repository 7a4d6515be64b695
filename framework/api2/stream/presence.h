// Whether a stream has a packet.
//
// Thread rule: as for the graph that is being built.
// Tested by stream_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_API2_STREAM_PRESENCE_H_
#define SYNCLINE_FRAMEWORK_API2_STREAM_PRESENCE_H_

#include "framework/api2/builder.h"

namespace syncline {
namespace api2 {
namespace builder {

// True at the timestamp of a packet, false at a timestamp that is settled
// without a packet.
template <typename T>
Stream<bool> IsPresent(Stream<T> stream, Graph& graph) {
  auto& node = graph.AddNode("PacketPresenceCalculator");
  stream >> node.In("PACKET");
  return node.Out("PRESENCE").template Cast<bool>();
}

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_PRESENCE_H_
