// Port names: `TAG:index:name` and its parts, checked and split.
//
//   name       [a-z_][a-z0-9_]*          a stream or side packet
//   tag        [A-Z_][A-Z0-9_]*          what the port is for
//   number     0 or [1-9][0-9]*          an index, up to kMaxCollectionItemId
//
//   port       (TAG:(number:)?)?name     IMAGE:1:frames, IMAGE:frames, frames
//   tag index  (TAG)?(:number)?          IMAGE:1, IMAGE, :1, or nothing
//
// `TAG:name` has index 0. The index of a port without a tag is its position
// among the ports without a tag. This file cannot know it, and says -1. These
// are the rules of MediaPipe's graphs, restated.
//
// Thread rule: pure functions.
// Tested by port_name_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_PORT_NAME_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_PORT_NAME_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace syncline {

// The largest index; it bounds what a typo can allocate.
inline constexpr int kMaxCollectionItemId = 10000;

namespace tool {

// INVALID_ARGUMENT with the offending text and what is allowed.
absl::Status ValidateName(absl::string_view name);
absl::Status ValidateTag(absl::string_view tag);
absl::Status ValidateNumber(absl::string_view number);

// Splits `TAG:name`, where the tag may be left out (then *tag is empty). An
// index is an error here.
absl::Status ParseTagAndName(absl::string_view port, std::string* tag,
                             std::string* name);

// The parts of a port name, which it outlives.
struct PortParts {
  absl::string_view tag;  // empty if there is none
  int index = -1;         // -1 when there is no tag
  absl::string_view name;
};
absl::Status SplitPortName(absl::string_view port, PortParts* parts);

// The same as strings.
absl::Status ParseTagIndexName(absl::string_view port, std::string* tag,
                               int* index, std::string* name);

// Splits a tag index. Nothing at all means tag "" and index 0.
absl::Status ParseTagIndex(absl::string_view tag_index, std::string* tag,
                           int* index);

// The name in a port name, which must be well-formed up to its last ':'; empty
// if it is not.
std::string ParseNameFromStream(absl::string_view port);

// Tag and index of a port name: {"", -1} without a tag.
std::pair<std::string, int> ParseTagIndexFromStream(absl::string_view port);

// "TAG:index", "TAG" for index 0 and below, ":index" without a tag, or "".
std::string CatTag(absl::string_view tag, int index);

// "TAG:index:name", "TAG:name" for index 0, "name" without a tag.
std::string CatStream(const std::pair<std::string, int>& tag_index,
                      absl::string_view name);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_PORT_NAME_H_
