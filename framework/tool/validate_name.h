// Checks and splits names, tags and `TAG:index:name`.
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

// Converts a list of `TAG:name` to separate tags and names, and back. Either
// all ports have a tag or none has. INVALID_ARGUMENT for a malformed port, and
// for a mixed list. The old contents of `*info` or `*ports` are lost.
absl::Status GetTagAndNameInfo(
    const proto_ns::RepeatedPtrField<ProtoString>& ports, TagAndNameInfo* info);
absl::Status SetFromTagAndNameInfo(
    const TagAndNameInfo& info, proto_ns::RepeatedPtrField<ProtoString>* ports);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_VALIDATE_NAME_H_
