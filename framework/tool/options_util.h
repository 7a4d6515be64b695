// Options that come partly from the node and partly from a packet.
//
// A calculator with a port OPTIONS lets an application change single fields of
// its options: what the packet sets comes before what the node says.
//
//   options_ = tool::RetrieveOptions(cc->Options<MyOptions>(),
//                                    cc->InputSidePackets(), "OPTIONS");
//
// Options of a graph, from which its nodes take values, come in here too, for
// programs that put graphs together; compiling a graph does it by itself.
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
// an extension. An empty packet changes nothing; another type is a misuse.
template <typename T>
T RetrieveOptions(const T& base, const Packet& packet) {
  // So that programs that have options only as text can make such a packet.
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

// The same with a side packet or input stream, where the node has it.
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
// that stands for the graph. INVALID_ARGUMENT, for the first that is wrong; the
// nodes before it are done then.
absl::Status DefineGraphOptions(const CalculatorGraphConfig::Node& parent_node,
                                CalculatorGraphConfig* config);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_OPTIONS_UTIL_H_
