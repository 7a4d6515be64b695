#include "framework/node/call_times.h"

#include <sys/resource.h>
#include <sys/time.h>

#include <algorithm>
#include <cstdint>

#include "framework/scheduler/task.h"
#include "framework/scheduler/wake_up_rule.h"

namespace syncline {
namespace {

constexpr int kMostCallsBetweenMeasurements = 8192;
constexpr int kLongCallsBetweenAsking = 8;

bool IsKnownLong(std::uint32_t cost) {
  return cost != Task::kUnknownCost && cost >= kLongTaskNs;
}

}  // namespace

void NoteCost(std::int64_t elapsed_ns, bool always, Invocation* invocation) {
  const std::uint32_t measured = static_cast<std::uint32_t>(
      std::min<std::int64_t>(elapsed_ns, Task::kSleeps - 2));
  const std::uint32_t known =
      invocation->cost_ns.load(std::memory_order_relaxed);
  const std::uint32_t cost = known == Task::kUnknownCost
                                 ? measured
                                 : (known & ~Task::kSleeps) / 2 + measured / 2;
  const bool is_long = cost >= kLongTaskNs;
  // The note whether a long call sleeps stays until NoteSleep changes it.
  invocation->cost_ns.store(is_long ? cost | (known & Task::kSleeps) : cost,
                            std::memory_order_relaxed);
  const int last = invocation->measurement_pause;
  int pause = 0;
  if (is_long) {
    // Below 0: so many long calls are left until the kernel is asked again.
    pause = std::min(last + 1, 0);
  } else if (!always) {
    pause = std::min(2 * std::max(last, 0) + 15, kMostCallsBetweenMeasurements);
  }
  invocation->measurement_pause = static_cast<std::int16_t>(pause);
  invocation->calls_to_measure = static_cast<std::int16_t>(std::max(pause, 0));
}

ThreadUse ThreadUse::Now() {
  rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  const auto ns = [](const timeval& time) {
    return std::int64_t{time.tv_sec} * 1000000000 +
           std::int64_t{time.tv_usec} * 1000;
  };
  return {.cpu_ns = ns(usage.ru_utime) + ns(usage.ru_stime),
          .waits = usage.ru_nvcsw,
          .losses = usage.ru_nivcsw};
}

bool AsksForSleep(const Invocation& invocation) {
  return invocation.measurement_pause == 0 &&
         IsKnownLong(invocation.cost_ns.load(std::memory_order_relaxed));
}

void NoteSleep(const ThreadUse& before, const ThreadUse& after,
               std::int64_t elapsed_ns, Invocation* invocation) {
  const std::uint32_t cost =
      invocation->cost_ns.load(std::memory_order_relaxed);
  if (!IsKnownLong(cost)) return;
  const bool sleeps =
      after.waits - before.waits > after.losses - before.losses &&
      after.cpu_ns - before.cpu_ns <= elapsed_ns / 2;
  invocation->cost_ns.store(
      sleeps ? cost | Task::kSleeps : cost & ~Task::kSleeps,
      std::memory_order_relaxed);
  invocation->measurement_pause = -kLongCallsBetweenAsking;
}

}  // namespace syncline
