#include "tools/path_hint.h"

#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace syncline {

std::string PathHint(absl::string_view path) {
  const char* const folder = std::getenv("BUILD_WORKING_DIRECTORY");
  if (folder == nullptr || absl::StartsWith(path, "/")) return "";
  return absl::StrCat(
      "; bazel run starts programs in another folder, so give "
      "the whole path: ",
      folder, "/", path);
}

}  // namespace syncline
