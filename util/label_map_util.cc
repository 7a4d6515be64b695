#include "util/label_map_util.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "util/label_map.pb.h"
#include "util/str_util.h"

namespace syncline {

absl::StatusOr<proto_ns::Map<std::int64_t, LabelMapItem>>
BuildLabelMapFromFiles(absl::string_view labels_file_contents,
                       absl::string_view display_names_file) {
  proto_ns::Map<std::int64_t, LabelMapItem> classes;
  std::int64_t names = 0;
  ForEachLine(labels_file_contents, [&](absl::string_view line) {
    classes[names++].set_name(std::string(line));
  });
  if (display_names_file.empty()) return classes;

  std::int64_t display_names = 0;
  ForEachLine(display_names_file, [&](absl::string_view line) {
    const auto found = classes.find(display_names++);
    if (found != classes.end()) {
      found->second.set_display_name(std::string(line));
    }
  });
  if (display_names != names) {
    return absl::InvalidArgumentError(
        absl::StrCat("There are ", names, " labels and ", display_names,
                     " display names: give a line of each for every class."));
  }
  return classes;
}

}  // namespace syncline
