#include "examples/pedestrians/measured_run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
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

std::atomic<std::int64_t> workers_ns{0};
std::atomic<std::int64_t> calculators_ns{0};
std::atomic<std::int64_t> process_calls{0};
// Calls outside of tasks, as on the thread that starts the run, do not count.
thread_local bool is_in_task = false;

std::int64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Adds the time that it lives.
class TimeAdder {
 public:
  explicit TimeAdder(std::atomic<std::int64_t>* sum)
      : sum_(sum), start_(NowNs()) {}
  ~TimeAdder() { sum_->fetch_add(NowNs() - start_, std::memory_order_relaxed); }
  TimeAdder(const TimeAdder&) = delete;
  TimeAdder& operator=(const TimeAdder&) = delete;

 private:
  std::atomic<std::int64_t>* const sum_;
  const std::int64_t start_;
};

// --- Calculators

class MeasuredCalculator : public CalculatorBase {
 public:
  explicit MeasuredCalculator(std::unique_ptr<CalculatorBase> inner)
      : inner_(std::move(inner)) {}

  absl::Status Open(CalculatorContext* cc) override {
    return Measure([&] { return inner_->Open(cc); });
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (is_in_task) process_calls.fetch_add(1, std::memory_order_relaxed);
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
    if (!is_in_task) return function();
    const TimeAdder adder(&calculators_ns);
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
    is_in_task = true;
    {
      const TimeAdder adder(&workers_ns);
      queue_->RunNextTask();
    }
    is_in_task = false;
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

void ResetMeasuredTimes() { workers_ns = calculators_ns = process_calls = 0; }

MeasuredTimes GetMeasuredTimes() {
  return {workers_ns, calculators_ns, process_calls};
}

}  // namespace syncline
