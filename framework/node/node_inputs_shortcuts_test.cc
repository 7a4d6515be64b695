// The shortcuts of nodes with the default policy give the same results as the
// rule of readiness, in all small cases.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/node/node_inputs.h"
#include "framework/node/node_inputs_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/stream/input_queue.h"
#include "framework/stream/queue_limits.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using State = Readiness::State;
using ::testing::SizeIs;

// The same arrivals at two nodes: one takes each shortcut that there is, the
// other none.
class BothWays {
 public:
  static constexpr int kEventsOfInput = 5;

  BothWays(int num_inputs, bool passes_bounds)
      : short_(num_inputs),
        plain_(num_inputs),
        num_inputs_(num_inputs),
        passes_bounds_(passes_bounds) {
    for (InputsUnderTest* const way : {&short_, &plain_}) {
      for (QueueLimit& limit : way->limits) limit.packets = 2;
      way->Place();
    }
  }

  // False if this cannot happen now.
  bool Do(int event) {
    absl::StrAppend(&story_, " ", event);
    if (event == num_inputs_ * kEventsOfInput) return Call();
    const int port = event / kEventsOfInput;
    const Timestamp bound =
        std::max(plain_.inputs.queue(port).bound(), Timestamp(0));
    if (bound >= Timestamp::OneOverPostStream()) return false;
    switch (event % kEventsOfInput) {
      case 0:
        Arrive(port, bound, bound + 1);
        break;
      case 1:
        Arrive(port, bound + 1, bound + 3);
        break;
      case 2:
        Arrive(port, bound, Timestamp::Done());
        break;
      case 3:
        plain_.Bound(port, bound + 2);
        short_.Bound(port, bound + 2);
        break;
      case 4:
        plain_.Bound(port, Timestamp::Done());
        short_.Bound(port, Timestamp::Done());
        break;
    }
    return true;
  }

  void Compare() {
    ASSERT_THAT(short_.inputs.Evaluate(), Is(plain_.inputs.Evaluate()))
        << story_;
    for (int port = 0; port < num_inputs_; ++port) {
      ASSERT_EQ(short_.Waiting(port), plain_.Waiting(port)) << story_;
      const InputQueue& queue = short_.inputs.queue(port);
      const InputQueue& other = plain_.inputs.queue(port);
      ASSERT_EQ(queue.bound(), other.bound()) << story_;
      ASSERT_EQ(queue.added(), other.added()) << story_;
    }
    ASSERT_EQ(short_.effects.queue_facts.size(),
              plain_.effects.queue_facts.size())
        << story_;
  }

 private:
  void Arrive(int port, Timestamp timestamp, Timestamp bound) {
    Packet packet = plain_.At(timestamp);
    plain_.inputs.Add(port, absl::MakeSpan(&packet, 1), /*may_move=*/true,
                      bound, /*sizes=*/{}, &plain_.effects);
    packet = short_.At(timestamp);
    if (short_.inputs.packets_may_pass() && short_.Waiting(port).empty() &&
        short_.inputs.CanPass(timestamp)) {
      // As a node does, whose call can start.
      const bool has_more =
          short_.inputs.Pass(std::move(packet), bound, short_.shown().begin());
      // The rule may know that a bound is no news, for it goes no further.
      const bool expected = FinishPlain(&packet);
      ASSERT_TRUE(has_more || !expected) << story_;
      ASSERT_TRUE(has_more == expected || !passes_bounds_) << story_;
      const InputStream& shown = *short_.shown().begin();
      ASSERT_EQ(shown.Value().Timestamp(), timestamp) << story_;
      ASSERT_EQ(shown.IsDone(), plain_.shown().begin()->IsDone()) << story_;
    } else if (short_.inputs.CanAddFirst(port, timestamp)) {
      short_.inputs.AddFirst(port, std::move(packet), bound, &short_.effects);
    } else {
      short_.inputs.Add(port, absl::MakeSpan(&packet, 1), /*may_move=*/true,
                        bound, /*sizes=*/{}, &short_.effects);
    }
  }
  bool FinishPlain(Packet* packet) {
    const Timestamp timestamp = plain_.Take();
    return plain_.inputs.HasMoreAfter(timestamp, passes_bounds_);
  }
  bool Call() {
    if (plain_.inputs.Evaluate().state != State::kProcess) return false;
    EXPECT_EQ(plain_.Take(), short_.Take());
    return true;
  }

  InputsUnderTest short_;
  InputsUnderTest plain_;
  const int num_inputs_;
  const bool passes_bounds_;
  std::string story_;
};

// All sequences of `length` events. Returns how many could happen.
int TryAll(int num_inputs, int length, bool passes_bounds) {
  const int num_events = num_inputs * BothWays::kEventsOfInput + 1;
  std::vector<int> events(length, 0);
  int tried = 0;
  for (;;) {
    BothWays ways(num_inputs, passes_bounds);
    bool happens = true;
    for (size_t i = 0; happens && i < events.size(); ++i) {
      happens = ways.Do(events[i]);
      ways.Compare();
      if (::testing::Test::HasFatalFailure()) return tried;
    }
    tried += happens ? 1 : 0;
    size_t i = 0;
    while (i < events.size() && ++events[i] == num_events) events[i++] = 0;
    if (i == events.size()) return tried;
  }
}

TEST(NodeInputsTest, AJoinComesToTheSameWithItsShortcut) {
  EXPECT_GT(TryAll(2, 4, /*passes_bounds=*/false), 3'000);
  EXPECT_GT(TryAll(3, 3, /*passes_bounds=*/false), 1'000);
}

TEST(NodeInputsTest, OneInputComesToTheSameWithItsShortcut) {
  EXPECT_GT(TryAll(1, 4, /*passes_bounds=*/false), 100);
  EXPECT_GT(TryAll(1, 4, /*passes_bounds=*/true), 100);
}

TEST(NodeInputsTest, WithBoundsOfSettledTimesOneInputHasNoShortcut) {
  InputsUnderTest node(1);
  node.plan.bounds.are_processed = true;
  node.Place();
  EXPECT_FALSE(node.inputs.packets_may_pass());
  EXPECT_TRUE(node.inputs.CanAddFirst(0, Timestamp(1)));
  EXPECT_TRUE(node.Bound(0, Timestamp(5)));
  EXPECT_THAT(node.inputs.Evaluate(), Is(Ready(4)));
}

TEST(NodeInputsTest, SpecialTimesNeedALookAfterTheirCall) {
  InputsUnderTest node(1);
  node.Place();
  node.Add(0, Timestamp::PostStream());
  EXPECT_EQ(node.Take(), Timestamp::PostStream());
  EXPECT_TRUE(node.inputs.HasMoreAfter(Timestamp::PostStream(), false));
  EXPECT_FALSE(node.inputs.CanPass(Timestamp::PostStream()));
}

TEST(NodeInputsTest, ACallAtNoTimeOfAPacketNeedsALookAfterIt) {
  InputsUnderTest node(1);
  node.Place();
  EXPECT_TRUE(node.inputs.HasMoreAfter(Timestamp::Unstarted(), false));
}

TEST(NodeInputsTest, AfterTheLastPacketThereIsTheEnd) {
  InputsUnderTest node(1);
  node.Place();
  EXPECT_TRUE(node.inputs.Pass(node.At(Timestamp::Max()), Timestamp::Unset(),
                               node.shown().begin()));
}

TEST(NodeInputsTest, TheFirstPacketOfAQueueMayMakeItFull) {
  InputsUnderTest node(2);
  node.limits[1].packets = 1;
  node.Place();
  ASSERT_TRUE(node.inputs.CanAddFirst(1, Timestamp(1)));
  node.inputs.AddFirst(1, node.At(Timestamp(1)), Timestamp(2), &node.effects);
  ASSERT_THAT(node.effects.queue_facts, SizeIs(1));
  EXPECT_EQ(node.effects.queue_facts[0].stream, 11);
  EXPECT_EQ(node.effects.queue_facts[0].change, 1);
}

}  // namespace
}  // namespace syncline
