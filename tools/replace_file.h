// ReplaceFile: gives a file new contents so that whoever reads it sees the old
// ones or the new ones, and never a part.
//
// Thread rule: a free function.
// Tested by replace_file_test.

#ifndef SYNCLINE_TOOLS_REPLACE_FILE_H_
#define SYNCLINE_TOOLS_REPLACE_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace syncline {

// The file keeps its rights, and a link its target. "-" is standard output; it,
// pipes and devices are written as they are. An error names the file, and
// leaves it as it was. `program` stands before what standard error tells.
absl::Status ReplaceFile(absl::string_view program, const std::string& path,
                         absl::string_view bytes);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_REPLACE_FILE_H_
