#include "framework/base/machine_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace syncline {
namespace {

// A limit in a file of a cgroup; 0 for "max", and where there is no such file.
// Version 1 says "no limit" by a number next to the greatest.
std::int64_t ReadLimit(const std::string& path) {
  constexpr std::int64_t kNoLimit = std::int64_t{1} << 60;
  std::ifstream file(path);
  std::string text;
  file >> text;
  std::int64_t bytes = 0;
  if (!absl::SimpleAtoi(text, &bytes) || bytes <= 0 || bytes >= kNoLimit) {
    return 0;
  }
  return bytes;
}

// Makes `least` the limit in folder `name` of this hierarchy, or in one above
// it, if that is less.
void LookInFolders(const std::string& hierarchy, std::string name,
                   absl::string_view file, MachineMemory* least) {
  for (;;) {
    const std::int64_t bytes =
        ReadLimit(absl::StrCat(hierarchy, name, "/", file));
    if (bytes > 0 && (least->bytes == 0 || bytes < least->bytes)) {
      *least = {bytes,
                absl::StrCat("the cgroup \"", name.empty() ? "/" : name, "\"")};
    }
    if (name.empty()) return;
    name.resize(name.rfind('/') == std::string::npos ? 0 : name.rfind('/'));
  }
}

}  // namespace

MachineMemory FindCgroupMemory(absl::string_view root) {
  MachineMemory least;
  std::ifstream groups(absl::StrCat(root, "/proc/self/cgroup"));
  std::string line;
  // "0::/a/b" for version 2, "4:memory:/a/b" for version 1.
  while (std::getline(groups, line)) {
    const std::vector<std::string> parts =
        absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    std::string name = parts[2] == "/" ? "" : parts[2];
    if (parts[1].empty()) {
      LookInFolders(absl::StrCat(root, "/sys/fs/cgroup"), std::move(name),
                    "memory.max", &least);
    } else if (parts[1] == "memory") {
      LookInFolders(absl::StrCat(root, "/sys/fs/cgroup/memory"),
                    std::move(name), "memory.limit_in_bytes", &least);
    }
  }
  return least;
}

MachineMemory FindMachineMemory() {
  MachineMemory least = {
      std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE),
      "this machine"};
  MachineMemory group = FindCgroupMemory("");
  if (group.bytes > 0 && group.bytes < least.bytes) least = std::move(group);
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      limit.rlim_cur < static_cast<rlim_t>(least.bytes)) {
    least = {static_cast<std::int64_t>(limit.rlim_cur),
             "the limit of the address space"};
  }
  return least;
}

}  // namespace syncline
