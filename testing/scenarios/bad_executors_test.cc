// Executors that do not do what they are asked to. A user's executor may drop,
// repeat, reorder, delay, run in place or refuse what it is given, and may let
// go of it late; the run then ends with an error that says so, or well.
#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/calculator_framework.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/scheduler/executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

using Tasks = std::vector<std::function<void()>>;

// Keeps what it is given until the test asks for it.
class HoldingExecutor : public Executor {
 public:
  void Schedule(std::function<void()> task) override {
    MutexLock lock(&mutex_);
    tasks_.push_back(std::move(task));
    changed_.SignalAll();
  }
  Tasks TakeAll() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return std::exchange(tasks_, {});
  }
  void WaitForTasks() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    while (tasks_.empty()) changed_.Wait(&mutex_);
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  Tasks tasks_ ABSL_GUARDED_BY(mutex_);
};

// Does `behave` with each task, on the thread that gives it.
class OddExecutor : public Executor {
 public:
  using Behave = std::function<void(std::function<void()>)>;
  explicit OddExecutor(Behave behave) : behave_(std::move(behave)) {}
  void Schedule(std::function<void()> task) override {
    behave_(std::move(task));
  }

 private:
  const Behave behave_;
};

// Runs tasks on a thread of its own, in the order that a seed chooses, each so
// many times.
class ShufflingExecutor : public Executor {
 public:
  ShufflingExecutor(int seed, int times)
      : times_(times), random_(seed), thread_([this] { Run(); }) {}
  ~ShufflingExecutor() override {
    {
      MutexLock lock(&mutex_);
      is_over_ = true;
      changed_.SignalAll();
    }
    thread_.join();
  }
  void Schedule(std::function<void()> task) override {
    MutexLock lock(&mutex_);
    tasks_.push_back(std::move(task));
    changed_.SignalAll();
  }

 private:
  void Run() {
    for (;;) {
      std::function<void()> task;
      {
        MutexLock lock(&mutex_);
        while (tasks_.empty() && !is_over_) changed_.Wait(&mutex_);
        if (tasks_.empty()) return;
        std::swap(tasks_[random_() % tasks_.size()], tasks_.back());
        task = std::move(tasks_.back());
        tasks_.pop_back();
      }
      for (int i = 0; i < times_; ++i) task();
    }
  }

  const int times_;
  std::mt19937 random_;
  Mutex mutex_;
  CondVar changed_;
  Tasks tasks_ ABSL_GUARDED_BY(mutex_);
  bool is_over_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

// The middle of three nodes runs on the odd executor.
constexpr char kChain[] = R"pb(
  executor { name: "odd" }
  input_stream: "in"
  node { calculator: "SumCalculator" input_stream: "in" output_stream: "a" }
  node {
    calculator: "SumCalculator"
    name: "middle"
    executor: "odd"
    input_stream: "a"
    output_stream: "b"
  }
  node { calculator: "SumCalculator" input_stream: "b" output_stream: "out" })pb";

constexpr int kPackets = 50;

LiteralStream<int> Numbers(int count) {
  LiteralStream<int> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back({i, i});
  return numbers;
}

// Under a seed no executor would be asked.
class BadExecutorsTest : public WorkersTest {
 protected:
  // Runs the chain, and expects all of it to come out.
  static void ExpectAllComesOut(std::shared_ptr<Executor> executor) {
    GraphHarness graph(kChain, GetParam());
    graph.SetExecutor("odd", std::move(executor));
    graph.Feed("in", Numbers(kPackets));
    for (int run = 0; run < 3; ++run) {
      SYNCLINE_ASSERT_OK(graph.Run());
      graph.Expect("out", Numbers(kPackets));
    }
  }
  static absl::Status RunChain(std::shared_ptr<Executor> executor) {
    GraphHarness graph(kChain, GetParam());
    graph.SetExecutor("odd", std::move(executor));
    graph.Feed("in", Numbers(kPackets));
    return graph.Run();
  }
};
SYNCLINE_TEST_WITH_THREADS(BadExecutorsTest);

TEST_P(BadExecutorsTest, TasksThatRunInPlaceRunWell) {
  ExpectAllComesOut(std::make_shared<OddExecutor>(
      [](const std::function<void()>& task) { task(); }));
}

TEST_P(BadExecutorsTest, TasksThatRunInPlaceAndTwiceRunOnce) {
  ExpectAllComesOut(
      std::make_shared<OddExecutor>([](const std::function<void()>& task) {
        const std::function<void()> copy = task;
        task();
        copy();
      }));
}

TEST_P(BadExecutorsTest, TasksThatRunInAnyOrderAndTwiceRunWell) {
  for (int seed = 1; seed <= 5; ++seed) {
    ExpectAllComesOut(std::make_shared<ShufflingExecutor>(seed, 1));
    ExpectAllComesOut(std::make_shared<ShufflingExecutor>(seed, 2));
  }
}

TEST_P(BadExecutorsTest, AThreadForEachTaskRunsWell) {
  Mutex mutex;
  std::vector<std::thread> threads;
  const auto executor =
      std::make_shared<OddExecutor>([&](std::function<void()> task) {
        MutexLock lock(&mutex);
        threads.emplace_back(std::move(task));
      });
  ExpectAllComesOut(executor);
  // The last ones may still be on their way.
  std::vector<std::thread> all;
  {
    MutexLock lock(&mutex);
    all.swap(threads);
  }
  for (std::thread& thread : all) thread.join();
}

TEST_P(BadExecutorsTest, ADroppedTaskEndsTheRunWithAnErrorThatSaysSo) {
  const absl::Status status = RunChain(
      std::make_shared<OddExecutor>([](const std::function<void()>&) {}));
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInternal,
                               HasSubstr("executor dropped a task")));
}

TEST_P(BadExecutorsTest, ATaskThatIsDroppedLaterEndsTheRunToo) {
  for (int kept = 1; kept <= 4; ++kept) {
    std::atomic<int> left{kept};
    const absl::Status status = RunChain(
        std::make_shared<OddExecutor>([&](const std::function<void()>& task) {
          if (left.fetch_sub(1) > 0) task();
        }));
    // All of it may have been done in so many tasks.
    if (status.ok()) continue;
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInternal,
                                 HasSubstr("executor dropped a task")));
  }
}

TEST_P(BadExecutorsTest, ADropOfOnesDefaultExecutorEndsTheRunToo) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.SetExecutor(
      "", std::make_shared<OddExecutor>([](const std::function<void()>&) {})));
  SYNCLINE_ASSERT_OK(graph.Initialize(ParseTextProtoOrDie<
                                      CalculatorGraphConfig>(R"pb(
    node { calculator: "NumberSourceCalculator" output_stream: "a" })pb")));
  for (int run = 0; run < 2; ++run) {
    EXPECT_THAT(graph.Run(), StatusIs(absl::StatusCode::kInternal,
                                      HasSubstr("executor dropped a task")));
  }
}

TEST_P(BadExecutorsTest, ADelayedTaskIsWaitedFor) {
  const auto executor = std::make_shared<HoldingExecutor>();
  GraphHarness graph(kChain, GetParam());
  graph.SetExecutor("odd", executor);
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", Numbers(3));
  std::thread late([&] {
    // Twice: to open, and for the packets; the rest may come in any pieces.
    for (int i = 0; i < 100 && graph.Count("b") < 3; ++i) {
      executor->WaitForTasks();
      for (const auto& task : executor->TakeAll()) task();
    }
  });
  graph.Idle();
  late.join();
  graph.Expect("out", Numbers(3));
  graph.graph().Cancel();
  EXPECT_THAT(graph.Finish(), StatusIs(absl::StatusCode::kCancelled));
}

TEST_P(BadExecutorsTest, TasksThatNeverRunDoNotOutlastACancel) {
  const auto executor = std::make_shared<HoldingExecutor>();
  Tasks late;
  {
    GraphHarness graph(kChain, GetParam());
    graph.SetExecutor("odd", executor);
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Feed("in", Numbers(3));
    graph.graph().Cancel();
    EXPECT_THAT(graph.Finish(), StatusIs(absl::StatusCode::kCancelled));
    // In the next run they find nothing of theirs.
    SYNCLINE_ASSERT_OK(graph.Start());
    late = executor->TakeAll();
    for (const auto& task : late) task();
    graph.Destroy();
  }
  // Nor do they find anything when there is no graph any more.
  for (const auto& task : executor->TakeAll()) task();
  for (const auto& task : late) task();
}

TEST_P(BadExecutorsTest, TasksThatAreDroppedAfterTheGraphIsGoneHarmNobody) {
  const auto executor = std::make_shared<HoldingExecutor>();
  {
    GraphHarness graph(kChain, GetParam());
    graph.SetExecutor("odd", executor);
    SYNCLINE_ASSERT_OK(graph.Start());
  }
  executor->TakeAll();
}

TEST_P(BadExecutorsTest, TheGraphKeepsItsExecutor) {
  std::weak_ptr<Executor> weak;
  {
    GraphHarness graph(kChain, GetParam());
    auto executor = std::make_shared<ShufflingExecutor>(1, 1);
    weak = executor;
    graph.SetExecutor("odd", std::move(executor));
    graph.Feed("in", Numbers(kPackets));
    SYNCLINE_EXPECT_OK(graph.Run());
    graph.Expect("out", Numbers(kPackets));
    EXPECT_FALSE(weak.expired());
  }
  EXPECT_TRUE(weak.expired());
}

// --- By registration

enum class Maker { kError, kNull, kThrow, kDropper };
Maker maker = Maker::kError;

class OddMadeExecutor : public OddExecutor {
 public:
  OddMadeExecutor() : OddExecutor([](const std::function<void()>&) {}) {}
  static absl::StatusOr<Executor*> Create(const SynclineOptions&) {
    switch (maker) {
      case Maker::kError:
        return absl::ResourceExhaustedError("no threads left");
      case Maker::kNull:
        return nullptr;
      case Maker::kThrow:
        throw std::runtime_error("thrown by Create");
      case Maker::kDropper:
        break;
    }
    return new OddMadeExecutor();
  }
};
REGISTER_EXECUTOR(OddMadeExecutor);

TEST_P(BadExecutorsTest, ARegisteredOneThatIsNotMadeIsAnErrorOfInitialize) {
  const std::pair<Maker, const char*> cases[] = {
      {Maker::kError, "no threads left"},
      {Maker::kNull, "null"},
      {Maker::kThrow, "thrown by Create"},
      {Maker::kDropper, "executor dropped a task"}};
  for (const auto& [made, message] : cases) {
    maker = made;
    GraphHarness graph(R"pb(
                         executor { name: "mine" type: "OddMadeExecutor" }
                         node {
                           calculator: "NumberSourceCalculator"
                           executor: "mine"
                           output_stream: "a"
                         })pb",
                       GetParam());
    EXPECT_EQ(graph.Initialize().ok(), made == Maker::kDropper);
    const absl::Status status = graph.Run();
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(status.message(), HasSubstr(message));
    if (made != Maker::kDropper) {
      EXPECT_THAT(status.message(), HasSubstr("mine"));
    }
  }
}

void ThrowRuntimeError() { throw std::runtime_error("no more threads"); }
void ThrowBadAlloc() { throw std::bad_alloc(); }
void ThrowInt() { throw 7; }

TEST_P(BadExecutorsTest, AThrowingScheduleIsAnErrorOfTheRun) {
  for (const auto throw_something :
       {ThrowRuntimeError, ThrowBadAlloc, ThrowInt}) {
    for (int kept = 0; kept <= 3; ++kept) {
      std::atomic<int> left{kept};
      const absl::Status status = RunChain(
          std::make_shared<OddExecutor>([&](const std::function<void()>& task) {
            if (left.fetch_sub(1) <= 0) throw_something();
            task();
          }));
      if (kept > 0 && status.ok()) continue;
      EXPECT_FALSE(status.ok());
      EXPECT_THAT(status.message(), HasSubstr("xecutor"));
    }
  }
}

TEST_P(BadExecutorsTest, ATaskThatRanAndThenThrowsInScheduleIsAnErrorToo) {
  const absl::Status status = RunChain(
      std::make_shared<OddExecutor>([](const std::function<void()>& task) {
        task();
        ThrowRuntimeError();
      }));
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message(), HasSubstr("no more threads"));
}

// Throws from one of the functions that a run asks things of its executor with.
class ThrowingExecutor : public OddExecutor {
 public:
  enum class In { kWatch, kUnwatch, kOthersWait };
  explicit ThrowingExecutor(In in)
      : OddExecutor([](const std::function<void()>& task) { task(); }),
        in_(in) {}
  int MaxTasksInARow() const override { return 1; }
  bool OthersWait() override {
    Throw(In::kOthersWait);
    return false;
  }
  bool Watch(TaskQueue*, const WatchedWork*, std::atomic<bool>*) override {
    Throw(In::kWatch);
    return false;
  }
  void Unwatch(TaskQueue*) override { Throw(In::kUnwatch); }

 private:
  void Throw(In in) const {
    if (in == in_) ThrowRuntimeError();
  }

  const In in_;
};

TEST_P(BadExecutorsTest, WhatItThrowsAtTheEndOfARunIsTheErrorOfTheRun) {
  const auto executor =
      std::make_shared<ThrowingExecutor>(ThrowingExecutor::In::kUnwatch);
  GraphHarness graph(kChain, GetParam());
  graph.SetExecutor("odd", executor);
  graph.Feed("in", Numbers(kPackets));
  for (int run = 0; run < 2; ++run) {
    EXPECT_THAT(graph.Run().message(), HasSubstr("no more threads"));
    graph.Expect("out", Numbers(kPackets));
  }
  // Without anybody who waits for the end.
  SYNCLINE_ASSERT_OK(graph.Start());
}

TEST_P(BadExecutorsTest, WhatItThrowsWhenItIsAskedIsAnErrorIfItIsAsked) {
  for (const auto in :
       {ThrowingExecutor::In::kWatch, ThrowingExecutor::In::kOthersWait}) {
    const absl::Status status =
        RunChain(std::make_shared<ThrowingExecutor>(in));
    if (status.ok()) continue;  // whether depends on the threads
    EXPECT_THAT(status.message(), HasSubstr("no more threads"));
  }
}

// --- Numbers that make no sense

class OddNumbersExecutor : public OddExecutor {
 public:
  OddNumbersExecutor(int parallel, int in_a_row)
      : OddExecutor([](const std::function<void()>& task) { task(); }),
        parallel_(parallel),
        in_a_row_(in_a_row) {}
  int MaxParallelTasks() const override { return parallel_; }
  int MaxTasksInARow() const override { return in_a_row_; }

 private:
  const int parallel_;
  const int in_a_row_;
};

TEST_P(BadExecutorsTest, NumbersThatMakeNoSenseCountAsOne) {
  for (const int number : {0, -1, std::numeric_limits<int>::min(), 1,
                           std::numeric_limits<int>::max()}) {
    ExpectAllComesOut(std::make_shared<OddNumbersExecutor>(number, 1000));
    ExpectAllComesOut(std::make_shared<OddNumbersExecutor>(1000, number));
  }
}

}  // namespace
}  // namespace syncline
