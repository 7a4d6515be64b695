#include "framework/scheduler/core_use.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "framework/base/thread_state.h"

namespace syncline {

CoreUse::CoreUse(int max_threads, int cores)
    : cores_(cores), can_lack_cores_(max_threads > cores) {
  if (max_threads > 1) servers_.reserve(std::min(max_threads, kMostNoted));
}

CoreUse::Server CoreUse::ThisThread() {
  return {.id = ThisThreadId(),
          .core = ThisThreadCore(),
          .runs_source = &RunsSource()};
}

void CoreUse::Begin(const Server& server) {
  if (servers_.size() == servers_.capacity()) return;
  servers_.push_back(server);
  num_serving_.store(static_cast<int>(servers_.size()),
                     std::memory_order_relaxed);
}

void CoreUse::End(pid_t id) {
  const auto ended =
      std::find_if(servers_.begin(), servers_.end(),
                   [id](const Server& server) { return server.id == id; });
  if (ended == servers_.end()) return;
  servers_.erase(ended);
  num_serving_.store(static_cast<int>(servers_.size()),
                     std::memory_order_relaxed);
}

std::vector<pid_t> CoreUse::Computing(std::uint64_t returns) {
  if (std::exchange(returns_, returns) != returns) looks_ = 0;
  const int computing = static_cast<int>(servers_.size()) - asleep();
  if (!can_lack_cores_ || computing < cores_) return {};
  if (++looks_ > kMostLooks) return {};
  std::vector<pid_t> ids;
  for (const Server& server : servers_) ids.push_back(server.id);
  return ids;
}

bool CoreUse::LackCores(const std::vector<pid_t>& threads) const {
  return std::count_if(threads.begin(), threads.end(), IsRunnable) >= cores_;
}

void CoreUse::HasLooked(bool in_vain) {
  until_look_.store(in_vain ? kSourcesAfterVainLook : kSourcesBetweenLooks,
                    std::memory_order_relaxed);
}

CoreUse::Neighbours CoreUse::NeighboursOf(const Server& server) const {
  Neighbours neighbours;
  if (server.core == nullptr) return neighbours;
  for (const Server& other : servers_) {
    if (other.id == server.id || other.core == nullptr) continue;
    if (*other.core != *server.core || *other.runs_source) continue;
    neighbours.push_back(other.id);
    if (neighbours.size() == kMostNeighbours) break;
  }
  return neighbours;
}

}  // namespace syncline
