#include "framework/scheduler/core_performance.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/config/thread_pool_executor.pb.h"

namespace syncline {
namespace {

// The numbers of the folders cpu0, cpu1, ... There may be gaps.
std::vector<int> Cores(const std::string& sys_cpu) {
  std::vector<int> cores;
  std::error_code error;
  for (std::filesystem::directory_iterator it(sys_cpu, error), end;
       !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    absl::string_view number = name;
    int core = 0;
    if (absl::ConsumePrefix(&number, "cpu") &&
        absl::SimpleAtoi(number, &core)) {
      cores.push_back(core);
    }
  }
  return cores;
}

// What the file of each core says. Cores that have none are left out: they are
// switched off.
std::map<int, double> Ratings(const std::string& sys_cpu,
                              const std::vector<int>& cores,
                              absl::string_view file_name) {
  std::map<int, double> ratings;
  for (const int core : cores) {
    std::ifstream file(absl::StrCat(sys_cpu, "/cpu", core, "/", file_name));
    double rating = 0;
    if (file >> rating) ratings[core] = rating;
  }
  return ratings;
}

}  // namespace

std::vector<int> CoresWithPerformance(
    ThreadPoolExecutorOptions::ProcessorPerformance performance,
    const std::string& sys_cpu) {
  std::vector<int> chosen;
  if (performance == ThreadPoolExecutorOptions::NORMAL) return chosen;
  const std::vector<int> cores = Cores(sys_cpu);
  std::map<int, double> ratings = Ratings(sys_cpu, cores, "cpu_capacity");
  if (ratings.empty()) {
    ratings = Ratings(sys_cpu, cores, "cpufreq/cpuinfo_max_freq");
  }
  if (ratings.empty()) return chosen;
  const auto [slowest, fastest] = std::minmax_element(
      ratings.begin(), ratings.end(),
      [](const auto& a, const auto& b) { return a.second < b.second; });
  if (slowest->second > 0.8 * fastest->second) return chosen;
  const double middle = (slowest->second + fastest->second) / 2;
  const bool wants_fast = performance == ThreadPoolExecutorOptions::HIGH;
  for (const auto& [core, rating] : ratings) {
    if ((rating > middle) == wants_fast) chosen.push_back(core);
  }
  return chosen;
}

}  // namespace syncline
