#include "framework/base/usable_cores.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "framework/base/cgroup_limit.h"

namespace syncline {
namespace {

// A quota in microseconds per period, in whole cores. "max" and -1 mean that
// there is none.
std::int64_t InCores(const std::string& quota, const std::string& period) {
  std::int64_t quota_us = 0;
  std::int64_t period_us = 0;
  if (!absl::SimpleAtoi(quota, &quota_us) || quota_us <= 0 ||
      !absl::SimpleAtoi(period, &period_us) || period_us <= 0) {
    return 0;
  }
  return quota_us / period_us + (quota_us % period_us == 0 ? 0 : 1);
}

std::int64_t ReadVersion2(const std::string& folder) {
  std::ifstream file = OpenKernelFile(folder + "cpu.max");
  std::string quota, period;
  file >> quota >> period;
  return InCores(quota, period);
}

std::int64_t ReadVersion1(const std::string& folder) {
  std::string quota, period;
  OpenKernelFile(folder + "cpu.cfs_quota_us") >> quota;
  OpenKernelFile(folder + "cpu.cfs_period_us") >> period;
  return InCores(quota, period);
}

// Of the process, which is that of its first thread: others may be pinned. 0 if
// the kernel does not say.
int CoresOfAffinity() {
  // Large enough for the most cores that a kernel can be built for.
  constexpr int kMostCores = 8192;
  std::vector<cpu_set_t> cores(CPU_ALLOC_SIZE(kMostCores) / sizeof(cpu_set_t));
  const std::size_t size = cores.size() * sizeof(cpu_set_t);
  if (sched_getaffinity(getpid(), size, cores.data()) != 0) return 0;
  return CPU_COUNT_S(size, cores.data());
}

}  // namespace

UsableCores FindCgroupCores(absl::string_view root) {
  CgroupLimit limit = FindCgroupLimit(root, "cpu", ReadVersion2, ReadVersion1);
  constexpr std::int64_t kMost = 1 << 20;
  return {static_cast<int>(std::min(limit.value, kMost)),
          std::move(limit.source)};
}

UsableCores FindUsableCores() {
  const int machine =
      std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  UsableCores least = {machine, "this machine"};
  const int affinity = CoresOfAffinity();
  if (affinity > 0 && affinity < least.count) {
    least = {affinity, "the affinity of the process"};
  }
  UsableCores group = FindCgroupCores("");
  if (group.count > 0 && group.count < least.count) least = std::move(group);
  return least;
}

int NumUsableCores() {
  static const int number = FindUsableCores().count;
  return number;
}

}  // namespace syncline
