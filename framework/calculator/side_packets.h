// OutputSidePacket: a value that a node gives to the rest of the run, once.
//
//   cc->OutputSidePackets().Tag("MODEL").Set(MakePacket<Model>(...));
//
// Input side packets are a plain PacketSet; one that is optional and was not
// given is left out of it, so that HasTag says whether it is there.
//
// Like output streams, nothing here returns an error; see call_errors.h.
//
// Thread rule: belongs to the node's call, used by its thread. A node with
// parallel calls sets its side packets in Open.
// Tested by side_packets_test.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_SIDE_PACKETS_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_SIDE_PACKETS_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "framework/calculator/call_errors.h"
#include "framework/calculator/collection.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"

namespace syncline {

class OutputSidePacket {
 public:
  // --- For calculators.

  // Gives the value. It has no timestamp, is not empty and is of the type that
  // the contract says; a second one is refused. Allowed in Open, Process and
  // Close.
  void Set(const Packet& packet);

  // --- For the engine.

  // `node` is as errors give it; `type`, which may be null, `errors` and the
  // strings outlive this object.
  void Bind(const std::string* name, const std::string* node,
            const PacketType* type, CallErrors* errors);
  // Forgets the value, for a new run.
  void Reset() { packet_ = Packet(); }
  bool IsSet() const { return !packet_.IsEmpty(); }
  // Empty until set.
  const Packet& GetPacket() const { return packet_; }

 private:
  const std::string* name_ = nullptr;
  const std::string* node_ = nullptr;
  const PacketType* type_ = nullptr;
  CallErrors* errors_ = nullptr;
  Packet packet_;
};

using OutputSidePacketSet = Collection<OutputSidePacket>;

// The input side packets of a node as its calculator sees them: `packets`, by
// port, without the optional ones that are empty. The indexes of a tag close up
// over those that are left out. INVALID_ARGUMENT if a required one is empty or
// a type is wrong.
absl::StatusOr<std::unique_ptr<PacketSet>> PresentSidePackets(
    const PacketTypeSet& types, const PacketSet& packets);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_SIDE_PACKETS_H_
