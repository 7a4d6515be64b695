// PacketSet: a packet for each port, such as the side packets of a node.
//
// Thread rule: as for an array of packets.
// Tested by packet_type_set_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_PACKET_SET_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_PACKET_SET_H_

#include "framework/calculator/collection.h"
#include "framework/packet/packet.h"

namespace syncline {

using PacketSet = Collection<Packet>;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_PACKET_SET_H_
