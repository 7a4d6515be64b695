#include "framework/scheduler/core_use.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "framework/base/thread_state.h"

namespace syncline {

CoreUse::CoreUse(int max_threads, int cores) : cores_(cores) {
  if (max_threads > cores) ids_.reserve(std::min(max_threads, kMostNoted));
}

void CoreUse::Begin() {
  if (ids_.size() < ids_.capacity()) ids_.push_back(ThisThreadId());
}

void CoreUse::End() {
  if (ids_.empty()) return;
  const auto mine = std::find(ids_.begin(), ids_.end(), ThisThreadId());
  if (mine != ids_.end()) ids_.erase(mine);
}

std::vector<pid_t> CoreUse::Computing(std::uint64_t returns) {
  if (std::exchange(returns_, returns) != returns) looks_ = 0;
  if (static_cast<int>(ids_.size()) - asleep() < cores_) return {};
  if (++looks_ > kMostLooks) return {};
  return ids_;
}

bool CoreUse::LackCores(const std::vector<pid_t>& threads) const {
  return std::count_if(threads.begin(), threads.end(), IsRunnable) >= cores_;
}

}  // namespace syncline
