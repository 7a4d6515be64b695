// OutputSidePacket: a value that a node gives to the run, once.
#ifndef SYNCLINE_FRAMEWORK_OUTPUT_SIDE_PACKET_H_
#define SYNCLINE_FRAMEWORK_OUTPUT_SIDE_PACKET_H_

#include "framework/calculator/side_packets.h"

#endif  // SYNCLINE_FRAMEWORK_OUTPUT_SIDE_PACKET_H_
