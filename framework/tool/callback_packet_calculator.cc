// CallbackPacketCalculator: gives the function that collects packets for
// tool::AddVectorSink and its relatives, as a side packet for a
// CallbackCalculator. Those functions add the node to a config; it is not for
// graph files.
//
// Thread rule: as for any calculator.
// Tested by sink_test.

#include <functional>
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/config/callback_packet_calculator.pb.h"
#include "framework/tool/address_token.h"

namespace syncline {
namespace {

using Options = CallbackPacketCalculatorOptions;
using Callback = std::function<void(const Packet&)>;

// The function that handles packets as `options` say.
absl::StatusOr<Callback> CallbackOf(const Options& options) {
  if (options.type() == Options::UNKNOWN) {
    return absl::InvalidArgumentError(
        "CallbackPacketCalculatorOptions does not say with `type` what its "
        "pointer points to; add the sink with the functions of "
        "framework/tool/sink.h.");
  }
  SYNCLINE_ASSIGN_OR_RETURN(
      void* address,
      tool::AddressFromToken(Options::PointerType_Name(options.type()),
                             options.pointer()));
  if (options.type() == Options::VECTOR_PACKET) {
    auto* packets = static_cast<std::vector<Packet>*>(address);
    return Callback(
        [packets](const Packet& packet) { packets->push_back(packet); });
  }
  auto* post_stream_packet = static_cast<Packet*>(address);
  return Callback([post_stream_packet](const Packet& packet) {
    if (packet.Timestamp() == Timestamp::PostStream()) {
      *post_stream_packet = packet;
    }
  });
}

}  // namespace

class CallbackPacketCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->OutputSidePackets().Index(0).Set<Callback>();
    return CallbackOf(cc->Options<Options>()).status();
  }
  absl::Status Open(CalculatorContext* cc) override {
    SYNCLINE_ASSIGN_OR_RETURN(Callback callback,
                              CallbackOf(cc->Options<Options>()));
    cc->OutputSidePackets().Index(0).Set(
        MakePacket<Callback>(std::move(callback)));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(CallbackPacketCalculator);

}  // namespace syncline
