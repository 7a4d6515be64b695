// The headers for code that uses descriptors of messages.

#ifndef SYNCLINE_FRAMEWORK_PORT_ADVANCED_PROTO_INC_H_
#define SYNCLINE_FRAMEWORK_PORT_ADVANCED_PROTO_INC_H_

#include "framework/port/core_proto_inc.h"             // IWYU pragma: export
#include "google/protobuf/descriptor.h"                // IWYU pragma: export
#include "google/protobuf/dynamic_message.h"           // IWYU pragma: export
#include "google/protobuf/io/coded_stream.h"           // IWYU pragma: export
#include "google/protobuf/io/tokenizer.h"              // IWYU pragma: export
#include "google/protobuf/io/zero_copy_stream_impl.h"  // IWYU pragma: export
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"  // IWYU pragma: export
#include "google/protobuf/message.h"           // IWYU pragma: export
#include "google/protobuf/repeated_field.h"    // IWYU pragma: export
#include "google/protobuf/text_format.h"       // IWYU pragma: export
#include "google/protobuf/wire_format_lite.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_ADVANCED_PROTO_INC_H_
