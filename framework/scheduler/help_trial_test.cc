// When another thread is tried, what shows that it pays, and how long it is not
// tried again. Times and numbers of tasks are made up.

#include "framework/scheduler/help_trial.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace syncline {
namespace {

using State = HelpTrial::State;

class HelpTrialTest : public ::testing::Test {
 protected:
  // So many tasks run, each in a time.
  void Run(std::uint64_t tasks, std::int64_t ns_each) {
    tasks_ += tasks;
    now_ns_ += static_cast<std::int64_t>(tasks) * ns_each;
  }
  bool Look() {
    return trial_.IsTimeToLook(tasks_) && trial_.Look(tasks_, now_ns_);
  }
  bool Judge() { return trial_.Judge(tasks_, now_ns_); }
  // Until a thread is asked for.
  void RunUntilAsked() {
    while (!Look()) Run(64, 100);
    ASSERT_EQ(trial_.state(), State::kAsked);
  }
  // Until a thread is there.
  void RunUntilTried() {
    RunUntilAsked();
    trial_.Begin(tasks_, now_ns_);
  }
  // How many tasks run before a thread is asked for again.
  std::uint64_t TasksUntilAsked() {
    const std::uint64_t before = tasks_;
    RunUntilAsked();
    return tasks_ - before;
  }

  HelpTrial trial_;
  std::uint64_t tasks_ = 0;
  std::int64_t now_ns_ = 1'000'000;
};

TEST_F(HelpTrialTest, AsksOnceEnoughIsMeasured) {
  EXPECT_FALSE(Look());
  Run(HelpTrial::kMeasuredTasks - 1, 1000);
  EXPECT_FALSE(Look());
  Run(1, 1000);
  EXPECT_TRUE(Look());
}

TEST_F(HelpTrialTest, ManyTasksInNoTimeAreNotEnough) {
  EXPECT_FALSE(Look());
  Run(HelpTrial::kMeasuredTasks, 1);
  EXPECT_FALSE(Look());
  Run(HelpTrial::kMeasuredTasks, 100);
  EXPECT_TRUE(Look());
}

TEST_F(HelpTrialTest, AThreadStaysIfMoreTasksRunInTheTime) {
  RunUntilTried();
  Run(1000, 60);
  EXPECT_TRUE(Judge()) << "too early to tell";
  EXPECT_EQ(trial_.state(), State::kTrying);
  Run(HelpTrial::kTrialNs / 60, 60);
  EXPECT_TRUE(Judge());
  EXPECT_EQ(trial_.state(), State::kPausing);
}

TEST_F(HelpTrialTest, AThreadLeavesIfTheGainIsSmall) {
  RunUntilTried();
  Run(HelpTrial::kTrialNs / 90 + 1, 90);
  EXPECT_FALSE(Judge());
  trial_.End(tasks_);
  EXPECT_EQ(trial_.state(), State::kPausing);
}

TEST_F(HelpTrialTest, ThePauseIsTwiceAsLongEachTimeHelpHasNotPaid) {
  RunUntilTried();
  std::uint64_t last = 0;
  for (std::uint64_t pause = 2 * HelpTrial::kShortestPause;
       pause <= HelpTrial::kLongestPause; pause *= 2) {
    Run(HelpTrial::kTrialNs / 100 + 1, 100);
    EXPECT_FALSE(Judge());
    trial_.End(tasks_);
    last = TasksUntilAsked();
    EXPECT_GE(last, pause);
    EXPECT_LE(last, pause + 4 * HelpTrial::kMeasuredTasks);
    trial_.Begin(tasks_, now_ns_);
  }
  Run(HelpTrial::kTrialNs / 100 + 1, 100);
  EXPECT_FALSE(Judge());
  EXPECT_LE(TasksUntilAsked(), last + 4 * HelpTrial::kMeasuredTasks)
      << "but not longer than the longest";
}

TEST_F(HelpTrialTest, HelpThatPaysMakesThePauseShortAgain) {
  for (int i = 0; i < 4; ++i) {
    RunUntilTried();
    trial_.End(tasks_);  // found nothing to do
  }
  RunUntilTried();
  Run(HelpTrial::kTrialNs / 50 + 1, 50);
  EXPECT_TRUE(Judge());
  trial_.End(tasks_);
  EXPECT_LE(TasksUntilAsked(),
            HelpTrial::kShortestPause + 4 * HelpTrial::kMeasuredTasks);
}

TEST_F(HelpTrialTest, AThreadThatHasPaidLeavesOnceItHasNotForAWhile) {
  RunUntilTried();
  Run(HelpTrial::kTrialNs / 50 + 1, 50);
  EXPECT_TRUE(Judge());
  for (int failure = 1; failure < HelpTrial::kMostFailures; ++failure) {
    Run(HelpTrial::kTrialNs / 100 + 1, 100);
    EXPECT_TRUE(Judge());
  }
  Run(HelpTrial::kTrialNs / 50 + 1, 50);
  EXPECT_TRUE(Judge()) << "and once that it has is enough";
  for (int failure = 1; failure < HelpTrial::kMostFailures; ++failure) {
    Run(HelpTrial::kTrialNs / 100 + 1, 100);
    EXPECT_TRUE(Judge());
  }
  Run(HelpTrial::kTrialNs / 100 + 1, 100);
  EXPECT_FALSE(Judge());
}

TEST_F(HelpTrialTest, AThreadThatWasLostIsAskedForAgainLater) {
  RunUntilAsked();
  const std::uint64_t asked = tasks_;
  EXPECT_FALSE(Look()) << "the same question again, so nobody is on the way";
  EXPECT_EQ(trial_.state(), State::kPausing);
  EXPECT_FALSE(Look());
  RunUntilAsked();
  EXPECT_GE(tasks_ - asked, 2 * HelpTrial::kShortestPause);
}

TEST_F(HelpTrialTest, AnInterruptedMeasurementBeginsAgainAtOnce) {
  EXPECT_FALSE(Look());
  Run(HelpTrial::kMeasuredTasks, 100);
  trial_.Interrupt(tasks_);
  EXPECT_EQ(trial_.state(), State::kPausing);
  EXPECT_FALSE(Look());
  EXPECT_EQ(trial_.state(), State::kMeasuring);
  EXPECT_LE(TasksUntilAsked(), 2 * HelpTrial::kMeasuredTasks);
}

TEST_F(HelpTrialTest, AnInterruptedTrialHasNotPaid) {
  RunUntilTried();
  trial_.Interrupt(tasks_);
  EXPECT_GE(TasksUntilAsked(), 2 * HelpTrial::kShortestPause);
}

TEST_F(HelpTrialTest, AnInterruptionDoesNotEndAPause) {
  RunUntilTried();
  Run(HelpTrial::kTrialNs / 100 + 1, 100);
  EXPECT_FALSE(Judge());
  trial_.Interrupt(tasks_);
  EXPECT_GE(TasksUntilAsked(), 2 * HelpTrial::kShortestPause);
}

TEST_F(HelpTrialTest, NobodyIsJudgedByWhatWasInterrupted) {
  RunUntilTried();
  Run(HelpTrial::kTrialNs / 50 + 1, 50);
  EXPECT_TRUE(Judge());
  trial_.Interrupt(tasks_);
  for (int i = 0; i < 2 * HelpTrial::kMostFailures; ++i) {
    Run(HelpTrial::kTrialNs / 200 + 1, 200);
    EXPECT_TRUE(Judge());
  }
}

}  // namespace
}  // namespace syncline
