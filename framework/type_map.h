// SYNCLINE_REGISTER_TYPE: names for the types of packets.
// Defined in packet/type_map.h.

#ifndef SYNCLINE_FRAMEWORK_TYPE_MAP_H_
#define SYNCLINE_FRAMEWORK_TYPE_MAP_H_

#include "framework/packet/type_map.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_TYPE_MAP_H_
