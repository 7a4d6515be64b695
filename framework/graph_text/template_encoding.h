// Writes a value of a template as the value of a field, in Protobuf's binary
// format.
//
// Thread rule: a free function.
// Tested by template_encoding_test and //framework/tool:proto_util_lite_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_ENCODING_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_ENCODING_H_

#include <string>

#include "absl/types/optional.h"
#include "framework/graph_text/template_values.h"
#include "google/protobuf/descriptor.h"

namespace syncline {

// The bytes of a value of this FieldDescriptor::Type (see proto_wire.h), or
// nothing for a value that is none of the type: numbers keep their value or are
// refused. `enum_type` allows names of an enum; it may be null.
absl::optional<std::string> EncodeTemplateValue(
    int field_type, const google::protobuf::EnumDescriptor* enum_type,
    const TemplateValue& value);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_ENCODING_H_
