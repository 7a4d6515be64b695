// Making a tool::TagMap from a list of ports, a number of ports or tags.
//
// Thread rule: pure functions.
// Tested by name_util_test.
#ifndef SYNCLINE_FRAMEWORK_TOOL_TAG_MAP_HELPER_H_
#define SYNCLINE_FRAMEWORK_TOOL_TAG_MAP_HELPER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "framework/tool/tag_map.h"

namespace syncline {
namespace tool {

// Makes a TagMap of ports as a config has them: "TAG:index:name".
absl::StatusOr<std::shared_ptr<const TagMap>> CreateTagMap(
    const std::vector<std::string>& ports);
// Makes a TagMap of `count` ports without tags, named name0, name1, ...
// INVALID_ARGUMENT if `count` is negative or too large.
absl::StatusOr<std::shared_ptr<const TagMap>> CreateTagMap(int count);
// Makes a TagMap of one port for each text ("TAG", "TAG:1"), named name0,
// name1, ...
absl::StatusOr<std::shared_ptr<const TagMap>> CreateTagMapFromTags(
    const std::vector<std::string>& tag_indexes);

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_TAG_MAP_HELPER_H_
