#include "tools/installed_plugins.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/base/plugin.h"
#include "framework/tool/graph_page.h"
#include "gpu/known_names.h"
#include "tools/exit_status.h"

namespace syncline {
namespace {

constexpr char kSuffix[] = ".so";

// Programs open these by themselves: with the page of a run, and with devices.
bool IsForGraphs(absl::string_view name) {
  return name != internal::kPagePlugin && name != gpu::internal::kCudaPlugin;
}

std::string FileIn(const std::string& folder, absl::string_view name) {
  return absl::StrCat(folder, "/", name, kSuffix);
}

bool IsFile(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

}  // namespace

std::vector<std::string> PluginsIn(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator files(folder, error);
  const std::filesystem::directory_iterator end;
  while (!error && files != end) {
    if (files->path().extension() == kSuffix) {
      names.push_back(files->path().stem().string());
    }
    files.increment(error);
  }
  std::sort(names.begin(), names.end());
  return names;
}

absl::StatusOr<std::string> PluginFile(const std::string& given,
                                       const std::string& folder) {
  const bool is_bare =
      !given.empty() && given.find_first_of("/.") == std::string::npos;
  if (!is_bare) return given;
  std::string installed = InstalledPlugin(given, folder);
  if (!installed.empty()) return installed;
  if (IsFile(given)) return given;
  const std::vector<std::string> names = PluginsIn(folder);
  return absl::NotFoundError(absl::StrCat(
      "there is no plug-in \"", ShownName(given), "\" in \"", ShownName(folder),
      "\"",
      names.empty()
          ? ", nor any other"
          : absl::StrCat(", but ", ShownName(absl::StrJoin(names, ", "))),
      "; and no file of that name here. Install it (one of Syncline's by the "
      "package syncline-plugin-",
      ShownName(given), "), or name its file"));
}

std::string OtherPluginsHint(const std::vector<std::string>& opened,
                             const std::string& folder) {
  std::vector<std::string> others;
  for (const std::string& name : PluginsIn(folder)) {
    if (!IsForGraphs(name)) continue;
    const std::string file = FileIn(folder, name);
    if (std::find(opened.begin(), opened.end(), file) == opened.end()) {
      others.push_back(ShownName(name));
    }
  }
  if (others.empty()) return "";
  return absl::StrCat(
      "Installed and not opened: ", absl::StrJoin(others, ", "),
      ". What is missing may be there: add --plugin=", others.front());
}

}  // namespace syncline
