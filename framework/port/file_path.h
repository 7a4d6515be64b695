// Functions on the text of paths.
//
// Thread rule: free functions.
// Tested by file_path_test.

#ifndef SYNCLINE_FRAMEWORK_PORT_FILE_PATH_H_
#define SYNCLINE_FRAMEWORK_PORT_FILE_PATH_H_

#include <initializer_list>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace syncline {
namespace file {

// The parts with exactly one "/" between them, whatever slashes they end and
// begin with; empty parts are left out. JoinPath("a/", "/b") is "a/b".
std::string JoinPath(std::initializer_list<absl::string_view> parts);
template <typename... Parts>
std::string JoinPath(const Parts&... parts) {
  return JoinPath({absl::string_view(parts)...});
}

// Splits a path at its last "/": "a/b/c" is "a/b" and "c". Without a "/" the
// first part is empty; the first part of "/c" is "/".
std::pair<absl::string_view, absl::string_view> SplitPath(
    absl::string_view path);
absl::string_view Dirname(absl::string_view path);
absl::string_view Basename(absl::string_view path);

}  // namespace file
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_FILE_PATH_H_
