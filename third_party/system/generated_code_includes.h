// What the code that protoc makes includes: read once for all of it
// (tools/build_rules/precompiled_header.bzl).

#ifndef SYNCLINE_THIRD_PARTY_SYSTEM_GENERATED_CODE_INCLUDES_H_
#define SYNCLINE_THIRD_PARTY_SYSTEM_GENERATED_CODE_INCLUDES_H_

#include <algorithm>
#include <limits>
#include <string>

#include "google/protobuf/arena.h"
#include "google/protobuf/arenastring.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/extension_set.h"
#include "google/protobuf/generated_enum_reflection.h"
#include "google/protobuf/generated_message_reflection.h"
#include "google/protobuf/generated_message_util.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/map.h"
#include "google/protobuf/map_entry.h"
#include "google/protobuf/map_field_inl.h"
#include "google/protobuf/message.h"
#include "google/protobuf/metadata_lite.h"
#include "google/protobuf/reflection_ops.h"
#include "google/protobuf/repeated_field.h"
#include "google/protobuf/unknown_field_set.h"
#include "google/protobuf/wire_format.h"

#endif  // SYNCLINE_THIRD_PARTY_SYSTEM_GENERATED_CODE_INCLUDES_H_
