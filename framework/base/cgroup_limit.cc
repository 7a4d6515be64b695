#include "framework/base/cgroup_limit.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace syncline {
namespace {

// Makes `least` the limit in folder `name` of this hierarchy, or in one above
// it, if that is less.
void LookInFolders(const std::string& hierarchy, std::string name,
                   CgroupReader read, CgroupLimit* least) {
  for (;;) {
    const std::int64_t value = read(absl::StrCat(hierarchy, name, "/"));
    if (value > 0 && (least->value == 0 || value < least->value)) {
      *least = {value,
                absl::StrCat("the cgroup \"", name.empty() ? "/" : name, "\"")};
    }
    if (name.empty()) return;
    name.resize(name.rfind('/') == std::string::npos ? 0 : name.rfind('/'));
  }
}

}  // namespace

std::ifstream OpenKernelFile(const std::string& path) {
  std::ifstream file;
  file.exceptions(std::ios::badbit);
  file.open(path);
  return file;
}

CgroupLimit FindCgroupLimit(absl::string_view root,
                            absl::string_view controller,
                            CgroupReader version_2, CgroupReader version_1) {
  CgroupLimit least;
  std::ifstream groups =
      OpenKernelFile(absl::StrCat(root, "/proc/self/cgroup"));
  std::string line;
  // "0::/a/b" for version 2, "4:cpu,cpuacct:/a/b" for version 1.
  while (std::getline(groups, line)) {
    const std::vector<std::string> parts =
        absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    std::string name = parts[2] == "/" ? "" : parts[2];
    if (parts[1].empty()) {
      LookInFolders(absl::StrCat(root, "/sys/fs/cgroup"), std::move(name),
                    version_2, &least);
    } else if (absl::c_linear_search(
                   std::vector<std::string>(absl::StrSplit(parts[1], ',')),
                   controller)) {
      LookInFolders(absl::StrCat(root, "/sys/fs/cgroup/", parts[1]),
                    std::move(name), version_1, &least);
    }
  }
  return least;
}

}  // namespace syncline
