#include "framework/scheduler/core_performance.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/config/thread_pool_executor.pb.h"

namespace syncline {

std::vector<int> CoresWithPerformance(
    ThreadPoolExecutorOptions::ProcessorPerformance performance,
    const std::string& sys_cpu) {
  std::vector<int> chosen;
  if (performance == ThreadPoolExecutorOptions::NORMAL) return chosen;
  constexpr int kMaxCores = 1024;
  std::vector<long> frequencies;
  for (int core = 0; core < kMaxCores; ++core) {
    std::ifstream file(
        absl::StrCat(sys_cpu, "/cpu", core, "/cpufreq/cpuinfo_max_freq"));
    long frequency = 0;
    if (!(file >> frequency)) break;
    frequencies.push_back(frequency);
  }
  if (frequencies.empty()) return chosen;
  const auto [slow, fast] =
      std::minmax_element(frequencies.begin(), frequencies.end());
  if (*slow == *fast) return chosen;
  const long wanted =
      performance == ThreadPoolExecutorOptions::LOW ? *slow : *fast;
  for (size_t core = 0; core < frequencies.size(); ++core) {
    if (frequencies[core] == wanted) chosen.push_back(static_cast<int>(core));
  }
  return chosen;
}

}  // namespace syncline
