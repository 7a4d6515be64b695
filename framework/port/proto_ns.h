// Protocol Buffers under the names that older code uses.

#ifndef SYNCLINE_FRAMEWORK_PORT_PROTO_NS_H_
#define SYNCLINE_FRAMEWORK_PORT_PROTO_NS_H_

#include <string>

#include "google/protobuf/message_lite.h"

namespace syncline {

namespace proto_ns = ::google::protobuf;
using ProtoString = std::string;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_PROTO_NS_H_
