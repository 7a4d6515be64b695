// Conditions that calculators and other threads set: every change is seen and
// told, and what comes at the wrong time is refused.
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/condition/asynchronous_condition.h"
#include "framework/condition/boolean_condition.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_test_support.h"
#include "framework/condition/target_time_condition.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr ConditionState kReady = ConditionState::kReady;
constexpr ConditionState kWait = ConditionState::kWait;
constexpr ConditionState kWaitEvent = ConditionState::kWaitEvent;
constexpr ConditionState kNever = ConditionState::kNever;

// --- BooleanCondition

struct Boolean : ConditionUnderTest<BooleanCondition> {
  explicit Boolean(absl::string_view options)
      : ConditionUnderTest("BooleanConditionOptions", options) {}
};

TEST(BooleanConditionTest, IsOnUntilItIsSwitchedOffForGood) {
  Boolean condition("");
  SYNCLINE_ASSERT_OK(condition.Begin());
  EXPECT_TRUE(condition->check_tick_enabled());
  EXPECT_EQ(condition.State(), kReady);
  condition->disable_tick();
  EXPECT_FALSE(condition->check_tick_enabled());
  EXPECT_EQ(condition.State(), kNever);
  EXPECT_EQ(condition->DependsOn(), ConditionDependence::kOutside);
}

TEST(BooleanConditionTest, APausedNodeGoesOnWhenItIsSwitchedOn) {
  Boolean condition("enable_tick: false on_false: PAUSE");
  SYNCLINE_ASSERT_OK(condition.Begin());
  EXPECT_EQ(condition.State(), kWaitEvent);
  EXPECT_FALSE(condition.Check()->holds_time);
  condition->enable_tick();
  EXPECT_EQ(condition.State(), kReady);
  condition->disable_tick();
  EXPECT_EQ(condition.State(), kWaitEvent);
}

TEST(BooleanConditionTest, TellsOfChangesAndOfNothingElse) {
  Boolean condition("");
  SYNCLINE_ASSERT_OK(condition.Begin());
  condition->enable_tick();
  EXPECT_EQ(condition.notifications(), 0);
  condition->disable_tick();
  condition->disable_tick();
  EXPECT_EQ(condition.notifications(), 1);
  condition->enable_tick();
  EXPECT_EQ(condition.notifications(), 2);
}

TEST(BooleanConditionTest, EachRunBeginsAsTheOptionsSay) {
  Boolean condition("enable_tick: false");
  SYNCLINE_ASSERT_OK(condition.Begin());
  condition->enable_tick();
  SYNCLINE_ASSERT_OK(condition.Start());
  EXPECT_EQ(condition.State(), kNever);
}

TEST(BooleanConditionTest, MayBeSwitchedByAnyThread) {
  Boolean condition("on_false: PAUSE");
  SYNCLINE_ASSERT_OK(condition.Begin());
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 1000; ++k) {
        condition->disable_tick();
        condition->enable_tick();
      }
    });
  }
  for (int i = 0; i < 1000; ++i) condition.State();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(condition.State(), kReady);
  EXPECT_GE(condition.notifications(), 2000);
}

// --- AsynchronousCondition

using Event = AsynchronousEventState;
using Asynchronous = ConditionUnderTest<AsynchronousCondition>;

TEST(AsynchronousConditionTest, EveryEventStateHasItsConditionState) {
  Asynchronous condition;
  SYNCLINE_ASSERT_OK(condition.Begin());
  EXPECT_EQ(condition->event_state(), Event::READY);
  EXPECT_EQ(condition.State(), kReady);
  const struct {
    Event event;
    ConditionState state;
  } cases[] = {{Event::WAIT, kWait},
               {Event::EVENT_WAITING, kWaitEvent},
               {Event::EVENT_DONE, kReady},
               {Event::READY, kReady},
               {Event::EVENT_NEVER, kNever}};
  for (const auto& [event, state] : cases) {
    SYNCLINE_EXPECT_OK(condition->event_state(event));
    EXPECT_EQ(condition->event_state(), event);
    EXPECT_EQ(condition.State(), state) << AsynchronousEventStateName(event);
  }
  EXPECT_EQ(condition->DependsOn(), ConditionDependence::kOutside);
}

TEST(AsynchronousConditionTest, SimulatedTimeWaitsForTheEvent) {
  Asynchronous condition;
  SYNCLINE_ASSERT_OK(condition.Begin());
  SYNCLINE_ASSERT_OK(condition->event_state(Event::EVENT_WAITING));
  EXPECT_TRUE(condition.Check()->holds_time);
}

TEST(AsynchronousConditionTest, TellsOfEveryChangeEventNeverIncluded) {
  Asynchronous condition;
  SYNCLINE_ASSERT_OK(condition.Begin());
  SYNCLINE_EXPECT_OK(condition->event_state(Event::READY));
  EXPECT_EQ(condition.notifications(), 0);
  int expected = 0;
  for (const Event event : {Event::WAIT, Event::EVENT_WAITING, Event::READY,
                            Event::EVENT_DONE, Event::EVENT_NEVER}) {
    SYNCLINE_EXPECT_OK(condition->event_state(event));
    EXPECT_EQ(condition.notifications(), ++expected);
  }
}

TEST(AsynchronousConditionTest, EventNeverIsForGood) {
  Asynchronous condition;
  SYNCLINE_ASSERT_OK(condition.Begin());
  SYNCLINE_ASSERT_OK(condition->event_state(Event::EVENT_NEVER));
  EXPECT_THAT(condition->event_state(Event::EVENT_DONE),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("EVENT_DONE was set after EVENT_NEVER")));
  SYNCLINE_EXPECT_OK(condition->event_state(Event::EVENT_NEVER));
  EXPECT_EQ(condition.State(), kNever);
}

TEST(AsynchronousConditionTest, AnEventOutsideOfARunIsRefused) {
  Asynchronous condition;
  EXPECT_THAT(condition->event_state(Event::EVENT_DONE),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  SYNCLINE_ASSERT_OK(condition.Begin());
  SYNCLINE_ASSERT_OK(condition->event_state(Event::EVENT_WAITING));
  condition->Stop();
  EXPECT_THAT(condition->event_state(Event::EVENT_DONE),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("no run of the graph was going on")));
  EXPECT_EQ(condition.notifications(), 1);
  SYNCLINE_ASSERT_OK(condition.Start());
  EXPECT_EQ(condition->event_state(), Event::READY);
}

TEST(AsynchronousConditionTest, MayBeSetByAnyThread) {
  Asynchronous condition;
  SYNCLINE_ASSERT_OK(condition.Begin());
  std::thread other([&] {
    for (int i = 0; i < 1000; ++i) {
      SYNCLINE_EXPECT_OK(condition->event_state(Event::EVENT_WAITING));
      SYNCLINE_EXPECT_OK(condition->event_state(Event::EVENT_DONE));
    }
  });
  for (int i = 0; i < 1000; ++i) condition.State();
  other.join();
  EXPECT_EQ(condition.notifications(), 2000);
}

// --- TargetTimeCondition

using TargetTime = ConditionUnderTest<TargetTimeCondition>;

TEST(TargetTimeConditionTest, TheFirstCallComesAtOnceAndOthersWhenTheyAreDue) {
  TargetTime condition;
  condition.At(1000);
  SYNCLINE_ASSERT_OK(condition.Begin());
  EXPECT_EQ(condition.State(), kReady);
  condition.Call();
  EXPECT_EQ(condition.State(), kWait) << "no target";
  SYNCLINE_EXPECT_OK(condition->SetNextTargetTime(1500));
  EXPECT_EQ(condition.notifications(), 1);
  EXPECT_EQ(condition.Target(), 1500);
  condition.At(1499);
  EXPECT_EQ(condition.Target(), 1500);
  condition.At(1500);
  EXPECT_EQ(condition.State(), kReady);
  condition.Call();
  EXPECT_EQ(condition.State(), kWait);
  EXPECT_EQ(condition->DependsOn(), ConditionDependence::kClock);
}

TEST(TargetTimeConditionTest, ATargetThatHasBeenLookedAtStays) {
  TargetTime condition;
  SYNCLINE_ASSERT_OK(condition.Begin());
  condition.Call();
  SYNCLINE_EXPECT_OK(condition->SetNextTargetTime(50));
  SYNCLINE_EXPECT_OK(condition->SetNextTargetTime(30));
  EXPECT_EQ(condition.Target(), 30) << "the later call replaces the first";
  SYNCLINE_EXPECT_OK(condition->SetNextTargetTime(60));
  EXPECT_EQ(condition.Target(), 30);
  condition.At(30);
  condition.Call();
  EXPECT_EQ(condition.Target(), 60);
}

TEST(TargetTimeConditionTest, TargetsDoNotGoBack) {
  TargetTime condition;
  SYNCLINE_ASSERT_OK(condition.Begin());
  condition.Call();
  SYNCLINE_EXPECT_OK(condition->SetNextTargetTime(50));
  EXPECT_EQ(condition.Target(), 50);
  SYNCLINE_EXPECT_OK(condition->SetNextTargetTime(50));
  EXPECT_THAT(condition->SetNextTargetTime(49),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("49 ns is before 50 ns")));
  EXPECT_THAT(condition.Check(), StatusIs(absl::StatusCode::kInvalidArgument,
                                          HasSubstr("must not go back")))
      << "the run's error, too";
  SYNCLINE_ASSERT_OK(condition.Start());
  EXPECT_EQ(condition.State(), kReady) << "the next run starts anew";
}

TEST(TargetTimeConditionTest, ACallThatDidNotComeAboutIsStillDue) {
  TargetTime condition;
  SYNCLINE_ASSERT_OK(condition.Begin());
  ASSERT_TRUE(condition.Dispatch());
  condition->OnDispatchUndone();
  EXPECT_EQ(condition.State(), kReady);
  condition.Call();
  SYNCLINE_ASSERT_OK(condition->SetNextTargetTime(50));
  // A call of another member of a group, in time and undone.
  ASSERT_TRUE(condition.Dispatch());
  EXPECT_EQ(condition.Target(), 50);
  ASSERT_TRUE(condition.Dispatch());
  condition->OnDispatchUndone();
  EXPECT_EQ(condition.Target(), 50);
}

TEST(TargetTimeConditionTest, ATargetOutsideOfARunIsRefused) {
  TargetTime condition;
  EXPECT_THAT(condition->SetNextTargetTime(5),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  SYNCLINE_ASSERT_OK(condition.Begin());
  condition->Stop();
  EXPECT_THAT(condition->SetNextTargetTime(5),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(TargetTimeConditionTest, MayBeSetByAnyThread) {
  TargetTime condition;
  SYNCLINE_ASSERT_OK(condition.Begin());
  std::thread other([&] {
    for (int i = 1; i <= 1000; ++i) {
      SYNCLINE_EXPECT_OK(condition->SetNextTargetTime(i));
    }
  });
  for (int i = 0; i < 1000; ++i) condition.Call();
  other.join();
  condition.At(1000);
  condition.Call();
  condition.Call();
  EXPECT_EQ(condition.State(), kWait);
}

TEST(HandleConditionsTest, AreFoundByTheNamesOfHoloscanAndGxf) {
  for (const absl::string_view name :
       {"BooleanCondition", "BooleanSchedulingTerm", "AsynchronousCondition",
        "AsynchronousSchedulingTerm", "TargetTimeCondition",
        "TargetTimeSchedulingTerm"}) {
    EXPECT_TRUE(ConditionRegistry::IsRegistered(name)) << name;
  }
}

}  // namespace
}  // namespace syncline
