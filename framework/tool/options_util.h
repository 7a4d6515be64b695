// Options that come partly from the node and partly from a packet.
//
// A calculator with a port OPTIONS lets an application change single fields of
// its options: a field that the packet sets replaces the field of the node.
//
//   options_ = tool::RetrieveOptions(cc->Options<MyOptions>(),
//                                    cc->InputSidePackets(), "OPTIONS");
//
// There is also a function that copies options of a graph into the options of
// its nodes. Compiling a graph does this; programs that build graphs may need
// it before.
//
// Thread rule: pure functions.
// Tested by options_util_test and options_field_util_test.

#ifndef SYNCLINE_FRAMEWORK_TOOL_OPTIONS_UTIL_H_
#define SYNCLINE_FRAMEWORK_TOOL_OPTIONS_UTIL_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/node_options.h"
#include "framework/calculator/packet_set.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_options.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/proto_payloads.h"

namespace syncline {
namespace tool {

// `base` with the fields that `options` sets; repeated fields are appended.
template <typename T>
T MergeOptions(const T& base, const T& options) {
  T result = base;
  result.MergeFrom(options);
  return result;
}

// `base` merged with what the packet holds: a T, or CalculatorOptions with T as
// an extension. An empty packet changes nothing. A packet of another type is a
// misuse.
template <typename T>
T RetrieveOptions(const T& base, const Packet& packet) {
  // Registers T, so that a program that has the options only as text can make
  // such a packet.
  packet_internal::NoteProtoPayload<T>();
  if (packet.IsEmpty()) return base;
  if constexpr (IsCalculatorOptionsExtension<T>) {
    if (packet.ValidateAsType<CalculatorOptions>().ok()) {
      return MergeOptions(base,
                          packet.Get<CalculatorOptions>().GetExtension(T::ext));
    }
  }
  return MergeOptions(base, packet.Get<T>());
}

// The same with the packet of a side packet or input stream, if the node has
// that port.
template <typename T>
T RetrieveOptions(const T& base, const PacketSet& side_packets,
                  absl::string_view tag = "OPTIONS") {
  if (!side_packets.HasTag(tag)) return base;
  return RetrieveOptions(base, side_packets.Tag(tag));
}
template <typename T>
T RetrieveOptions(const T& base, const InputStreamSet& streams,
                  absl::string_view tag = "OPTIONS") {
  if (!streams.HasTag(tag)) return base;
  return RetrieveOptions(base, streams.Tag(tag).Value());
}

// Carries out the option_values of a graph's nodes; `parent_node` is the node
// that stands for the graph. INVALID_ARGUMENT for the first option_value that
// is wrong; the nodes before it are changed then.
absl::Status DefineGraphOptions(const CalculatorGraphConfig::Node& parent_node,
                                CalculatorGraphConfig* config);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_OPTIONS_UTIL_H_
