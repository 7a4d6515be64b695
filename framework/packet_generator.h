// PacketGenerator and REGISTER_PACKET_GENERATOR, for graphs that have them.
#ifndef SYNCLINE_FRAMEWORK_PACKET_GENERATOR_H_
#define SYNCLINE_FRAMEWORK_PACKET_GENERATOR_H_

#include "framework/calculator/legacy/packet_generator.h"

#endif  // SYNCLINE_FRAMEWORK_PACKET_GENERATOR_H_
