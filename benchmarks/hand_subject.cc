#include "benchmarks/hand_subject.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

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

class HandSubject : public Subject {
 public:
  absl::string_view name() const override { return "by hand"; }

  bool Supports(const Workload& workload, int threads) const override {
    return workload.shape == Shape::kFreeFlowLimiter && threads == 2;
  }

  absl::StatusOr<Measurement> Run(const Workload& workload, int,
                                  std::int64_t packets) override {
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
