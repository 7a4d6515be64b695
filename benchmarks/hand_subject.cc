#include "benchmarks/hand_subject.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "benchmarks/busy_work.h"
#include "benchmarks/graph_calculators.h"
#include "benchmarks/subject.h"
#include "benchmarks/workload.h"

namespace syncline {
namespace {

// The newest packet that nobody has taken. A newer one takes its place.
class Slot {
 public:
  void Put(std::int64_t packet) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      packet_ = packet;
    }
    filled_.notify_one();
  }
  std::int64_t Take() {
    std::unique_lock<std::mutex> lock(mutex_);
    filled_.wait(lock, [this] { return packet_.has_value(); });
    const std::int64_t packet = *packet_;
    packet_.reset();
    return packet;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  absl::optional<std::int64_t> packet_;
};

// A number that one thread raises and another waits for.
class Turn {
 public:
  void Set(std::uint32_t number) {
    number_.store(number);
    Futex(FUTEX_WAKE_PRIVATE, 1);
  }
  void WaitFor(std::uint32_t number) {
    for (;;) {
      const std::uint32_t seen = number_.load();
      if (seen == number) return;
      Futex(FUTEX_WAIT_PRIVATE, seen);
    }
  }

 private:
  void Futex(int operation, std::uint32_t value) {
    syscall(SYS_futex, &number_, operation, value, nullptr, nullptr, 0);
  }

  std::atomic<std::uint32_t> number_{0};
};
static_assert(sizeof(Turn) == sizeof(std::uint32_t));

// There and back between two threads, the median over all packets.
absl::StatusOr<Measurement> RunRoundTrips(const Workload& workload,
                                          std::int64_t packets) {
  const auto count = static_cast<std::uint32_t>(packets);
  Turn there;
  Turn back;
  std::thread other([&] {
    for (std::uint32_t i = 1; i <= count; ++i) {
      there.WaitFor(i);
      back.Set(i);
    }
  });
  std::vector<double> ns;
  for (std::uint32_t i = 1; i <= count; ++i) {
    const Stopwatch stopwatch;
    there.Set(i);
    back.WaitFor(i);
    ns.push_back(stopwatch.ElapsedNs());
  }
  other.join();
  std::sort(ns.begin(), ns.end());
  return TimePerPacket(workload, ns[ns.size() / 2], 1, packets, packets);
}

class HandSubject : public Subject {
 public:
  absl::string_view name() const override { return "by hand"; }

  bool Supports(const Workload& workload, int threads) const override {
    return threads == 2 && (workload.shape == Shape::kFreeFlowLimiter ||
                            workload.shape == Shape::kUntilIdle);
  }

  absl::StatusOr<Measurement> Run(const Workload& workload, int,
                                  std::int64_t packets) override {
    if (workload.shape == Shape::kUntilIdle) {
      return RunRoundTrips(workload, packets);
    }
    const BusyLoops others(workload.busy_loops);
    Slot slot;
    std::atomic<std::int64_t> delivered{0};
    const Stopwatch stopwatch;
    std::thread stage([&] {
      while (delivered.load(std::memory_order_relaxed) < packets) {
        slot.Take();
        BeBusyFor(std::int64_t{1000} * workload.work_us);
        delivered.fetch_add(1, std::memory_order_relaxed);
      }
    });
    while (delivered.load(std::memory_order_relaxed) < packets) {
      slot.Put(MonotonicNs());
    }
    stage.join();
    absl::StatusOr<Measurement> result = TimePerPacket(
        workload, stopwatch.ElapsedNs(), packets, delivered, packets);
    if (result.ok()) {
      result->figures = {{"delivered share",
                          1000.0 * workload.work_us / result->ns_per_packet}};
    }
    return result;
  }
};

}  // namespace

std::unique_ptr<Subject> MakeHandSubject() {
  return std::make_unique<HandSubject>();
}

}  // namespace syncline
