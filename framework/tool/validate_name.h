// Checking and splitting names, tags and `TAG:index:name`.
//
// Thread rule: pure functions.
// Tested by name_util_test and port_name_test.
#ifndef SYNCLINE_FRAMEWORK_TOOL_VALIDATE_NAME_H_
#define SYNCLINE_FRAMEWORK_TOOL_VALIDATE_NAME_H_

#include "absl/status/status.h"
#include "framework/calculator/port_name.h"
#include "framework/port/proto_ns.h"
#include "framework/tool/tag_map.h"
#include "google/protobuf/repeated_ptr_field.h"

namespace syncline {
namespace internal {

using syncline::kMaxCollectionItemId;

}  // namespace internal

namespace tool {

// Lists of `TAG:name`, in which either all ports have a tag or none has, as
// tags beside names and back. INVALID_ARGUMENT for a port that is malformed or
// unlike the others. What was in `*info` or `*ports` is lost.
absl::Status GetTagAndNameInfo(
    const proto_ns::RepeatedPtrField<ProtoString>& ports, TagAndNameInfo* info);
absl::Status SetFromTagAndNameInfo(
    const TagAndNameInfo& info, proto_ns::RepeatedPtrField<ProtoString>* ports);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_VALIDATE_NAME_H_
