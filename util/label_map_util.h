// Reads the classes of a model from the files that come with it.
//
// Thread rule: free functions.
// Tested by label_map_util_test.

#ifndef SYNCLINE_UTIL_LABEL_MAP_UTIL_H_
#define SYNCLINE_UTIL_LABEL_MAP_UTIL_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/port/proto_ns.h"
#include "google/protobuf/map.h"
#include "util/label_map.pb.h"

namespace syncline {

// The classes by number. The name of class i is line i of the first text,
// counted from 0. Its name for people is line i of the second text, which may
// be empty. INVALID_ARGUMENT if the second text has another number of lines
// than the first.
absl::StatusOr<proto_ns::Map<std::int64_t, LabelMapItem>>
BuildLabelMapFromFiles(absl::string_view labels_file_contents,
                       absl::string_view display_names_file);

}  // namespace syncline

#endif  // SYNCLINE_UTIL_LABEL_MAP_UTIL_H_
