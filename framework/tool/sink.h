// Sinks: nodes that hand the packets of a stream or a side packet to code
// outside of the graph.
//
//   CalculatorGraphConfig config = ...;
//   std::vector<Packet> packets;
//   tool::AddVectorSink("out", &config, &packets);
//   SYNCLINE_RETURN_IF_ERROR(CalculatorGraph(config).Run());
//   // `packets` has what stream "out" carried.
//
// Each function adds nodes to a config that is not compiled yet, so the ids of
// its nodes change; CalculatorGraph::ObserveOutputStream adds no nodes. The
// object that a sink writes to must outlive the graph. The config may be
// copied, written out, and read again in the same process; another process
// refuses it with an error.
//
// For a sink with a callback, the application gives the callback as a side
// packet. The function chooses the side packet's name.
//
// Thread rule: the functions change their arguments and nothing else. Each sink
// is called by one thread at a time. During the run no other thread may read
// its vector or packet.
// Tested by sink_test.

#ifndef SYNCLINE_FRAMEWORK_TOOL_SINK_H_
#define SYNCLINE_FRAMEWORK_TOOL_SINK_H_

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "framework/calculator/calculator_base.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/packet.h"

namespace syncline {
namespace tool {

// Appends the packets of a stream to *packets.
void AddVectorSink(const std::string& stream_name,
                   CalculatorGraphConfig* config, std::vector<Packet>* packets);

// Sets *packet to the packet that the stream carries at
// Timestamp::PostStream().
void AddPostStreamPacketSink(const std::string& stream_name,
                             CalculatorGraphConfig* config, Packet* packet);

// Sets *packet to a side packet, at Timestamp::PostStream(). Deprecated: ask
// CalculatorGraph::GetOutputSidePacket.
void AddSidePacketSink(const std::string& side_packet_name,
                       CalculatorGraphConfig* config, Packet* packet);

// Calls the function in side packet *callback_side_packet_name, a
// std::function<void(const Packet&)>, with each packet of a stream. The last
// argument is ignored: only a std::function can be held.
void AddCallbackCalculator(const std::string& stream_name,
                           CalculatorGraphConfig* config,
                           std::string* callback_side_packet_name,
                           bool use_std_function = true);

// Calls `callback` for each timestamp at which one of the streams has a packet,
// with a packet for each stream: empty where it has none. Give `side_packet` to
// the graph.
void AddMultiStreamCallback(
    const std::vector<std::string>& streams,
    std::function<void(const std::vector<Packet>&)> callback,
    CalculatorGraphConfig* config, std::pair<std::string, Packet>* side_packet);

// The same, and adds the side packet for the graph to *side_packets. With
// `observe_timestamp_bounds` it also calls the function for each time up to
// which all streams are settled, with empty packets.
void AddMultiStreamCallback(
    const std::vector<std::string>& streams,
    std::function<void(const std::vector<Packet>&)> callback,
    CalculatorGraphConfig* config, std::map<std::string, Packet>* side_packets,
    bool observe_timestamp_bounds = false);

// The packets of one timestamp by the names of their streams, without empty
// packets.
using PacketMap = std::map<std::string, Packet>;

// The same for callbacks that want to find packets by name. With
// `observe_timestamp_bounds` the map is empty where only bounds moved.
void AddMultiStreamCallback(const std::vector<std::string>& streams,
                            std::function<void(const PacketMap&)> callback,
                            CalculatorGraphConfig* config,
                            std::map<std::string, Packet>* side_packets,
                            bool observe_timestamp_bounds = false);

// As AddCallbackCalculator, with the header of the stream as second argument:
// a std::function<void(const Packet&, const Packet&)>. The header is that of
// stream `stream_header_name`, or else the last packet on it. Deprecated.
void AddCallbackWithHeaderCalculator(const std::string& stream_name,
                                     const std::string& stream_header_name,
                                     CalculatorGraphConfig* config,
                                     std::string* callback_side_packet_name,
                                     bool use_std_function = true);

// The node behind most of these functions.
//
//   node {
//     calculator: "CallbackCalculator"
//     input_stream: "a" input_stream: "b"
//     input_side_packet: "VECTOR_CALLBACK:callback"
//   }
//
// Either CALLBACK, with one input stream, or VECTOR_CALLBACK, with any number.
// If side packet OBSERVE_TIMESTAMP_BOUNDS (bool) is true, the callback is
// called for bounds too.
class CallbackCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc);
  absl::Status Open(CalculatorContext* cc) override;
  absl::Status Process(CalculatorContext* cc) override;

 private:
  std::function<void(const Packet&)> callback_;
  std::function<void(const std::vector<Packet>&)> vector_callback_;
  bool observes_bounds_ = false;
};

// The node behind AddCallbackWithHeaderCalculator: input streams INPUT and
// HEADER, input side packet CALLBACK.
class CallbackWithHeaderCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc);
  absl::Status Open(CalculatorContext* cc) override;
  absl::Status Process(CalculatorContext* cc) override;

 private:
  std::function<void(const Packet&, const Packet&)> callback_;
  Packet header_;
  bool has_stream_header_ = false;
};

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_SINK_H_
