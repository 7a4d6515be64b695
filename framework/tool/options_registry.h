// tool::OptionsRegistry: the options messages that are linked into the program.
//
// Thread rule: pure functions.
// Tested by options_field_util_test.
#ifndef SYNCLINE_FRAMEWORK_TOOL_OPTIONS_REGISTRY_H_
#define SYNCLINE_FRAMEWORK_TOOL_OPTIONS_REGISTRY_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"

namespace syncline {
namespace tool {

using Descriptor = google::protobuf::Descriptor;
using FieldDescriptor = google::protobuf::FieldDescriptor;

// The message of this full name, or null; "mediapipe." counts as "syncline.".
const Descriptor* GetProtobufDescriptor(const std::string& message_type);

class OptionsRegistry {
 public:
  static const Descriptor* GetProtobufDescriptor(
      const std::string& message_type) {
    return tool::GetProtobufDescriptor(message_type);
  }
  // Adds the known extensions of a message to `result`.
  static void FindAllExtensions(absl::string_view extendee,
                                std::vector<const FieldDescriptor*>* result);
};

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_OPTIONS_REGISTRY_H_
