// Side packets of a node as the engine has them; side_packets.h has what its
// calculator sees.
//
// Thread rule: a NodeOutputSidePacket is safe from any thread.
// Tested by side_packets_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_NODE_SIDE_PACKETS_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_NODE_SIDE_PACKETS_H_

#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/base/mutex.h"
#include "framework/calculator/packet_set.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/calculator/side_packets.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"

namespace syncline {

// An output side packet as the engine has it: what was set, and what was wrong.
class NodeOutputSidePacket : public OutputSidePacket {
 public:
  // `type` is borrowed. `node_text` is how errors name the node.
  NodeOutputSidePacket(std::string name, std::string node_text,
                       const PacketType* type);

  void Set(const Packet& packet) override ABSL_LOCKS_EXCLUDED(mutex_);

  const std::string& name() const { return name_; }
  // What was set in this run; empty if nothing.
  Packet packet() const ABSL_LOCKS_EXCLUDED(mutex_);
  // What was set since the last call of this; nothing if nothing was.
  absl::optional<Packet> TakeNewlySet() ABSL_LOCKS_EXCLUDED(mutex_);
  // The first error since the last call of this.
  absl::Status TakeError() ABSL_LOCKS_EXCLUDED(mutex_);
  // For the next run.
  void Reset() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  absl::Status Check(const Packet& packet) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::string name_;
  const std::string node_text_;
  const PacketType* const type_;
  mutable Mutex mutex_;
  Packet packet_ ABSL_GUARDED_BY(mutex_);
  bool is_newly_set_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status error_ ABSL_GUARDED_BY(mutex_);
};

// The packets of a node's input side packets, found by name: `find` returns an
// empty packet for one that nobody gave. Optional ones that are missing are
// left out. If a later index of the tag is there, they stay as empty packets,
// so that indexes do not shift. INVALID_ARGUMENT, with a line for each that is
// missing and not optional, or has the wrong type.
absl::StatusOr<PacketSet> FillInputSidePackets(
    const PacketTypeSet& types,
    absl::FunctionRef<Packet(const std::string& name)> find);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_NODE_SIDE_PACKETS_H_
