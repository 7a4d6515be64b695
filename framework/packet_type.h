// PacketType and PacketTypeSet: the types that ports carry.
#ifndef SYNCLINE_FRAMEWORK_PACKET_TYPE_H_
#define SYNCLINE_FRAMEWORK_PACKET_TYPE_H_

#include "framework/calculator/packet_type_set.h"
#include "framework/packet/packet_type.h"

#endif  // SYNCLINE_FRAMEWORK_PACKET_TYPE_H_
