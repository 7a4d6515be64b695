// Options of nodes and graphs, read and changed by path.
//
// A FieldData is one value of any type; a message is stored as its type and its
// bytes. These functions serve code that moves options around without knowing
// their types; a calculator has cc->Options<T>().
//
// Thread rule: pure functions.
// Tested by options_field_util_test.
#ifndef SYNCLINE_FRAMEWORK_TOOL_OPTIONS_FIELD_UTIL_H_
#define SYNCLINE_FRAMEWORK_TOOL_OPTIONS_FIELD_UTIL_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/field_data.pb.h"
#include "framework/tool/options_registry.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/message.h"

namespace syncline {
namespace tool {
namespace options_field_util {

// One step on the path into a message.
struct FieldPathEntry {
  // The field; null for the options message itself, which `extension_type`
  // names.
  const FieldDescriptor* field = nullptr;
  // The index in a repeated field; -1 for the whole field.
  int index = -1;
  // The type of the options message, or "*" for any. Used if `field` is null.
  std::string extension_type;
};
using FieldPath = std::vector<FieldPathEntry>;

// Converts a message to a FieldData and back. INVALID_ARGUMENT for bytes or a
// type that cannot be read.
FieldData AsFieldData(const google::protobuf::Message& message);
absl::Status ReadMessage(const std::string& value, const std::string& type_name,
                         FieldData* result);
google::protobuf::Any AsAnyProto(const FieldData& message_data);
// Converts "type.googleapis.com/a.B" to "a.B" and back. "" if there is no
// message.
std::string ParseTypeUrl(absl::string_view type_url);
std::string TypeUrl(absl::string_view type_name);
std::string MessageType(const FieldData& message_data);

// The value at a path of a message. `result` stays empty if the field is not
// set. INVALID_ARGUMENT, here and below, for a path through another type of
// message, or with an index that is missing or does not belong there.
absl::Status GetField(const FieldPath& field_path,
                      const FieldData& message_data, FieldData* result);
// Sets the value at a path. Messages on the way to it are created.
absl::Status SetField(const FieldPath& field_path, const FieldData& value,
                      FieldData* message_data);
// The same, but a message is merged into the one that is there.
absl::Status MergeField(const FieldPath& field_path, const FieldData& value,
                        FieldData* message_data);
// Merges `over` on top of `base`. Either may be empty.
absl::Status MergeOptionsMessages(const FieldData& base, const FieldData& over,
                                  FieldData* result);

// The options of the given type in a node or graph that is given as FieldData;
// "*" means the first options. `result` is empty if there are none.
absl::Status GetNodeOptions(const FieldData& node_data,
                            const std::string& extension_type,
                            FieldData* result);
absl::Status GetGraphOptions(const FieldData& graph_data,
                             const std::string& extension_type,
                             FieldData* result);
// Puts `node_options` into the field node_options of the node. They replace
// options of the same type.
absl::Status SetOptionsMessage(const FieldData& node_options,
                               CalculatorGraphConfig::Node* node);

// The type that a path such as "options/Ext::a.B/c" begins with, or "*".
std::string ExtensionType(const std::string& option_fields_tag);

}  // namespace options_field_util
}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_OPTIONS_FIELD_UTIL_H_
