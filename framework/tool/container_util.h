// Channels: several sets of ports on one node, told apart by the tag.
//
//   output_stream: "C0__IMAGE:a"     channel 0, tag IMAGE
//   output_stream: "C1__IMAGE:b"     channel 1, the same tag
//   output_stream: "C1__:c"          channel 1, without a tag
//
// SwitchDemuxCalculator and SwitchMuxCalculator have such ports; these
// functions are for them and for others like them.
//
// Thread rule: free functions that change only their arguments.
// Tested by switch_calculators_test.

#ifndef SYNCLINE_FRAMEWORK_TOOL_CONTAINER_UTIL_H_
#define SYNCLINE_FRAMEWORK_TOOL_CONTAINER_UTIL_H_

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/calculator/context.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/output_stream.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/tool/tag_map.h"

namespace syncline {
namespace tool {

// "C1__IMAGE" for "IMAGE" and 1.
std::string ChannelTag(absl::string_view tag, int channel);

// The reverse: {1, "IMAGE"} for "C1__IMAGE". Nothing for a tag that is not of
// this form, or whose channel is above kMaxCollectionItemId.
absl::optional<std::pair<int, std::string>> ParseChannelTag(
    absl::string_view channel_tag);

// The tags without their channels: {"IMAGE"} for C0__IMAGE and C1__IMAGE. Ports
// outside of channels are left out.
std::set<std::string> ChannelTags(const std::shared_ptr<const TagMap>& ports);

// One more than the highest channel of the ports; 0 if no port is a channel's.
int ChannelCount(const std::shared_ptr<const TagMap>& ports);

// The bound of a stream that is settled at `settled`.
Timestamp BoundAfter(Timestamp settled);
// Calls SetNextTimestampBound if `bound` is higher than the bound of `output`.
void RaiseBound(Timestamp bound, OutputStream* output);

// Sends the packet, or, if the packet is empty, the bound that follows from its
// timestamp.
void Relay(const Packet& packet, OutputStream* output);
void Relay(const InputStream& input, OutputStream* output);

// The channel that the inputs of this call select. Later in this list counts
// more: `previous_index`, the options (SwitchContainerOptions), the side
// packet, the input stream. Of each, SELECT (int) counts more than ENABLE
// (bool: false is 0, true is 1). Options and side packets count in Open only.
// The caller has to check that such a channel exists.
int GetChannelIndex(const CalculatorContext& cc, int previous_index);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_CONTAINER_UTIL_H_
