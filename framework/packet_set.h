// PacketSet: a packet for each port.
#ifndef SYNCLINE_FRAMEWORK_PACKET_SET_H_
#define SYNCLINE_FRAMEWORK_PACKET_SET_H_

#include "framework/calculator/packet_set.h"

#endif  // SYNCLINE_FRAMEWORK_PACKET_SET_H_
