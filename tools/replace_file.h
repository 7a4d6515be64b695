// ReplaceFile: gives a file new contents so that whoever reads it sees the old
// ones or the new ones, and never a part.
//
// Thread rule: a free function.
// Tested by replace_file_test.

#ifndef SYNCLINE_TOOLS_REPLACE_FILE_H_
#define SYNCLINE_TOOLS_REPLACE_FILE_H_

#include <functional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tools/output_file.h"

namespace syncline {

// The file keeps its rights, and a link its target. "-" is standard output; it,
// pipes and devices are written as they are. An error names the file, and
// leaves it as it was. `program` stands before what standard error tells.
absl::Status ReplaceFile(absl::string_view program, const std::string& path,
                         absl::string_view bytes);
// The same, piece by piece, as WriteFile has it. Where `content` returns an
// error, the file stays as it was, too.
absl::Status ReplaceFile(
    absl::string_view program, const std::string& path,
    absl::FunctionRef<absl::Status(WritePiece write)> content,
    std::function<bool()> gives_up = nullptr);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_REPLACE_FILE_H_
