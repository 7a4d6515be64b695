#include "examples/pedestrians/measured_run.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/thread_pool_executor.h"
#include "framework/thread_pool_executor.pb.h"

namespace syncline {
namespace {

constexpr char kPrefix[] = "Measured";

std::atomic<std::int64_t> framework_ns{0};
std::atomic<std::int64_t> framework_pieces{0};
std::atomic<std::int64_t> calculators_ns{0};
std::atomic<std::int64_t> process_calls{0};

std::int64_t ThreadNowNs() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

// What one look at the clock takes: the best of some, as others may interfere.
double LookNs() {
  static const double cost = [] {
    constexpr int kLooks = 1000;
    double best = HUGE_VAL;
    for (int i = 0; i < 10; ++i) {
      const std::int64_t start = ThreadNowNs();
      for (int look = 1; look < kLooks; ++look) ThreadNowNs();
      best =
          std::min(best, static_cast<double>(ThreadNowNs() - start) / kLooks);
    }
    return best;
  }();
  return cost;
}

// Whose time it is on this thread. Calls outside of tasks, as on the thread
// that starts the run, do not count.
class TaskClock {
 public:
  void BeginTask() {
    is_in_task_ = true;
    since_ns_ = ThreadNowNs();
  }
  void EndTask() {
    AddSince(&framework_ns);
    framework_pieces.fetch_add(1, std::memory_order_relaxed);
    is_in_task_ = false;
  }
  void BeginCall() {
    if (!is_in_task_) return;
    AddSince(&framework_ns);
    framework_pieces.fetch_add(1, std::memory_order_relaxed);
  }
  void EndCall() {
    if (is_in_task_) AddSince(&calculators_ns);
  }
  bool is_in_task() const { return is_in_task_; }

 private:
  void AddSince(std::atomic<std::int64_t>* sum) {
    const std::int64_t now_ns = ThreadNowNs();
    sum->fetch_add(now_ns - since_ns_, std::memory_order_relaxed);
    since_ns_ = now_ns;
  }

  bool is_in_task_ = false;
  std::int64_t since_ns_ = 0;
};

thread_local TaskClock task_clock;

// --- Calculators

class MeasuredCalculator : public CalculatorBase {
 public:
  explicit MeasuredCalculator(std::unique_ptr<CalculatorBase> inner)
      : inner_(std::move(inner)) {}

  absl::Status Open(CalculatorContext* cc) override {
    return Measure([&] { return inner_->Open(cc); });
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (task_clock.is_in_task()) {
      process_calls.fetch_add(1, std::memory_order_relaxed);
    }
    return Measure([&] { return inner_->Process(cc); });
  }
  absl::Status Close(CalculatorContext* cc) override {
    return Measure([&] { return inner_->Close(cc); });
  }
  Timestamp SourceProcessOrder(const CalculatorContext* cc) const override {
    return inner_->SourceProcessOrder(cc);
  }

 private:
  template <typename Function>
  static absl::Status Measure(const Function& function) {
    // Also where the calculator throws.
    struct Call {
      Call() { task_clock.BeginCall(); }
      ~Call() { task_clock.EndCall(); }
    } call;
    return function();
  }

  const std::unique_ptr<CalculatorBase> inner_;
};

class MeasuredFactory : public CalculatorBaseFactory {
 public:
  explicit MeasuredFactory(std::unique_ptr<CalculatorBaseFactory> inner)
      : inner_(std::move(inner)) {}
  absl::Status GetContract(CalculatorContract* cc) const override {
    return inner_->GetContract(cc);
  }
  std::unique_ptr<CalculatorBase> CreateCalculator(
      CalculatorContext* cc) const override {
    return std::make_unique<MeasuredCalculator>(inner_->CreateCalculator(cc));
  }

 private:
  const std::unique_ptr<CalculatorBaseFactory> inner_;
};

// The name of the measured form of a calculator, which stays registered.
absl::StatusOr<std::string> MeasuredName(const std::string& calculator) {
  const std::string name = absl::StrCat(kPrefix, calculator);
  if (CalculatorBaseRegistry::IsRegistered(name)) return name;
  SYNCLINE_RETURN_IF_ERROR(
      CalculatorBaseRegistry::CreateByName(calculator).status());
  const auto make = [calculator]() -> std::unique_ptr<CalculatorBaseFactory> {
    auto inner = CalculatorBaseRegistry::CreateByName(calculator);
    return std::make_unique<MeasuredFactory>(*std::move(inner));
  };
  // The token goes without Unregister(), so the name stays.
  SYNCLINE_RETURN_IF_ERROR(
      CalculatorBaseRegistry::TryRegister(name, make).status());
  return name;
}

// --- Executors

class MeasuredQueue : public TaskQueue {
 public:
  explicit MeasuredQueue(TaskQueue* queue) : queue_(queue) {}
  void RunNextTask() override {
    task_clock.BeginTask();
    queue_->RunNextTask();
    task_clock.EndTask();
  }
  void OnTaskLost() override { queue_->OnTaskLost(); }
  void OnExecutorError(const absl::Status& error) override {
    queue_->OnExecutorError(error);
  }

 private:
  TaskQueue* const queue_;
};

// A thread pool for one graph, that is for one queue.
class MeasuredExecutor : public Executor {
 public:
  explicit MeasuredExecutor(int threads) : pool_(threads) {}
  ~MeasuredExecutor() override = default;

  void AddTask(TaskQueue* queue) override { pool_.AddTask(Measured(queue)); }
  void Schedule(std::function<void()> task) override {
    pool_.Schedule(std::move(task));
  }
  int MaxParallelTasks() const override { return pool_.MaxParallelTasks(); }
  int MaxTasksInARow() const override { return pool_.MaxTasksInARow(); }
  bool OthersWait() override { return pool_.OthersWait(); }
  bool Watch(TaskQueue* queue, const WatchedWork* work,
             std::atomic<bool>* watched) override {
    return pool_.Watch(Measured(queue), work, watched);
  }
  void Unwatch(TaskQueue* queue) override { pool_.Unwatch(Measured(queue)); }

 private:
  TaskQueue* Measured(TaskQueue* queue) {
    std::call_once(is_made_, [this, queue] {
      measured_ = std::make_unique<MeasuredQueue>(queue);
    });
    return measured_.get();
  }

  std::once_flag is_made_;
  std::unique_ptr<MeasuredQueue> measured_;
  ThreadPoolExecutor pool_;  // last: its threads use the above
};

}  // namespace

absl::StatusOr<std::map<std::string, std::shared_ptr<Executor>>> MeasureRun(
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
  for (CalculatorGraphConfig::Node& node : *config->mutable_node()) {
    SYNCLINE_ASSIGN_OR_RETURN(*node.mutable_calculator(),
                              MeasuredName(node.calculator()));
  }
  return executors;
}

void ResetMeasuredTimes() {
  LookNs();
  framework_ns = framework_pieces = calculators_ns = process_calls = 0;
}

MeasuredTimes GetMeasuredTimes() {
  const double looking_ns =
      LookNs() * static_cast<double>(framework_pieces.load());
  return {std::max(0.0, static_cast<double>(framework_ns) - looking_ns),
          static_cast<double>(calculators_ns), process_calls};
}

}  // namespace syncline
