// Side packets of a node: values that hold for a whole run.
//
//   cc->InputSidePackets().Tag("MODEL").Get<Model>()
//   cc->OutputSidePackets().Tag("SIZE").Set(MakePacket<int>(7));
//
// Inputs are complete before Open and do not change. An optional side packet
// that was not given does not exist: HasTag is false. Outputs may be set in
// Open, Process or Close, each once in a run.
//
// node_side_packets.h has the side of the engine.
//
// Thread rule: inputs are read-only. An OutputSidePacket may be set by any call
// of its node while the engine looks at it.
// Tested by side_packets_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_SIDE_PACKETS_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_SIDE_PACKETS_H_

#include "framework/calculator/collection.h"
#include "framework/packet/packet.h"

namespace syncline {

// What a calculator can do with an output side packet.
class OutputSidePacket {
 public:
  virtual ~OutputSidePacket() = default;
  // Gives the value. Errors become errors of the run: ALREADY_EXISTS the second
  // time, INVALID_ARGUMENT for an empty packet, one with a timestamp, or one of
  // another type. None of them changes what was set.
  virtual void Set(const Packet& packet) = 0;
};

// Calculators share one set per node, so it holds pointers.
using OutputSidePacketSet =
    Collection<OutputSidePacket, CollectionStorage::kStorePointer>;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_SIDE_PACKETS_H_
