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

struct Kind {
  int num_inputs = 1;
  bool passes_bounds = false;     // the node has an offset
  bool processes_bounds = false;  // it is called for settled times, too
};

// The same arrivals at two nodes: one takes each shortcut that there is, the
// other none.
class BothWays {
 public:
  explicit BothWays(const Kind& kind)
      : short_(kind.num_inputs), plain_(kind.num_inputs), kind_(kind) {
    for (InputsUnderTest* const way : {&short_, &plain_}) {
      for (QueueLimit& limit : way->limits) limit.packets = 2;
      way->plan.bounds.are_processed = kind.processes_bounds;
      way->Place();
    }
  }

  static int NumEvents(const Kind& kind) {
    const int of_sets = kind.num_inputs > 1 ? kSets : 0;
    return kind.num_inputs * kEventsOfInput + 1 + of_sets;
  }
  // False if this cannot happen now.
  bool Do(int event) {
    absl::StrAppend(&story_, " ", event);
    const int call = kind_.num_inputs * kEventsOfInput;
    if (event == call) return Call();
    if (event > call) return ArriveTogether(event - call - 1);
    const int port = event / kEventsOfInput;
    const Timestamp bound = Next(port);
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
    const Readiness readiness = plain_.inputs.Evaluate();
    ASSERT_THAT(short_.inputs.Evaluate(), Is(readiness)) << story_;
    for (int port = 0; port < kind_.num_inputs; ++port) {
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
  static constexpr int kEventsOfInput = 5;
  static constexpr int kSets = 3;

  // The time of the next packet at `port`, if there is one.
  Timestamp Next(int port) const {
    return std::max(plain_.inputs.queue(port).bound(), Timestamp(0));
  }
  void Arrive(int port, Timestamp timestamp, Timestamp bound) {
    AddTo(&plain_, port, timestamp, bound);
    Packet packet = short_.At(timestamp);
    if (short_.inputs.packets_may_pass() && short_.Waiting(port).empty() &&
        short_.inputs.CanPass(timestamp)) {
      // As a node does, whose call can start.
      const bool has_more =
          short_.inputs.Pass(std::move(packet), bound, short_.shown().begin());
      // The rule may know that a bound is no news, for it goes no further.
      const bool expected = FinishPlain();
      ASSERT_TRUE(has_more || !expected) << story_;
      ASSERT_TRUE(has_more == expected || !kind_.passes_bounds) << story_;
      CompareShown(timestamp);
    } else if (short_.inputs.CanAddFirst(port, timestamp)) {
      short_.inputs.AddFirst(port, std::move(packet), bound, &short_.effects);
    } else {
      AddTo(&short_, port, timestamp, bound);
    }
  }
  static void AddTo(InputsUnderTest* way, int port, Timestamp timestamp,
                    Timestamp bound) {
    Packet packet = way->At(timestamp);
    way->inputs.Add(port, absl::MakeSpan(&packet, 1), /*may_move=*/true, bound,
                    /*sizes=*/{}, &way->effects);
  }
  bool FinishPlain() {
    const Timestamp timestamp = plain_.Take();
    return plain_.inputs.HasMoreAfter(timestamp, kind_.passes_bounds);
  }

  // An input set comes as a whole, and no call is ready yet.
  bool ArriveTogether(int set) {
    if (plain_.inputs.Evaluate().state != State::kWait) return false;
    Timestamp timestamp = Timestamp(0);
    bool waits = false;
    for (int port = 0; port < kind_.num_inputs; ++port) {
      timestamp = std::max(timestamp, Next(port));
      waits |= !plain_.Waiting(port).empty();
    }
    if (timestamp >= Timestamp::OneOverPostStream()) return false;
    std::vector<Packet> packets(kind_.num_inputs, short_.At(timestamp));
    std::vector<Arrival> arrivals;
    // The port that is named last is not always the last one.
    for (int port = kind_.num_inputs - 1; port >= 0; --port) {
      const Timestamp bound = set == 2 && port == 0 ? Timestamp::Done()
                              : set == 1            ? timestamp + 1 + port
                                                    : timestamp + 1;
      arrivals.push_back({port, absl::MakeSpan(&packets[port], 1), bound});
    }
    EXPECT_EQ(short_.inputs.CanPassSet(arrivals), !waits) << story_;
    if (waits) return false;
    for (const Arrival& arrival : arrivals) {
      AddTo(&plain_, arrival.port, timestamp, arrival.bound);
    }
    EXPECT_THAT(plain_.inputs.Evaluate(),
                Is(Readiness{State::kProcess, timestamp}))
        << story_;
    plain_.Take();
    EXPECT_EQ(short_.inputs.PassSet(arrivals, &short_.shown(), &short_.effects),
              timestamp)
        << story_;
    CompareShown(timestamp);
    CompareAfterCall(timestamp);
    return true;
  }
  bool Call() {
    const Readiness readiness = plain_.inputs.Evaluate();
    if (readiness.state != State::kProcess) return false;
    EXPECT_EQ(plain_.Take(), readiness.timestamp) << story_;
    EXPECT_EQ(short_.Take(), readiness.timestamp) << story_;
    CompareShown(readiness.timestamp);
    CompareAfterCall(readiness.timestamp);
    return true;
  }
  // What a call at `timestamp` shows.
  void CompareShown(Timestamp timestamp) {
    for (int port = 0; port < kind_.num_inputs; ++port) {
      const InputStream& shown = short_.shown().begin()[port];
      const InputStream& other = plain_.shown().begin()[port];
      ASSERT_EQ(shown.IsEmpty(), other.IsEmpty()) << story_;
      ASSERT_EQ(shown.Value().Timestamp(), other.Value().Timestamp()) << story_;
      ASSERT_EQ(shown.IsDone(), other.IsDone()) << story_;
      if (!shown.IsEmpty()) {
        ASSERT_EQ(shown.Value().Timestamp(), timestamp) << story_;
        ASSERT_EQ(shown.Get<std::string>(), other.Get<std::string>());
      }
    }
  }
  void CompareAfterCall(Timestamp timestamp) {
    const bool has_more =
        plain_.inputs.HasMoreAfter(timestamp, kind_.passes_bounds);
    ASSERT_EQ(short_.inputs.HasMoreAfter(timestamp, kind_.passes_bounds),
              has_more)
        << story_;
    // Nothing is lost.
    const Readiness next = plain_.inputs.Evaluate();
    if (next.state != State::kWait) {
      ASSERT_TRUE(has_more) << story_;
    } else if (kind_.passes_bounds) {
      ASSERT_EQ(has_more, next.timestamp > timestamp + 1) << story_;
    } else {
      ASSERT_FALSE(has_more) << story_;
    }
  }

  InputsUnderTest short_;
  InputsUnderTest plain_;
  const Kind kind_;
  std::string story_;
};

// All sequences of `length` events. Returns how many could happen.
int TryAll(const Kind& kind, int length) {
  const int num_events = BothWays::NumEvents(kind);
  std::vector<int> events(length, 0);
  int tried = 0;
  for (int last = 0; last >= 0;) {
    BothWays ways(kind);
    last = 0;
    while (last < length && ways.Do(events[last])) {
      ++last;
      ways.Compare();
      if (::testing::Test::HasFailure()) return tried;
    }
    if (last == length) ++tried;
    // The next sequence; those that begin with what cannot happen are left out.
    last = std::min(last, length - 1);
    for (int i = last + 1; i < length; ++i) events[i] = 0;
    while (last >= 0 && ++events[last] == num_events) events[last--] = 0;
  }
  return tried;
}

TEST(NodeInputsTest, AJoinComesToTheSameWithItsShortcuts) {
  EXPECT_GT(TryAll({.num_inputs = 2}, 4), 4'000);
  EXPECT_GT(TryAll({.num_inputs = 3}, 3), 1'000);
}

TEST(NodeInputsTest, AJoinThatHearsOfBoundsComesToTheSameWithItsShortcuts) {
  for (const bool passes : {false, true}) {
    for (const bool processes : {false, true}) {
      EXPECT_GT(TryAll({2, passes, processes}, 3), 500);
    }
  }
}

TEST(NodeInputsTest, OneInputComesToTheSameWithItsShortcut) {
  for (const bool passes_bounds : {false, true}) {
    for (const bool processes_bounds : {false, true}) {
      const Kind one = {1, passes_bounds, processes_bounds};
      EXPECT_GT(TryAll(one, 4), 100);
    }
  }
}

TEST(NodeInputsTest, OnlyAWholeInputSetOfOneTimePasses) {
  InputsUnderTest node(2);
  node.Place();
  std::vector<Packet> packets = {node.At(Timestamp(1)), node.At(Timestamp(1)),
                                 node.At(Timestamp(2))};
  const auto arrival = [&packets](int port, int from, int count) {
    return Arrival{port, absl::MakeSpan(packets).subspan(from, count),
                   Timestamp(3)};
  };
  const auto passes = [&node](const std::vector<Arrival>& arrivals) {
    return node.inputs.CanPassSet(arrivals);
  };
  EXPECT_TRUE(passes({arrival(0, 0, 1), arrival(1, 1, 1)}));
  EXPECT_TRUE(passes({arrival(1, 0, 1), arrival(0, 1, 1)}));
  EXPECT_FALSE(passes({arrival(0, 0, 1)})) << "one is missing";
  EXPECT_FALSE(passes({arrival(0, 0, 0), arrival(1, 1, 1)})) << "a bound";
  EXPECT_FALSE(passes({arrival(0, 0, 1), arrival(1, 1, 0)})) << "a bound";
  EXPECT_FALSE(passes({arrival(0, 0, 1), arrival(1, 2, 1)})) << "later";
  EXPECT_FALSE(passes({arrival(0, 0, 1), arrival(1, 1, 2)})) << "two packets";
  node.Bound(1, Timestamp(2));
  EXPECT_FALSE(passes({arrival(0, 0, 1), arrival(1, 1, 1)})) << "too late";
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
