#include "examples/pedestrians/measured_run.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "examples/pedestrians/wrapped_calculators.h"
#include "framework/calculator_framework.h"
#include "framework/thread_pool_executor.h"
#include "framework/thread_pool_executor.pb.h"

namespace syncline {
namespace {

constexpr int kOwners = static_cast<int>(TimeOf::kNobody);

struct Sums {
  std::atomic<std::int64_t> ns{0};
  std::atomic<std::int64_t> pieces{0};
};
Sums sums[kOwners];
std::atomic<std::int64_t> process_calls{0};

std::int64_t NowNs(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

// See the header.
clockid_t ClockOf(TimeOf owner) {
  return owner == TimeOf::kFramework ? CLOCK_MONOTONIC
                                     : CLOCK_THREAD_CPUTIME_ID;
}

// The time that reading the clock takes: the fastest of several tries, since
// other threads may interfere.
double MeasureLookNs(clockid_t clock) {
  constexpr int kLooks = 1000;
  double best = HUGE_VAL;
  for (int i = 0; i < 10; ++i) {
    const std::int64_t start = NowNs(clock);
    for (int look = 1; look < kLooks; ++look) NowNs(clock);
    best = std::min(best, static_cast<double>(NowNs(clock) - start) / kLooks);
  }
  return best;
}
double LookNs(TimeOf owner) {
  static const double machine = MeasureLookNs(CLOCK_MONOTONIC);
  static const double thread = MeasureLookNs(CLOCK_THREAD_CPUTIME_ID);
  return owner == TimeOf::kFramework ? machine : thread;
}

// Who uses the time of this thread now. Outside of tasks, for example on the
// thread that starts the run, the time is not counted.
thread_local TimeOf owner = TimeOf::kNobody;
thread_local std::int64_t since_ns = 0;

// From now on the time counts for `next`; returns who used it before.
TimeOf SwitchTo(TimeOf next) {
  if (owner != TimeOf::kNobody) {
    Sums& sum = sums[static_cast<int>(owner)];
    sum.ns.fetch_add(NowNs(ClockOf(owner)) - since_ns,
                     std::memory_order_relaxed);
    sum.pieces.fetch_add(1, std::memory_order_relaxed);
  }
  if (next != TimeOf::kNobody) since_ns = NowNs(ClockOf(next));
  return std::exchange(owner, next);
}

// Counts the time of a scope for `next`, also if an exception ends the scope.
// It does nothing outside of a task.
class TimeIn {
 public:
  explicit TimeIn(TimeOf next) {
    if (owner != TimeOf::kNobody) before_ = SwitchTo(next);
  }
  ~TimeIn() {
    if (before_ != TimeOf::kNobody) SwitchTo(before_);
  }
  TimeIn(const TimeIn&) = delete;
  TimeIn& operator=(const TimeIn&) = delete;

 private:
  TimeOf before_ = TimeOf::kNobody;
};

// --- Calculators

class MeasuredCalculator : public CalculatorBase {
 public:
  explicit MeasuredCalculator(std::unique_ptr<CalculatorBase> inner)
      : inner_(std::move(inner)) {}

  absl::Status Open(CalculatorContext* cc) override {
    TimeIn calculators(TimeOf::kCalculators);
    return inner_->Open(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    process_calls.fetch_add(1, std::memory_order_relaxed);
    absl::Status status;
    {
      TimeIn calculators(TimeOf::kCalculators);
      status = inner_->Process(cc);
    }
    // Drops the input packets here, as the framework would right after the
    // call, to count the time of their destructors.
    TimeIn packets(TimeOf::kPackets);
    for (InputStreamShard& input : cc->Inputs()) input.Value() = Packet();
    return status;
  }
  absl::Status Close(CalculatorContext* cc) override {
    TimeIn calculators(TimeOf::kCalculators);
    return inner_->Close(cc);
  }
  Timestamp SourceProcessOrder(const CalculatorContext* cc) const override {
    return inner_->SourceProcessOrder(cc);
  }

 private:
  const std::unique_ptr<CalculatorBase> inner_;
};

// --- Executors

class MeasuredQueue : public TaskQueue {
 public:
  explicit MeasuredQueue(TaskQueue* queue) : queue_(queue) {}
  void RunNextTask() override {
    SwitchTo(TimeOf::kFramework);
    queue_->RunNextTask();
    SwitchTo(TimeOf::kNobody);
  }
  void OnTaskLost() override { queue_->OnTaskLost(); }
  void OnExecutorError(const absl::Status& error) override {
    queue_->OnExecutorError(error);
  }

 private:
  TaskQueue* const queue_;
};

// A thread pool for one executor of the graph, with one task queue.
class MeasuredExecutor : public Executor {
 public:
  explicit MeasuredExecutor(int threads) : pool_(threads) {}
  ~MeasuredExecutor() override = default;

  void AddTask(TaskQueue* queue) override {
    TimeIn threads(TimeOf::kThreads);
    pool_.AddTask(Measured(queue));
  }
  void Schedule(std::function<void()> task) override {
    pool_.Schedule(std::move(task));
  }
  int MaxParallelTasks() const override { return pool_.MaxParallelTasks(); }
  int MaxTasksInARow() const override { return pool_.MaxTasksInARow(); }
  bool OthersWait() override { return pool_.OthersWait(); }
  bool Watch(TaskQueue* queue, const WatchedWork* work,
             std::atomic<bool>* watched) override {
    TimeIn threads(TimeOf::kThreads);
    return pool_.Watch(Measured(queue), work, watched);
  }
  void Unwatch(TaskQueue* queue) override {
    TimeIn threads(TimeOf::kThreads);
    pool_.Unwatch(Measured(queue));
  }

 private:
  TaskQueue* Measured(TaskQueue* queue) {
    std::call_once(is_made_, [this, queue] {
      measured_ = std::make_unique<MeasuredQueue>(queue);
    });
    return measured_.get();
  }

  std::once_flag is_made_;
  std::unique_ptr<MeasuredQueue> measured_;
  ThreadPoolExecutor pool_;  // the last member: its threads use the others
};

}  // namespace

absl::Status MeasureCalculators(CalculatorGraphConfig* config) {
  const auto wrap = [](std::unique_ptr<CalculatorBase> inner) {
    return std::make_unique<MeasuredCalculator>(std::move(inner));
  };
  for (CalculatorGraphConfig::Node& node : *config->mutable_node()) {
    SYNCLINE_ASSIGN_OR_RETURN(
        *node.mutable_calculator(),
        RegisterWrapped("Measured", node.calculator(), wrap));
  }
  return absl::OkStatus();
}

std::map<std::string, std::shared_ptr<Executor>> MeasuringExecutors(
    int threads, CalculatorGraphConfig* config) {
  if (threads == 0) {
    threads =
        static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  }
  std::map<std::string, std::shared_ptr<Executor>> executors;
  executors[""] = std::make_shared<MeasuredExecutor>(threads);
  for (ExecutorConfig& executor : *config->mutable_executor()) {
    if (executor.name().empty()) continue;
    const auto& options =
        executor.options().GetExtension(ThreadPoolExecutorOptions::ext);
    executors[executor.name()] =
        std::make_shared<MeasuredExecutor>(std::max(1, options.num_threads()));
    executor.clear_type();
    executor.clear_options();
  }
  return executors;
}

std::function<absl::Status(const Packet&)> MeasuredObserver(
    std::function<void(const Packet&)> observer) {
  return [observer = std::move(observer)](const Packet& packet) {
    TimeIn observers(TimeOf::kObservers);
    observer(packet);
    return absl::OkStatus();
  };
}

void ResetMeasuredTimes() {
  LookNs(TimeOf::kFramework);
  for (Sums& sum : sums) sum.ns = sum.pieces = 0;
  process_calls = 0;
}

MeasuredTimes GetMeasuredTimes() {
  MeasuredTimes times;
  for (int i = 0; i < kOwners; ++i) {
    const double looking_ns = LookNs(static_cast<TimeOf>(i)) *
                              static_cast<double>(sums[i].pieces.load());
    times.ns[i] =
        std::max(0.0, static_cast<double>(sums[i].ns.load()) - looking_ns);
  }
  times.process_calls = process_calls;
  return times;
}

}  // namespace syncline
