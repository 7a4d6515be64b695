// google.protobuf.Any.

#ifndef SYNCLINE_FRAMEWORK_PORT_ANY_PROTO_H_
#define SYNCLINE_FRAMEWORK_PORT_ANY_PROTO_H_

#include "framework/port/core_proto_inc.h"  // IWYU pragma: export
#include "google/protobuf/any.pb.h"         // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_ANY_PROTO_H_
