// Conditions on packets that wait and on room for more: exact states and times,
// what happens at the end of a stream, and options that are refused.
#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_test_support.h"
#include "framework/condition/downstream_message_affordable_condition.h"
#include "framework/condition/expiring_message_available_condition.h"
#include "framework/condition/message_available_condition.h"
#include "framework/condition/multi_message_available_condition.h"
#include "framework/condition/multi_message_available_timeout_condition.h"
#include "framework/condition/none_condition.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr ConditionState kReady = ConditionState::kReady;
constexpr ConditionState kWait = ConditionState::kWait;
constexpr ConditionState kNever = ConditionState::kNever;

// A condition of T on a node with inputs A and B, or with A alone.
template <typename T>
class OnInputs : public ConditionUnderTest<T> {
 public:
  OnInputs(absl::string_view extension, absl::string_view options,
           int inputs = 2)
      : ConditionUnderTest<T>(extension, options) {
    this->AddInput("A");
    if (inputs == 2) this->AddInput("B");
  }
  void Queue(std::int64_t a, std::int64_t b = 0) {
    this->input(0).queued = a;
    if (this->Facts().inputs.size() == 2) this->input(1).queued = b;
  }
};

template <typename T>
void ExpectRefused(absl::string_view extension, absl::string_view options,
                   absl::string_view why, int inputs = 2) {
  OnInputs<T> condition(extension, options, inputs);
  EXPECT_THAT(
      condition.Initialize(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(std::string(why))))
      << options;
}

// --- MessageAvailableCondition

struct MessageAvailable : OnInputs<MessageAvailableCondition> {
  explicit MessageAvailable(absl::string_view options, int inputs = 1)
      : OnInputs("MessageAvailableConditionOptions", options, inputs) {}
};

TEST(MessageAvailableConditionTest, WaitsForSoManyPackets) {
  MessageAvailable one("");
  SYNCLINE_ASSERT_OK(one.Begin());
  EXPECT_EQ(one.State(), kWait);
  one.Queue(1);
  EXPECT_EQ(one.State(), kReady);

  MessageAvailable three("receiver: 'B' min_size: 3", 2);
  SYNCLINE_ASSERT_OK(three.Begin());
  three.Queue(5, 2);
  EXPECT_EQ(three.State(), kWait);
  three.Queue(0, 3);
  EXPECT_EQ(three.State(), kReady);
  EXPECT_EQ(three->DependsOn(), ConditionDependence::kPackets);
}

TEST(MessageAvailableConditionTest, TooManyPacketsHoldTheNodeBack) {
  MessageAvailable condition("min_size: 2 front_stage_max_size: 3");
  SYNCLINE_ASSERT_OK(condition.Begin());
  const ConditionState expected[] = {kWait, kWait, kReady, kReady, kWait};
  for (int queued = 0; queued < 5; ++queued) {
    condition.Queue(queued);
    EXPECT_EQ(condition.State(), expected[queued]) << queued;
  }
  // Nobody would ever take them.
  condition.input().is_done = true;
  EXPECT_EQ(condition.State(), kReady);
}

TEST(MessageAvailableConditionTest, WhatIsLeftAtTheEndIsProcessedOrDiscarded) {
  for (const int left : {0, 1, 2}) {
    MessageAvailable lenient("min_size: 3");
    SYNCLINE_ASSERT_OK(lenient.Begin());
    lenient.Queue(left);
    EXPECT_EQ(lenient.State(), kWait);
    lenient.input().is_done = true;
    EXPECT_EQ(lenient.State(), kReady);

    MessageAvailable strict("min_size: 3 strict: true");
    SYNCLINE_ASSERT_OK(strict.Begin());
    strict.Queue(left);
    EXPECT_EQ(strict.State(), kWait);
    strict.input().is_done = true;
    EXPECT_EQ(strict.State(), kNever);
  }
}

TEST(MessageAvailableConditionTest, RefusesOptionsThatCannotBe) {
  constexpr absl::string_view kOptions = "MessageAvailableConditionOptions";
  ExpectRefused<MessageAvailableCondition>(
      kOptions, "receiver: 'A' min_size: 4 front_stage_max_size: 3",
      "the node could never be called");
  ExpectRefused<MessageAvailableCondition>(
      kOptions, "receiver: 'C'",
      "receiver: the node has no input stream \"C\"");
  ExpectRefused<MessageAvailableCondition>(kOptions, "", "receiver is not set");
}

TEST(MessageAvailableConditionTest, NumbersWithoutEndAreNumbers) {
  MessageAvailable condition("min_size: 18446744073709551615");
  SYNCLINE_ASSERT_OK(condition.Begin());
  condition.Queue(std::numeric_limits<std::int64_t>::max() - 1);
  EXPECT_EQ(condition.State(), kWait);
}

// --- ExpiringMessageAvailableCondition

struct Expiring : OnInputs<ExpiringMessageAvailableCondition> {
  explicit Expiring(absl::string_view options)
      : OnInputs("ExpiringMessageAvailableConditionOptions", options, 1) {}
};

TEST(ExpiringMessageAvailableConditionTest,
     WaitsForABatchOrForTheOldestPacketsTime) {
  Expiring condition("max_batch_size: 3 max_delay_ns: 100");
  SYNCLINE_ASSERT_OK(condition.Begin());
  EXPECT_EQ(condition.requests().watched_arrivals, std::vector<int>{0});
  EXPECT_EQ(condition.State(), kWait);
  condition.At(1000);
  condition.input() = {.queued = 2, .front_arrival_ns = 950};
  EXPECT_EQ(condition.Target(), 1050);
  condition.input().queued = 3;
  EXPECT_EQ(condition.State(), kReady);
  condition.input().queued = 1;
  condition.At(1049);
  EXPECT_EQ(condition.Target(), 1050);
  condition.At(1050);
  EXPECT_EQ(condition.State(), kReady);
  EXPECT_EQ(condition->DependsOn(), ConditionDependence::kClock);
}

TEST(ExpiringMessageAvailableConditionTest, NobodyWaitsAfterTheEnd) {
  Expiring condition("max_batch_size: 3 max_delay_ns: 100");
  SYNCLINE_ASSERT_OK(condition.Begin());
  condition.input() = {.queued = 1, .is_done = true, .front_arrival_ns = 0};
  EXPECT_EQ(condition.State(), kReady);
  condition.input() = {.queued = 0, .is_done = true};
  EXPECT_EQ(condition.State(), kReady);
}

TEST(ExpiringMessageAvailableConditionTest, AgeMayCountFromTheTimestamp) {
  Expiring condition(
      "max_batch_size: 3 max_delay_ns: 100 age_from: PACKET_TIMESTAMP");
  SYNCLINE_ASSERT_OK(condition.Begin());
  EXPECT_EQ(condition.requests().watched_fronts, std::vector<int>{0});
  EXPECT_TRUE(condition.requests().watched_arrivals.empty());
  condition.input().queued = 1;
  const auto front = [&](Timestamp timestamp) {
    condition.input().front = MakePacket<int>(1).At(timestamp);
  };
  front(Timestamp(7));
  EXPECT_EQ(condition.Target(), 7100);
  front(Timestamp::Max());
  EXPECT_EQ(condition.Target(), std::numeric_limits<std::int64_t>::max());
  front(Timestamp::Min());
  EXPECT_EQ(condition.State(), kReady);
  front(Timestamp::PostStream());
  EXPECT_EQ(condition.State(), kReady);
  condition.At(7100);
  front(Timestamp(7));
  EXPECT_EQ(condition.State(), kReady);
}

TEST(ExpiringMessageAvailableConditionTest, ADelayMayBeNoneOrWithoutEnd) {
  Expiring none("max_batch_size: 3 max_delay_ns: 0");
  SYNCLINE_ASSERT_OK(none.Begin());
  none.input() = {.queued = 1, .front_arrival_ns = 0};
  EXPECT_EQ(none.State(), kReady);
  Expiring endless("max_batch_size: 3 max_delay_ns: 9223372036854775807");
  SYNCLINE_ASSERT_OK(endless.Begin());
  endless.input() = {.queued = 1, .front_arrival_ns = 5};
  EXPECT_EQ(endless.Target(), std::numeric_limits<std::int64_t>::max());
}

TEST(ExpiringMessageAvailableConditionTest, RefusesOptionsThatCannotBe) {
  const auto refused = [](absl::string_view options, absl::string_view why) {
    ExpectRefused<ExpiringMessageAvailableCondition>(
        "ExpiringMessageAvailableConditionOptions", options, why);
  };
  refused("receiver: 'A' max_delay_ns: 1", "max_batch_size is not set");
  refused("receiver: 'A' max_batch_size: 0 max_delay_ns: 1",
          "max_batch_size is 0");
  refused("receiver: 'A' max_batch_size: 1", "max_delay_ns is not set");
  refused("receiver: 'A' max_batch_size: 1 max_delay_ns: -1",
          "max_delay_ns is -1");
  refused("max_batch_size: 1 max_delay_ns: 1", "receiver is not set");
}

// --- MultiMessageAvailableCondition

struct Multi : OnInputs<MultiMessageAvailableCondition> {
  explicit Multi(absl::string_view options)
      : OnInputs("MultiMessageAvailableConditionOptions", options) {}
};

TEST(MultiMessageAvailableConditionTest, CountsAllInputsTogether) {
  for (const absl::string_view options : {"min_sum: 3", "min_size: 3"}) {
    Multi condition(options);
    SYNCLINE_ASSERT_OK(condition.Begin());
    EXPECT_EQ(condition.State(), kWait);
    condition.Queue(1, 1);
    EXPECT_EQ(condition.State(), kWait);
    condition.Queue(2, 1);
    EXPECT_EQ(condition.State(), kReady);
    condition.Queue(0, 3);
    EXPECT_EQ(condition.State(), kReady);
  }
}

TEST(MultiMessageAvailableConditionTest, CountsEachInputByItself) {
  Multi condition(
      "receivers: ['B', 'A'] sampling_mode: PER_RECEIVER min_sizes: [1, 2]");
  SYNCLINE_ASSERT_OK(condition.Begin());
  condition.Queue(1, 9);
  EXPECT_EQ(condition.State(), kWait);
  condition.Queue(9, 0);
  EXPECT_EQ(condition.State(), kWait);
  condition.Queue(2, 1);
  EXPECT_EQ(condition.State(), kReady);
}

TEST(MultiMessageAvailableConditionTest, InputsThatAreNotNamedDoNotCount) {
  Multi condition("receivers: 'A' min_sum: 2");
  SYNCLINE_ASSERT_OK(condition.Begin());
  condition.Queue(1, 100);
  EXPECT_EQ(condition.State(), kWait);
}

TEST(MultiMessageAvailableConditionTest, NobodyWaitsForAnInputThatHasEnded) {
  Multi sum("min_sum: 3");
  SYNCLINE_ASSERT_OK(sum.Begin());
  sum.Queue(1, 1);
  sum.input(0).is_done = true;
  EXPECT_EQ(sum.State(), kWait) << "more may come to B";
  sum.input(1).is_done = true;
  EXPECT_EQ(sum.State(), kReady);

  Multi each("sampling_mode: PER_RECEIVER min_sizes: [2, 2]");
  SYNCLINE_ASSERT_OK(each.Begin());
  each.Queue(1, 1);
  each.input(0).is_done = true;
  EXPECT_EQ(each.State(), kWait) << "more may come to B";
  each.Queue(1, 2);
  EXPECT_EQ(each.State(), kReady);
}

TEST(MultiMessageAvailableConditionTest, AStrictOneEndsWithAnInputThatIsShort) {
  Multi sum("min_sum: 3 strict: true");
  SYNCLINE_ASSERT_OK(sum.Begin());
  sum.Queue(1, 1);
  sum.input(0).is_done = sum.input(1).is_done = true;
  EXPECT_EQ(sum.State(), kNever);
  Multi each("sampling_mode: PER_RECEIVER min_sizes: [2, 2] strict: true");
  SYNCLINE_ASSERT_OK(each.Begin());
  each.Queue(1, 0);
  each.input(0).is_done = true;
  EXPECT_EQ(each.State(), kNever) << "whatever comes to B";
}

TEST(MultiMessageAvailableConditionTest, RefusesOptionsThatCannotBe) {
  const auto refused = [](absl::string_view options, absl::string_view why) {
    ExpectRefused<MultiMessageAvailableCondition>(
        "MultiMessageAvailableConditionOptions", options, why);
  };
  refused("", "min_sum is not set");
  refused("min_sum: 1 min_size: 1", "both set");
  refused("min_sum: 1 min_sizes: 1", "takes min_sum");
  refused("sampling_mode: PER_RECEIVER min_sum: 1 min_sizes: [1, 1]",
          "min_sum is set, but the sampling_mode is PER_RECEIVER");
  refused("sampling_mode: PER_RECEIVER min_size: 1 min_sizes: [1, 1]",
          "min_size is set, but the sampling_mode is PER_RECEIVER");
  refused("sampling_mode: PER_RECEIVER", "min_sizes has 0 numbers for 2");
  refused("sampling_mode: PER_RECEIVER min_sizes: 1",
          "min_sizes has 1 numbers for 2 inputs");
  refused("receivers: 'C' min_sum: 1", "no input stream \"C\"");
  refused("receivers: ['A', 'in_A'] min_sum: 1", "\"in_A\" twice");
  ConditionUnderTest<MultiMessageAvailableCondition> source(
      "MultiMessageAvailableConditionOptions", "min_sum: 1");
  EXPECT_THAT(source.Initialize(), StatusIs(absl::StatusCode::kInvalidArgument,
                                            HasSubstr("no input streams")));
}

// --- MultiMessageAvailableTimeoutCondition

struct Timeout : OnInputs<MultiMessageAvailableTimeoutCondition> {
  explicit Timeout(absl::string_view options)
      : OnInputs("MultiMessageAvailableTimeoutConditionOptions", options) {}
};

TEST(MultiMessageAvailableTimeoutConditionTest,
     WaitsForPacketsButNotLongerThanItsPeriod) {
  Timeout condition("min_sum: 2 execution_frequency: '100ns'");
  condition.At(1000);
  SYNCLINE_ASSERT_OK(condition.Begin());
  EXPECT_EQ(condition.Target(), 1100) << "from the start of the run";
  condition.At(1040);
  condition.Queue(1, 1);
  EXPECT_EQ(condition.State(), kReady);
  condition.Call();
  condition.Queue(1, 0);
  EXPECT_EQ(condition.Target(), 1140) << "from the last call";
  condition.At(1140);
  EXPECT_EQ(condition.State(), kReady);
  condition.Call();
  EXPECT_EQ(condition.Target(), 1240);
  EXPECT_EQ(condition->DependsOn(), ConditionDependence::kClock);
}

TEST(MultiMessageAvailableTimeoutConditionTest,
     ACallThatDidNotComeAboutDoesNotCount) {
  Timeout condition("min_sum: 2 execution_frequency: '100'");
  SYNCLINE_ASSERT_OK(condition.Begin());
  condition.At(50);
  condition.Queue(2);
  ASSERT_TRUE(condition.Dispatch());
  condition->OnDispatchUndone();
  condition.Queue(1);
  EXPECT_EQ(condition.Target(), 100);
}

TEST(MultiMessageAvailableTimeoutConditionTest, EachRunCountsFromItsOwnStart) {
  Timeout condition("min_sum: 2 execution_frequency: '100'");
  SYNCLINE_ASSERT_OK(condition.Begin());
  condition.At(500);
  SYNCLINE_ASSERT_OK(condition.Start());
  EXPECT_EQ(condition.Target(), 600);
}

TEST(MultiMessageAvailableTimeoutConditionTest, NobodyWaitsAfterTheEnd) {
  Timeout condition(
      "sampling_mode: PER_RECEIVER min_sizes: [2, 0] execution_frequency: "
      "'1h'");
  SYNCLINE_ASSERT_OK(condition.Begin());
  condition.Queue(1);
  condition.input(0).is_done = true;
  EXPECT_EQ(condition.State(), kReady);
}

TEST(MultiMessageAvailableTimeoutConditionTest, RefusesOptionsThatCannotBe) {
  const auto refused = [](absl::string_view options, absl::string_view why) {
    ExpectRefused<MultiMessageAvailableTimeoutCondition>(
        "MultiMessageAvailableTimeoutConditionOptions", options, why);
  };
  refused("min_sum: 1", "execution_frequency is \"\": a period is missing");
  refused("min_sum: 1 execution_frequency: '-1s'", "cannot be negative");
  refused("min_sum: 1 execution_frequency: '1 fortnight'", "unit is none of");
  refused("execution_frequency: '1s'", "min_sum is not set");
  refused("execution_frequency: '1s' min_sizes: 1", "min_sizes is set");
}

// --- DownstreamMessageAffordableCondition

TEST(DownstreamMessageAffordableConditionTest, WaitsForRoomInEveryQueue) {
  ConditionUnderTest<DownstreamMessageAffordableCondition> condition(
      "DownstreamMessageAffordableConditionOptions",
      "transmitter: 'out_Y' min_size: 2");
  condition.AddOutput("X");
  condition.AddOutput("Y");
  SYNCLINE_ASSERT_OK(condition.Begin());
  ASSERT_EQ(condition.requests().watched_rooms.size(), 1);
  EXPECT_EQ(condition.requests().watched_rooms[0].first, 1);
  EXPECT_EQ(condition.requests().watched_rooms[0].second, 2);
  condition.output(0).room = 0;
  EXPECT_EQ(condition.State(), kReady) << "nobody reads Y";
  condition.output(1).room = 1;
  EXPECT_EQ(condition.State(), kWait);
  condition.output(1).room = 2;
  EXPECT_EQ(condition.State(), kReady);
  // A queue that grew past its limit.
  condition.output(1).room = -1;
  EXPECT_EQ(condition.State(), kWait);
}

TEST(DownstreamMessageAffordableConditionTest, RefusesOptionsThatCannotBe) {
  const auto initialize = [](absl::string_view options) {
    ConditionUnderTest<DownstreamMessageAffordableCondition> condition(
        "DownstreamMessageAffordableConditionOptions", options);
    condition.AddOutput("X");
    condition.AddOutput("Y");
    return condition.Initialize();
  };
  EXPECT_THAT(initialize("transmitter: 'Z'"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("transmitter: the node has no output stream "
                                 "\"Z\"")));
  EXPECT_THAT(initialize(""), StatusIs(absl::StatusCode::kInvalidArgument,
                                       HasSubstr("transmitter is not set")));
}

// --- NoneCondition

TEST(NoneConditionTest, IsReadyAndNamesItsPorts) {
  ConditionUnderTest<NoneCondition> condition(
      "NoneConditionOptions", "receivers: ['B', 'in_A'] transmitters: 'X'");
  condition.AddInput("A");
  condition.AddInput("B");
  condition.AddOutput("X");
  SYNCLINE_ASSERT_OK(condition.Begin());
  EXPECT_EQ(condition.State(), kReady);
  EXPECT_THAT(condition.requests().named_inputs, ElementsAre(1, 0));
  EXPECT_THAT(condition.requests().named_outputs, ElementsAre(0));
  EXPECT_EQ(condition->DependsOn(), ConditionDependence::kPackets);
}

TEST(NoneConditionTest, RefusesOptionsThatCannotBe) {
  const auto refused = [](absl::string_view options, absl::string_view why) {
    ExpectRefused<NoneCondition>("NoneConditionOptions", options, why);
  };
  refused("", "Neither receivers nor transmitters is set");
  refused("receivers: 'C'", "receivers: the node has no input stream \"C\"");
  refused("transmitters: 'A'", "which is an input stream of it");
}

// --- All

TEST(MessageConditionsTest, AMinSizeOfZeroHoldsNothingBack) {
  MessageAvailable message("receiver: 'A' min_size: 0");
  SYNCLINE_ASSERT_OK(message.Begin());
  EXPECT_EQ(message.State(), kReady);

  for (const absl::string_view options :
       {"min_sum: 0", "min_size: 0",
        "sampling_mode: PER_RECEIVER min_sizes: [0, 0]"}) {
    OnInputs<MultiMessageAvailableCondition> several(
        "MultiMessageAvailableConditionOptions", options);
    SYNCLINE_ASSERT_OK(several.Begin());
    EXPECT_EQ(several.State(), kReady) << options;
    Timeout timeout(absl::StrCat("execution_frequency: '1s' ", options));
    SYNCLINE_ASSERT_OK(timeout.Begin());
    EXPECT_EQ(timeout.State(), kReady) << options;
  }

  ConditionUnderTest<DownstreamMessageAffordableCondition> room(
      "DownstreamMessageAffordableConditionOptions",
      "transmitter: 'X' min_size: 0");
  room.AddOutput("X");
  SYNCLINE_ASSERT_OK(room.Begin());
  EXPECT_EQ(room.State(), kReady);
  // Nor is the node woken for room that it does not wait for.
  EXPECT_TRUE(room.requests().watched_rooms.empty());
}

TEST(MessageConditionsTest, AreFoundByTheNamesOfHoloscanAndGxf) {
  for (const absl::string_view name :
       {"MessageAvailableCondition", "MessageAvailableSchedulingTerm",
        "ExpiringMessageAvailableCondition",
        "ExpiringMessageAvailableSchedulingTerm",
        "MultiMessageAvailableCondition", "MultiMessageAvailableSchedulingTerm",
        "MultiMessageAvailableTimeoutCondition",
        "MessageAvailableFrequencyThrottler",
        "DownstreamMessageAffordableCondition",
        "DownstreamReceptiveSchedulingTerm", "NoneCondition", "kNone"}) {
    EXPECT_TRUE(ConditionRegistry::IsRegistered(name)) << name;
  }
}

}  // namespace
}  // namespace syncline
