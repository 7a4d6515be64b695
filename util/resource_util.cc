#include "util/resource_util.h"

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/deps/file_helpers.h"
#include "framework/deps/file_path.h"
#include "framework/deps/no_destructor.h"
#include "framework/port/status_macros.h"
#include "util/resource_util_custom.h"

ABSL_FLAG(std::string, resource_root_dir, "",
          "The folder under which resources are looked for.");

namespace syncline {
namespace {

ResourceProviderFn& Provider() {
  static NoDestructor<ResourceProviderFn> provider;
  return *provider;
}

// The folder in which Bazel puts the runfiles of the program.
std::vector<std::string> RunfilesFolders() {
  std::vector<std::string> folders;
  for (const char* variable : {"TEST_SRCDIR", "RUNFILES_DIR"}) {
    const char* folder = std::getenv(variable);
    if (folder == nullptr) continue;
    const char* workspace = std::getenv("TEST_WORKSPACE");
    folders.push_back(
        file::JoinPath(folder, workspace != nullptr ? workspace : "syncline"));
    folders.push_back(folder);
  }
  return folders;
}

}  // namespace

absl::StatusOr<std::string> PathToResourceAsFile(const std::string& path,
                                                 bool shadow_copy) {
  std::vector<std::string> places;
  const std::string root = absl::GetFlag(FLAGS_resource_root_dir);
  if (absl::StartsWith(path, "/")) {
    places = {path};
  } else if (!root.empty()) {
    places = {file::JoinPath(root, path)};
  } else {
    places = {path};
    for (const std::string& folder : RunfilesFolders()) {
      places.push_back(file::JoinPath(folder, path));
    }
  }
  for (const std::string& place : places) {
    if (file::Exists(place).ok()) return place;
  }
  return absl::NotFoundError(
      absl::StrCat("There is no resource \"", path, "\": looked for \"",
                   absl::StrJoin(places, "\", \""),
                   "\". --resource_root_dir says where resources are."));
}

absl::Status GetResourceContents(const std::string& path, std::string* output,
                                 bool read_as_binary) {
  if (Provider() != nullptr) return Provider()(path, output);
  SYNCLINE_ASSIGN_OR_RETURN(const std::string place,
                            PathToResourceAsFile(path));
  return file::GetContents(place, output, read_as_binary);
}

bool SetCustomGlobalResourceProvider(ResourceProviderFn fn) {
  const bool was_free = Provider() == nullptr;
  Provider() = std::move(fn);
  return was_free;
}

}  // namespace syncline
