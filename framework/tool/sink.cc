#include "framework/tool/sink.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/config/callback_packet_calculator.pb.h"
#include "framework/tool/address_token.h"
#include "framework/tool/name_util.h"

namespace syncline {
namespace tool {
namespace {

using Options = CallbackPacketCalculatorOptions;
using Callback = std::function<void(const Packet&)>;
using VectorCallback = std::function<void(const std::vector<Packet>&)>;
using HeaderCallback = std::function<void(const Packet&, const Packet&)>;

constexpr char kCallback[] = "CALLBACK";
constexpr char kVectorCallback[] = "VECTOR_CALLBACK";
constexpr char kObserveBounds[] = "OBSERVE_TIMESTAMP_BOUNDS";
constexpr char kInput[] = "INPUT";
constexpr char kHeader[] = "HEADER";

CalculatorGraphConfig::Node* AddNode(const std::string& type,
                                     const std::string& base_name,
                                     CalculatorGraphConfig* config) {
  const std::string name = GetUnusedNodeName(*config, base_name);
  CalculatorGraphConfig::Node* const node = config->add_node();
  node->set_name(name);
  node->set_calculator(type);
  return node;
}

// Adds a node that calls the function in a side packet. Returns the side
// packet's name.
std::string AddCallbackNode(const std::string& tag,
                            const std::vector<std::string>& streams,
                            CalculatorGraphConfig* config) {
  const std::string side_packet =
      GetUnusedSidePacketName(*config, "sink_callback");
  CalculatorGraphConfig::Node* const node =
      AddNode("CallbackCalculator", "sink", config);
  for (const std::string& stream : streams) node->add_input_stream(stream);
  *node->add_input_side_packet() = absl::StrCat(tag, ":", side_packet);
  return side_packet;
}

// Adds a node that writes the packets of a stream to the object at `address`.
void AddAddressSink(const std::string& stream_name, Options::PointerType type,
                    const void* address, CalculatorGraphConfig* config) {
  const std::string side_packet =
      AddCallbackNode(kCallback, {stream_name}, config);
  CalculatorGraphConfig::Node* const node =
      AddNode("CallbackPacketCalculator", "sink_callback", config);
  node->add_output_side_packet(side_packet);
  Options* const options = node->mutable_options()->MutableExtension(
      CallbackPacketCalculatorOptions::ext);
  options->set_type(type);
  options->set_pointer(AddressToken(Options::PointerType_Name(type), address));
}

// The function that side packet `tag` holds. An empty function is an error.
template <typename Function>
absl::StatusOr<Function> CallbackIn(const CalculatorContext& cc,
                                    const char* tag) {
  const auto& callback = cc.InputSidePackets().Tag(tag).Get<Function>();
  if (callback) return callback;
  return absl::InvalidArgumentError(
      absl::StrCat("side packet \"", tag, "\" holds a function that is empty"));
}

}  // namespace

void AddVectorSink(const std::string& stream_name,
                   CalculatorGraphConfig* config,
                   std::vector<Packet>* packets) {
  AddAddressSink(stream_name, Options::VECTOR_PACKET, packets, config);
}

void AddPostStreamPacketSink(const std::string& stream_name,
                             CalculatorGraphConfig* config, Packet* packet) {
  AddAddressSink(stream_name, Options::POST_STREAM_PACKET, packet, config);
}

void AddSidePacketSink(const std::string& side_packet_name,
                       CalculatorGraphConfig* config, Packet* packet) {
  const std::string stream = absl::StrCat(GetUnusedNodeName(*config, "sink"),
                                          "_of_side_packet_", side_packet_name);
  CalculatorGraphConfig::Node* const node =
      AddNode("SynclineInternalSidePacketToPacketStreamCalculator",
              "sink_of_side_packet", config);
  node->add_input_side_packet(side_packet_name);
  node->add_output_stream(stream);
  AddPostStreamPacketSink(stream, config, packet);
}

void AddCallbackCalculator(const std::string& stream_name,
                           CalculatorGraphConfig* config,
                           std::string* callback_side_packet_name,
                           bool /*use_std_function*/) {
  *callback_side_packet_name =
      AddCallbackNode(kCallback, {stream_name}, config);
}

void AddMultiStreamCallback(const std::vector<std::string>& streams,
                            VectorCallback callback,
                            CalculatorGraphConfig* config,
                            std::pair<std::string, Packet>* side_packet) {
  side_packet->first = AddCallbackNode(kVectorCallback, streams, config);
  side_packet->second = MakePacket<VectorCallback>(std::move(callback));
}

void AddMultiStreamCallback(const std::vector<std::string>& streams,
                            VectorCallback callback,
                            CalculatorGraphConfig* config,
                            std::map<std::string, Packet>* side_packets,
                            bool observe_timestamp_bounds) {
  std::pair<std::string, Packet> side_packet;
  AddMultiStreamCallback(streams, std::move(callback), config, &side_packet);
  side_packets->insert(std::move(side_packet));
  if (!observe_timestamp_bounds) return;
  const std::string observe =
      GetUnusedSidePacketName(*config, "sink_observes_bounds");
  *config->mutable_node(config->node_size() - 1)->add_input_side_packet() =
      absl::StrCat(kObserveBounds, ":", observe);
  (*side_packets)[observe] = MakePacket<bool>(true);
}

void AddMultiStreamCallback(const std::vector<std::string>& streams,
                            std::function<void(const PacketMap&)> callback,
                            CalculatorGraphConfig* config,
                            std::map<std::string, Packet>* side_packets,
                            bool observe_timestamp_bounds) {
  AddMultiStreamCallback(
      streams,
      VectorCallback([streams, callback = std::move(callback)](
                         const std::vector<Packet>& packets) {
        PacketMap by_name;
        for (std::size_t i = 0; i < packets.size(); ++i) {
          if (!packets[i].IsEmpty()) by_name[streams[i]] = packets[i];
        }
        callback(by_name);
      }),
      config, side_packets, observe_timestamp_bounds);
}

void AddCallbackWithHeaderCalculator(const std::string& stream_name,
                                     const std::string& stream_header_name,
                                     CalculatorGraphConfig* config,
                                     std::string* callback_side_packet_name,
                                     bool /*use_std_function*/) {
  *callback_side_packet_name =
      GetUnusedSidePacketName(*config, "sink_callback");
  CalculatorGraphConfig::Node* const node =
      AddNode("CallbackWithHeaderCalculator", "sink_with_header", config);
  *node->add_input_stream() = absl::StrCat(kInput, ":", stream_name);
  *node->add_input_stream() = absl::StrCat(kHeader, ":", stream_header_name);
  node->add_input_side_packet(
      absl::StrCat(kCallback, ":", *callback_side_packet_name));
}

absl::Status CallbackCalculator::GetContract(CalculatorContract* cc) {
  PacketTypeSet& side_packets = cc->InputSidePackets();
  const bool has_one = side_packets.HasTag(kCallback);
  if (has_one == side_packets.HasTag(kVectorCallback)) {
    return absl::InvalidArgumentError(
        "CallbackCalculator needs one of the input side packets CALLBACK and "
        "VECTOR_CALLBACK, and not both");
  }
  if (has_one) {
    side_packets.Tag(kCallback).Set<Callback>();
    cc->Inputs().Index(0).SetAny();
  } else {
    side_packets.Tag(kVectorCallback).Set<VectorCallback>();
    for (int i = 0; i < cc->Inputs().NumEntries(""); ++i) {
      cc->Inputs().Index(i).SetAny();
    }
  }
  if (side_packets.HasTag(kObserveBounds)) {
    side_packets.Tag(kObserveBounds).Set<bool>();
    cc->SetProcessTimestampBounds(true);
  }
  return absl::OkStatus();
}

absl::Status CallbackCalculator::Open(CalculatorContext* cc) {
  if (cc->InputSidePackets().HasTag(kCallback)) {
    SYNCLINE_ASSIGN_OR_RETURN(callback_, CallbackIn<Callback>(*cc, kCallback));
  } else {
    SYNCLINE_ASSIGN_OR_RETURN(vector_callback_,
                              CallbackIn<VectorCallback>(*cc, kVectorCallback));
  }
  observes_bounds_ = HasTagValue(cc->InputSidePackets(), kObserveBounds) &&
                     cc->InputSidePackets().Tag(kObserveBounds).Get<bool>();
  return absl::OkStatus();
}

absl::Status CallbackCalculator::Process(CalculatorContext* cc) {
  std::vector<Packet> packets;
  packets.reserve(static_cast<std::size_t>(cc->Inputs().NumEntries()));
  bool has_packet = false;
  for (const InputStream& input : cc->Inputs()) {
    has_packet = has_packet || !input.IsEmpty();
    packets.push_back(input.Value());
  }
  // A contract cannot read the side packet, so the node is called for bounds
  // also where the packet turns that off.
  if (!has_packet && !observes_bounds_) return absl::OkStatus();
  if (callback_) {
    callback_(packets[0]);
  } else {
    vector_callback_(packets);
  }
  return absl::OkStatus();
}
REGISTER_CALCULATOR(CallbackCalculator);

absl::Status CallbackWithHeaderCalculator::GetContract(CalculatorContract* cc) {
  cc->Inputs().Tag(kInput).SetAny();
  cc->Inputs().Tag(kHeader).SetAny();
  cc->InputSidePackets().Tag(kCallback).Set<HeaderCallback>();
  return absl::OkStatus();
}

absl::Status CallbackWithHeaderCalculator::Open(CalculatorContext* cc) {
  SYNCLINE_ASSIGN_OR_RETURN(callback_,
                            CallbackIn<HeaderCallback>(*cc, kCallback));
  header_ = cc->Inputs().Tag(kHeader).Header();
  has_stream_header_ = !header_.IsEmpty();
  return absl::OkStatus();
}

absl::Status CallbackWithHeaderCalculator::Process(CalculatorContext* cc) {
  const InputStream& header = cc->Inputs().Tag(kHeader);
  if (!has_stream_header_ && !header.IsEmpty()) header_ = header.Value();
  const InputStream& input = cc->Inputs().Tag(kInput);
  if (input.IsEmpty()) return absl::OkStatus();
  if (header_.IsEmpty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "stream \"", input.Name(), "\" has a packet at ",
        cc->InputTimestamp().DebugString(), ", but stream \"", header.Name(),
        "\" has neither a stream header nor a packet yet"));
  }
  callback_(input.Value(), header_);
  return absl::OkStatus();
}
REGISTER_CALCULATOR(CallbackWithHeaderCalculator);

}  // namespace tool

// Sends a side packet as the only packet of a stream, at PostStream: the node
// behind AddSidePacketSink.
class SynclineInternalSidePacketToPacketStreamCalculator
    : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Index(0).SetAny();
    cc->Outputs().Index(0).SetSameAs(&cc->InputSidePackets().Index(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        cc->InputSidePackets().Index(0).At(Timestamp::PostStream()));
    return tool::StatusStop();
  }
};
REGISTER_CALCULATOR(SynclineInternalSidePacketToPacketStreamCalculator);

}  // namespace syncline
