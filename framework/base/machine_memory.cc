#include "framework/base/machine_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "framework/base/cgroup_limit.h"

namespace syncline {
namespace {

// A limit in a file of a cgroup; 0 for "max", and where there is no such file.
// Version 1 says "no limit" by a number next to the greatest.
std::int64_t ReadLimit(const std::string& path) {
  constexpr std::int64_t kNoLimit = std::int64_t{1} << 60;
  std::ifstream file = OpenKernelFile(path);
  std::string text;
  file >> text;
  std::int64_t bytes = 0;
  if (!absl::SimpleAtoi(text, &bytes) || bytes <= 0 || bytes >= kNoLimit) {
    return 0;
  }
  return bytes;
}

}  // namespace

MachineMemory FindCgroupMemory(absl::string_view root) {
  CgroupLimit limit = FindCgroupLimit(
      root, "memory",
      [](const std::string& folder) {
        return ReadLimit(folder + "memory.max");
      },
      [](const std::string& folder) {
        return ReadLimit(folder + "memory.limit_in_bytes");
      });
  return {limit.value, std::move(limit.source)};
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
