// Packet, MakePacket, Adopt, PointToForeign, SyncedPacket: values at
// timestamps. Defined in packet/packet.h.

#ifndef SYNCLINE_FRAMEWORK_PACKET_H_
#define SYNCLINE_FRAMEWORK_PACKET_H_

#include "framework/packet/packet.h"         // IWYU pragma: export
#include "framework/packet/packet_proto.h"   // IWYU pragma: export
#include "framework/packet/synced_packet.h"  // IWYU pragma: export
#include "framework/packet/timestamp.h"      // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PACKET_H_
