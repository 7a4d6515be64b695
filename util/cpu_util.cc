#include "util/cpu_util.h"

#include <algorithm>
#include <set>
#include <thread>
#include <vector>

#include "framework/deps/core_performance.h"
#include "framework/thread_pool_executor.pb.h"

namespace syncline {
namespace {

std::set<int> CoresOf(
    ThreadPoolExecutorOptions::ProcessorPerformance performance) {
  const std::vector<int> cores = CoresWithPerformance(performance);
  return std::set<int>(cores.begin(), cores.end());
}

}  // namespace

int NumCPUCores() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::set<int> InferLowerCoreIds() {
  return CoresOf(ThreadPoolExecutorOptions::LOW);
}

std::set<int> InferHigherCoreIds() {
  return CoresOf(ThreadPoolExecutorOptions::HIGH);
}

}  // namespace syncline
