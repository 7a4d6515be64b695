// OutputSidePacket: a side packet that a node sets, once in a run.
#ifndef SYNCLINE_FRAMEWORK_OUTPUT_SIDE_PACKET_H_
#define SYNCLINE_FRAMEWORK_OUTPUT_SIDE_PACKET_H_

#include "framework/calculator/side_packets.h"

#endif  // SYNCLINE_FRAMEWORK_OUTPUT_SIDE_PACKET_H_
