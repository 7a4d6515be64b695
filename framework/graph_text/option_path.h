// Paths into options, as `option_value` of a node gives them. copy_option.h
// copies the value at such a path.
//
//   option_value: "num_lights:options/chain_length"
//   option_value: "OPTIONS:options"             the whole message
//   option_value: "lights[0]/name:options/Ext::my.Options/names[2]"
//
// The left side is a place in the options of the node, the right side one in
// those of the graph around it: names of fields, separated by "/", each with an
// index where one value of a repeated field is meant ("lights[0]" or
// "lights/0"). "options" in front, in upper or lower case, may be
// left out. "Ext::" or "[...]" as the first part says which of several option
// messages is meant; "[my.Thing.ext]" further on is an extension.
//
// Thread rule: pure functions.
// Tested by option_path_test and option_values_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_OPTION_PATH_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_OPTION_PATH_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"

namespace syncline {

// As written.
struct OptionPath {
  struct Step {
    std::string field;  // "[...]" for an extension
    int index = -1;     // of a repeated field; -1: all of it
  };
  // The type of the message that the path starts in, in full or its last part;
  // "" for any message that fits.
  std::string type;
  // Empty for the whole message.
  std::vector<Step> steps;
};

struct OptionValue {
  OptionPath node;
  OptionPath graph;
};

// The two sides of an `option_value`, apart; INVALID_ARGUMENT if there are not
// two. The views are of `text`.
struct OptionSides {
  absl::string_view node;
  absl::string_view graph;
};
absl::StatusOr<OptionSides> SplitOptionValue(absl::string_view text);

// INVALID_ARGUMENT for what is no path.
absl::StatusOr<OptionPath> ParseOptionPath(absl::string_view text);
absl::StatusOr<OptionValue> ParseOptionValue(absl::string_view text);

// A path whose fields exist.
struct FieldStep {
  const google::protobuf::FieldDescriptor* field;
  int index;
};
using FieldSteps = std::vector<FieldStep>;

// INVALID_ARGUMENT, with near names, for a field that `type` does not have, and
// for an index that is missing or does not belong there.
absl::StatusOr<FieldSteps> ResolveOptionPath(
    const OptionPath& path, const google::protobuf::Descriptor& type);

// The field that the first step of `path` names, or null.
const google::protobuf::FieldDescriptor* FindOptionField(
    const google::protobuf::Descriptor& type, absl::string_view name);

// A field in words, for errors: `field "a.B.c" (repeated int32)`.
std::string OptionFieldText(const google::protobuf::FieldDescriptor& field);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_OPTION_PATH_H_
