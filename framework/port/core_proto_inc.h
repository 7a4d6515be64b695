// The headers for code that handles messages of unknown type without
// descriptors.

#ifndef SYNCLINE_FRAMEWORK_PORT_CORE_PROTO_INC_H_
#define SYNCLINE_FRAMEWORK_PORT_CORE_PROTO_INC_H_

#include "framework/port/proto_ns.h"       // IWYU pragma: export
#include "google/protobuf/message_lite.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_CORE_PROTO_INC_H_
