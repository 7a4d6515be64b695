// PacketNeed: the number of packets that a condition waits for, so that the
// check of a graph can find queues that drop packets and never hold so many.
//
// Thread rule: constant, once the condition is initialised.
// Tested by check_conditions_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_PACKET_NEED_H_
#define SYNCLINE_FRAMEWORK_CONDITION_PACKET_NEED_H_

#include <cstdint>
#include <vector>

namespace syncline {

// The number of packets that have to wait at these inputs together, as long as
// not all of them have ended.
struct PacketNeed {
  std::vector<int> inputs;
  std::int64_t min_packets = 0;
  const char* option = "";  // that says so
};

// The base class of conditions that have such needs.
class NeedsPackets {
 public:
  virtual ~NeedsPackets() = default;
  virtual std::vector<PacketNeed> PacketNeeds() const = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CONDITION_PACKET_NEED_H_
