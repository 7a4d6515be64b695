#include "framework/run/run_timers.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/graph_clock.h"
#include "framework/scheduler/alarm_thread.h"
#include "framework/scheduler/executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int64_t kMs = 1'000'000;

// Its time is 10 ms behind the steady clock's.
class TimersTestClock : public GraphClock {
 public:
  std::int64_t NowNs() override { return 0; }
  Passing passing() const override { return how_it_passes; }
  std::int64_t SteadyNsOf(std::int64_t target_ns) override {
    return target_ns == RunTimers::kNone ? target_ns : target_ns + 10 * kMs;
  }

  Passing how_it_passes = Passing::kByItself;

 protected:
  void WaitUntilNs(std::int64_t target_ns) override {}
};

// Notes what it is asked for.
class TestExecutor : public Executor {
 public:
  struct Arming {
    std::int64_t steady_ns;
    bool caller_returns;
    bool operator==(const Arming&) const = default;
  };

  void Schedule(std::function<void()> task) override {}
  bool AddTaskAt(TaskQueue* task_queue, std::int64_t steady_ns,
                 bool caller_returns) override {
    queue = task_queue;
    armings.push_back({steady_ns, caller_returns});
    if (throws) throw std::runtime_error("no time");
    return keeps_times;
  }
  bool Watch(TaskQueue* task_queue, const WatchedWork* its_work,
             std::atomic<bool>* its_watched) override {
    ++watches;
    work = its_work;
    watched = its_watched;
    if (throws) throw std::runtime_error("no watch");
    return keeps_watch;
  }
  void Unwatch(TaskQueue* task_queue) override {
    ++unwatches;
    if (throws) throw std::runtime_error("no end");
  }

  bool keeps_times = true;
  bool keeps_watch = true;
  bool throws = false;
  TaskQueue* queue = nullptr;
  std::vector<Arming> armings;
  int watches = 0;
  int unwatches = 0;
  const WatchedWork* work = nullptr;
  std::atomic<bool>* watched = nullptr;
};

class RunTimersTest : public ::testing::Test, public RunTimers::Receiver {
 protected:
  void SetUp() override { timers_.SetUp({{first_, second_}}, 5); }

  void TimeHasCome(int executor, bool serves) override {
    came_.emplace_back(executor, serves);
    num_came_.fetch_add(1);
    if (throws_) throw std::runtime_error("cannot act");
  }
  void RecordError(const absl::Status& error) override {
    errors_.emplace_back(error.message());
  }
  void OnExecutorError(const absl::Status& error) override {
    executor_errors_.emplace_back(error.message());
  }

  std::vector<int> Due(int executor, std::int64_t now_ns) {
    std::vector<int> due;
    timers_.TakeDue(executor, now_ns, &due);
    return due;
  }

  const std::shared_ptr<TestExecutor> first_ = std::make_shared<TestExecutor>();
  const std::shared_ptr<TestExecutor> second_ =
      std::make_shared<TestExecutor>();
  TimersTestClock clock_;
  AlarmThread alarms_;
  RunTimers timers_{&clock_, &alarms_, this};
  std::vector<std::pair<int, bool>> came_;
  std::atomic<int> num_came_{0};
  bool throws_ = false;
  std::vector<std::string> errors_;
  std::vector<std::string> executor_errors_;
};

using Arming = TestExecutor::Arming;

TEST_F(RunTimersTest, TheExecutorIsAskedForTheTimesOfItsOwn) {
  timers_.Set(0, 1, 20 * kMs);
  timers_.Set(1, 2, 30 * kMs);
  EXPECT_THAT(first_->armings, ElementsAre(Arming{30 * kMs, false}));
  EXPECT_THAT(second_->armings, ElementsAre(Arming{40 * kMs, false}));
  EXPECT_EQ(timers_.Next(), 20 * kMs);
  EXPECT_THAT(Due(0, 30 * kMs), ElementsAre(1));
  EXPECT_THAT(Due(1, 30 * kMs), ElementsAre(2));
  EXPECT_EQ(timers_.Next(), RunTimers::kNone);
}

TEST_F(RunTimersTest, IsAskedAgainForAnEarlierTimeOnly) {
  timers_.Set(0, 1, 20 * kMs);
  timers_.Set(0, 2, 25 * kMs);
  timers_.Set(0, 3, 20 * kMs);
  timers_.Set(0, 4, 15 * kMs);
  EXPECT_THAT(first_->armings,
              ElementsAre(Arming{30 * kMs, false}, Arming{25 * kMs, false}));
}

TEST_F(RunTimersTest, ATimeThatNeverComesAsksNobody) {
  timers_.Set(0, 1, RunTimers::kNone);
  EXPECT_THAT(first_->armings, IsEmpty());
}

TEST_F(RunTimersTest, WakeUpsAreAMillisecondApart) {
  timers_.Set(0, 1, 20 * kMs);
  timers_.NoteWakeUp(0, 40 * kMs);
  timers_.Set(0, 2, 30 * kMs);
  timers_.NoteWakeUp(0, 41 * kMs);
  EXPECT_THAT(Due(0, 30 * kMs), ElementsAre(1, 2));
  timers_.Set(0, 2, 50 * kMs);
  EXPECT_THAT(first_->armings,
              ElementsAre(Arming{30 * kMs, false}, Arming{41 * kMs, false},
                          Arming{60 * kMs, false}));
}

TEST_F(RunTimersTest, ClocksThatAreMovedAskNobody) {
  clock_.how_it_passes = GraphClock::Passing::kWhenIdle;
  timers_.Set(0, 1, 20 * kMs);
  clock_.how_it_passes = GraphClock::Passing::kWhenTold;
  timers_.Set(0, 2, 20 * kMs);
  EXPECT_THAT(first_->armings, IsEmpty());
  EXPECT_EQ(timers_.Next(), 20 * kMs);
}

TEST_F(RunTimersTest, NobodyIsAskedWhileAThreadServes) {
  timers_.BeginServing(0, /*serves=*/true);
  timers_.Set(0, 1, 20 * kMs);
  EXPECT_THAT(first_->armings, IsEmpty());
  timers_.EndServing(0, /*caller_returns=*/true);
  EXPECT_THAT(first_->armings, ElementsAre(Arming{30 * kMs, true}));
  timers_.EndServing(0, /*caller_returns=*/true);
  EXPECT_EQ(first_->armings.size(), 1) << "once is enough";
}

TEST_F(RunTimersTest, AThreadThatDoesNotServeKeepsNobodyFromComing) {
  timers_.BeginServing(0, /*serves=*/false);
  timers_.Set(0, 1, 20 * kMs);
  EXPECT_THAT(first_->armings, ElementsAre(Arming{30 * kMs, false}));
}

TEST_F(RunTimersTest, NothingIsLeftToAskFor) {
  timers_.EndServing(0, /*caller_returns=*/false);
  EXPECT_THAT(first_->armings, IsEmpty());
}

TEST_F(RunTimersTest, OneThatWaitsAloneNeedsNoGuard) {
  timers_.Set(0, 3, 20 * kMs);
  timers_.Set(0, 3, 30 * kMs);
  timers_.Guard(0);
  EXPECT_EQ(first_->watches, 0);
  timers_.Set(0, 0, 20 * kMs);
  timers_.Set(0, 1, 20 * kMs);
  timers_.Guard(0);
  EXPECT_EQ(first_->watches, 1);
}

TEST_F(RunTimersTest, TheExecutorWatchesOverWhoServes) {
  timers_.Set(0, 0, 20 * kMs);
  timers_.Set(0, 1, 20 * kMs);
  timers_.BeginServing(0, /*serves=*/true);
  timers_.Guard(0);
  EXPECT_TRUE(first_->watched->load());
  timers_.Guard(0);
  EXPECT_EQ(first_->watches, 1) << "while it watches, it is not asked again";
  EXPECT_EQ(first_->work->waiting.load(), 1);
  EXPECT_EQ(first_->work->returns.load(), 1);
  timers_.EndServing(0, /*caller_returns=*/true);
  EXPECT_EQ(first_->work->waiting.load(), 0);
  EXPECT_EQ(first_->work->returns.load(), 1);
  timers_.BeginServing(0, /*serves=*/true);
  EXPECT_EQ(first_->work->returns.load(), 2) << "somebody came back";
}

TEST_F(RunTimersTest, AnExecutorThatDoesNotWatchIsAskedEachTime) {
  first_->keeps_watch = false;
  timers_.Set(0, 0, 20 * kMs);
  timers_.Set(0, 1, 20 * kMs);
  timers_.Guard(0);
  EXPECT_FALSE(first_->watched->load());
  timers_.Guard(0);
  EXPECT_EQ(first_->watches, 2);
}

TEST_F(RunTimersTest, AThreadOfTheExecutorServes) {
  timers_.Set(1, 0, 20 * kMs);
  second_->queue->RunNextTask();
  second_->queue->RunOneTask();
  EXPECT_THAT(came_, ElementsAre(std::pair(1, true), std::pair(1, false)));
  EXPECT_THAT(errors_, IsEmpty());
}

TEST_F(RunTimersTest, WhatTheReceiverThrowsIsReported) {
  throws_ = true;
  timers_.Set(0, 0, 20 * kMs);
  first_->queue->RunNextTask();
  ASSERT_EQ(errors_.size(), 1);
  EXPECT_THAT(errors_[0], ::testing::HasSubstr("cannot act"));
}

TEST_F(RunTimersTest, TheAlarmThreadComesWhereTheExecutorKeepsNoTimes) {
  first_->keeps_times = false;
  timers_.Set(0, 0, 0);  // long past
  while (num_came_.load() == 0) std::this_thread::yield();
  timers_.NoteWakeUp(0, 0);
  timers_.Set(0, 0, 0);
  while (num_came_.load() == 1) std::this_thread::yield();
  timers_.Stop();
  alarms_.Stop();
  EXPECT_THAT(came_, ElementsAre(std::pair(0, false), std::pair(0, false)))
      << "it serves nothing";
  EXPECT_THAT(errors_, IsEmpty());
  EXPECT_EQ(first_->armings.size(), 1) << "the executor is not asked again";
}

TEST_F(RunTimersTest, AfterStopNoAlarmComes) {
  first_->keeps_times = false;
  const std::int64_t soon_ns =
      std::chrono::steady_clock::now().time_since_epoch().count() + 20 * kMs;
  timers_.Set(0, 0, soon_ns - 10 * kMs);
  timers_.Stop();
  std::this_thread::sleep_for(std::chrono::milliseconds(40));
  EXPECT_EQ(num_came_.load(), 0);
}

TEST_F(RunTimersTest, StopTellsEveryExecutor) {
  timers_.Stop();
  EXPECT_EQ(first_->unwatches, 1);
  EXPECT_EQ(second_->unwatches, 1);
}

TEST_F(RunTimersTest, WhatAnExecutorThrowsIsReported) {
  first_->throws = true;
  timers_.Set(0, 0, 1'000'000 * kMs * kMs / kMs);
  EXPECT_EQ(executor_errors_.size(), 1);
  timers_.Set(0, 1, 20 * kMs);
  timers_.Guard(0);
  EXPECT_EQ(executor_errors_.size(), 2);
  EXPECT_FALSE(first_->watched->load());
  timers_.Stop();
  ASSERT_EQ(executor_errors_.size(), 3);
  EXPECT_THAT(executor_errors_[2], ::testing::HasSubstr("no end"));
}

// Threads that want a stack larger than the address space cannot start.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_getattr_default_np(&usual_);
    pthread_attr_t huge;
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, std::size_t{1} << 50);
    pthread_setattr_default_np(&huge);
    pthread_attr_destroy(&huge);
  }
  ~NoMoreThreads() {
    pthread_setattr_default_np(&usual_);
    pthread_attr_destroy(&usual_);
  }

 private:
  pthread_attr_t usual_;
};

TEST_F(RunTimersTest, AnAlarmThatCannotBeSetIsReported) {
  first_->keeps_times = false;
  const NoMoreThreads none;
  timers_.Set(0, 0, 20 * kMs);
  EXPECT_EQ(errors_.size(), 1);
}

TEST_F(RunTimersTest, TimesThatNobodyWaitsForAnyMoreAreForgotten) {
  timers_.Set(0, 0, 20 * kMs);
  timers_.Set(0, 1, 30 * kMs);
  timers_.Set(1, 2, 25 * kMs);
  timers_.Set(1, 3, 40 * kMs);
  const auto is_current = [](int waiting, std::int64_t target_ns) {
    EXPECT_EQ(
        target_ns,
        (waiting < 2 ? 20 + 10 * waiting : 25 + 15 * (waiting - 2)) * kMs);
    return waiting == 1 || waiting == 3;
  };
  EXPECT_EQ(timers_.NextCurrent(is_current), 30 * kMs);
  EXPECT_EQ(timers_.Next(), 30 * kMs);
  EXPECT_THAT(Due(0, 50 * kMs), ElementsAre(1));
  EXPECT_THAT(Due(1, 50 * kMs), ElementsAre(3));
  EXPECT_EQ(timers_.NextCurrent(is_current), RunTimers::kNone);
}

TEST(RunTimersSetUpTest, WithoutExecutorsNobodyWaits) {
  TimersTestClock clock;
  AlarmThread alarms;
  RunTimers timers(&clock, &alarms, nullptr);
  EXPECT_EQ(timers.num_executors(), 0);
  EXPECT_EQ(timers.Next(), RunTimers::kNone);
  timers.Stop();
}

}  // namespace
}  // namespace syncline
