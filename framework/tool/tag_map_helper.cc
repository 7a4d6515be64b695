// See the header.
#include "framework/tool/tag_map_helper.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/port_name.h"
#include "framework/tool/tag_map.h"

namespace syncline {
namespace tool {

absl::StatusOr<std::shared_ptr<const TagMap>> CreateTagMap(
    const std::vector<std::string>& ports) {
  return TagMap::Create(ports);
}

absl::StatusOr<std::shared_ptr<const TagMap>> CreateTagMap(int count) {
  if (count < 0 || count > kMaxCollectionItemId) {
    return absl::InvalidArgumentError(
        absl::StrCat("there cannot be ", count, " ports"));
  }
  std::vector<std::string> ports;
  ports.reserve(count);
  for (int i = 0; i < count; ++i) ports.push_back(absl::StrCat("name", i));
  return TagMap::Create(ports);
}

absl::StatusOr<std::shared_ptr<const TagMap>> CreateTagMapFromTags(
    const std::vector<std::string>& tag_indexes) {
  std::vector<std::string> ports;
  for (const std::string& tag_index : tag_indexes) {
    std::string tag;
    int index;
    absl::Status status = ParseTagIndex(tag_index, &tag, &index);
    if (!status.ok()) return status;
    ports.push_back(
        CatStream({tag, index}, absl::StrCat("name", ports.size())));
  }
  return TagMap::Create(ports);
}

}  // namespace tool
}  // namespace syncline
