// Packet generators and status handlers for tests of the plan.

#include "absl/status/status.h"
#include "framework/calculator/legacy/packet_generator.h"
#include "framework/calculator/legacy/status_handler.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/packet/packet.h"

namespace syncline {

// Makes side packets of int from side packets of int.
class IntGenerator : public PacketGenerator {
 public:
  static absl::Status FillExpectations(const PacketGeneratorOptions&,
                                       PacketTypeSet* inputs,
                                       PacketTypeSet* outputs) {
    for (auto id = inputs->BeginId(); id < inputs->EndId(); ++id) {
      inputs->Get(id).Set<int>();
    }
    for (auto id = outputs->BeginId(); id < outputs->EndId(); ++id) {
      outputs->Get(id).Set<int>();
    }
    return absl::OkStatus();
  }
  static absl::Status Generate(const PacketGeneratorOptions&,
                               const PacketSet& inputs, PacketSet* outputs) {
    for (auto id = outputs->BeginId(); id < outputs->EndId(); ++id) {
      outputs->Get(id) = MakePacket<int>(inputs.NumEntries());
    }
    return absl::OkStatus();
  }
};
REGISTER_PACKET_GENERATOR(IntGenerator);

class FailingGenerator : public IntGenerator {
 public:
  static absl::Status Generate(const PacketGeneratorOptions&, const PacketSet&,
                               PacketSet*) {
    return absl::UnavailableError("no packets");
  }
};
REGISTER_PACKET_GENERATOR(FailingGenerator);

class IntStatusHandler : public StatusHandler {
 public:
  static absl::Status FillExpectations(const SynclineOptions&,
                                       PacketTypeSet* inputs) {
    for (auto id = inputs->BeginId(); id < inputs->EndId(); ++id) {
      inputs->Get(id).Set<int>();
    }
    return absl::OkStatus();
  }
  static absl::Status HandlePreRunStatus(const SynclineOptions&,
                                         const PacketSet&,
                                         const absl::Status&) {
    return absl::OkStatus();
  }
  static absl::Status HandleStatus(const SynclineOptions&, const PacketSet&,
                                   const absl::Status&) {
    return absl::OkStatus();
  }
};
REGISTER_STATUS_HANDLER(IntStatusHandler);

class FailingStatusHandler : public IntStatusHandler {
 public:
  static absl::Status FillExpectations(const SynclineOptions&, PacketTypeSet*) {
    return absl::InvalidArgumentError("no expectations");
  }
};
REGISTER_STATUS_HANDLER(FailingStatusHandler);

}  // namespace syncline
