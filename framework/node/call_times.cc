#include "framework/node/call_times.h"

#include <algorithm>
#include <cstdint>

#include "framework/scheduler/task.h"
#include "framework/scheduler/wake_up_rule.h"

namespace syncline {
namespace {

constexpr int kMostCallsBetweenMeasurements = 8192;

}  // namespace

void NoteCost(std::int64_t elapsed_ns, bool always, Invocation* invocation) {
  const std::uint32_t measured = static_cast<std::uint32_t>(
      std::min<std::int64_t>(elapsed_ns, Task::kUnknownCost - 1));
  const std::uint32_t known =
      invocation->cost_ns.load(std::memory_order_relaxed);
  const std::uint32_t cost =
      known == Task::kUnknownCost ? measured : known / 2 + measured / 2;
  invocation->cost_ns.store(cost, std::memory_order_relaxed);
  const int pause = always || cost >= kLongTaskNs
                        ? 0
                        : std::min(2 * invocation->measurement_pause + 15,
                                   kMostCallsBetweenMeasurements);
  invocation->measurement_pause = static_cast<std::int16_t>(pause);
  invocation->calls_to_measure = invocation->measurement_pause;
}

}  // namespace syncline
