#include "framework/port/file_path.h"

#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace syncline {
namespace file {

std::string JoinPath(std::initializer_list<absl::string_view> parts) {
  std::string path;
  for (absl::string_view part : parts) {
    if (part.empty()) continue;
    if (!path.empty()) {
      if (!absl::EndsWith(path, "/")) path.push_back('/');
      while (absl::ConsumePrefix(&part, "/")) {
      }
    }
    absl::StrAppend(&path, part);
  }
  return path;
}

std::pair<absl::string_view, absl::string_view> SplitPath(
    absl::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == absl::string_view::npos) return {path.substr(0, 0), path};
  // The root, "/", keeps its slash.
  return {path.substr(0, slash == 0 ? 1 : slash), path.substr(slash + 1)};
}

absl::string_view Dirname(absl::string_view path) {
  return SplitPath(path).first;
}

absl::string_view Basename(absl::string_view path) {
  return SplitPath(path).second;
}

}  // namespace file
}  // namespace syncline
