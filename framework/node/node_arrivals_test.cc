// What arrives at a node, and what follows from it.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/calculator/context.h"
#include "framework/calculator/packet_times.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_inputs.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/drop_cause.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kOneInput[] = "input_stream: 'a' output_stream: 'out'";
constexpr char kJoin[] =
    "input_stream: 'a' input_stream: 'b' output_stream: 'out'";

// --- A packet that starts the call directly

// The same events at two nodes. At one of them no packet takes a shortcut,
// since it counts the bytes of a queue.
class Twins {
 public:
  explicit Twins(const std::string& fields)
      : direct_(fields),
        queued_(fields),
        next_(direct_.settings.limits.size()) {
    queued_.settings.limits[0].bytes = 1 << 20;
    for (NodeUnderTest* const node : {&direct_, &queued_}) {
      for (auto& limit : node->settings.limits) limit.packets = 2;
    }
  }

 protected:
  // Each of these functions is false if this cannot happen now.
  bool Open() {
    if (has_opened_) return false;
    has_opened_ = true;
    return Both([](NodeUnderTest* node) { return node->Open(); });
  }
  bool Run() {
    if (queued_.num_ready() == 0) return false;
    return Both([](NodeUnderTest* node) { return node->Run(); });
  }
  // What arrives at `port`, on from the bound there; so many of the last are
  // possible.
  static constexpr int kArrivals = 5;
  bool Arrive(int port, int event) {
    const int next = next_[port];
    if (next == kEnded) return false;
    switch (event) {
      case 0:
        return Packets(port, {next}, next + 1);
      case 1:
        return Packets(port, {next + 1}, next + 5);
      case 2:
        return Packets(port, {}, next + 2);
      case 3:
        return Packets(port, {next}, kEnded);
      default:
        return Packets(port, {next, next + 2}, next + 3);
    }
  }
  void Note(int event) { absl::StrAppend(&story_, " ", event); }

  NodeUnderTest direct_;
  NodeUnderTest queued_;

 private:
  static constexpr int kEnded = 1000;

  bool Packets(int port, const std::vector<int>& times, int after) {
    next_[port] = after;
    const Timestamp bound =
        after == kEnded ? Timestamp::Done() : Timestamp(after);
    return Both([&](NodeUnderTest* node) {
      std::vector<Packet> packets;
      for (const int time : times) packets.push_back(NodeUnderTest::At(time));
      return node->After([&](Node* under_test, Effects* effects) {
        under_test->Deliver(port, absl::MakeSpan(packets), /*may_move=*/true,
                            bound, effects);
      });
    });
  }
  template <typename Event>
  bool Both(const Event& event) {
    const auto told = event(&direct_);
    EXPECT_EQ(told, event(&queued_)) << story_;
    EXPECT_EQ(direct_.Sent(), queued_.Sent()) << story_;
    const NodeSnapshot one = direct_.node().Snapshot();
    const NodeSnapshot other = queued_.node().Snapshot();
    EXPECT_EQ(one.state, other.state) << story_;
    EXPECT_EQ(one.calls_in_flight, other.calls_in_flight) << story_;
    for (std::size_t i = 0; i < one.inputs.size(); ++i) {
      EXPECT_EQ(one.inputs[i].queue_size, other.inputs[i].queue_size) << story_;
      EXPECT_EQ(one.inputs[i].packets_added, other.inputs[i].packets_added)
          << story_;
      EXPECT_EQ(one.inputs[i].bound, other.inputs[i].bound) << story_;
    }
    EXPECT_EQ(one.outputs[0].bound, other.outputs[0].bound) << story_;
    return true;
  }

  std::vector<int> next_;
  bool has_opened_ = false;
  std::string story_;
};

class OneInputTwins : public Twins {
 public:
  static constexpr int kEvents = 2 + kArrivals;

  OneInputTwins() : Twins(kOneInput) {}
  bool Do(int event) {
    Note(event);
    if (event < 2) return event == 0 ? Open() : Run();
    return Arrive(0, event - 2);
  }
};

// They are open.
class JoinTwins : public Twins {
 public:
  // Several packets at once go through the queues anyway.
  static constexpr int kOfAPort = kArrivals - 1;
  static constexpr int kEvents = 1 + 2 * kOfAPort;

  explicit JoinTwins(bool has_offset) : Twins(kJoin) {
    for (NodeUnderTest* const node : {&direct_, &queued_}) {
      if (!has_offset) continue;
      node->calculator.open = [](CalculatorContext* cc) {
        cc->SetOffset(TimestampDiff(0));
        return absl::OkStatus();
      };
    }
    Open();
  }
  bool Do(int event) {
    Note(event);
    if (event == 0) return Run();
    return Arrive((event - 1) / kOfAPort, (event - 1) % kOfAPort);
  }
};

// Does each possible sequence of `length` events to twins of its own. Returns
// how many there are.
template <typename MakeTwins>
int TryAll(int length, const MakeTwins& make) {
  std::vector<int> events(length, 0);
  int tried = 0;
  for (int last = 0; last >= 0 && !::testing::Test::HasFailure();) {
    const auto twins = make();
    last = 0;
    while (last < length && twins->Do(events[last])) ++last;
    if (last == length) ++tried;
    // The next sequence; those that begin with what cannot happen are left out.
    last = std::min(last, length - 1);
    for (int i = last + 1; i < length; ++i) events[i] = 0;
    while (last >= 0 && ++events[last] == twins->kEvents) events[last--] = 0;
  }
  return tried;
}

TEST(NodeArrivalsTest, APacketThatStartsACallDirectlyDoesWhatTheQueueDoes) {
  EXPECT_GT(TryAll(5, [] { return std::make_unique<OneInputTwins>(); }), 1000);
}

TEST(NodeArrivalsTest, APacketThatComesFirstToAJoinDoesWhatTheRuleSays) {
  for (const bool has_offset : {false, true}) {
    SCOPED_TRACE(has_offset ? "with an offset" : "without an offset");
    EXPECT_GT(TryAll(4,
                     [has_offset] {
                       return std::make_unique<JoinTwins>(has_offset);
                     }),
              1000);
  }
}

// The thread sanitizer looks at this.
TEST(NodeArrivalsTest, LateBoundsAndSnapshotsMayComeBesideADirectStart) {
  NodeUnderTest node(kOneInput);
  node.Open();
  Node& reader = node.node();
  std::atomic<int> next{0};
  constexpr int kPackets = 5000;
  std::thread late([&] {
    int time = 0;
    while ((time = next.load(std::memory_order_relaxed)) < kPackets) {
      Effects effects;
      // Passed on before the packet at this time was sent.
      reader.Deliver(0, {}, /*may_move=*/true, Timestamp(time), &effects);
      EXPECT_THAT(effects.ready, IsEmpty());
      EXPECT_LE(reader.Snapshot().inputs[0].packets_added, kPackets);
    }
  });
  int calls = 0;
  for (int time = 0; time < kPackets; ++time) {
    next.store(time, std::memory_order_relaxed);
    Effects effects;
    Packet packet = NodeUnderTest::At(time);
    reader.Deliver(0, {&packet, 1}, /*may_move=*/true, Timestamp(time + 1),
                   &effects);
    ASSERT_EQ(effects.ready.size(), 1);
    auto* const call = static_cast<Invocation*>(effects.ready[0]);
    ASSERT_EQ(call->sets[0].timestamp, Timestamp(time));
    effects.ready.clear();
    EXPECT_TRUE(reader.ProcessPlain(call, call->sets[0]).ok());
    call->sets[0].context->EndCall();
    reader.Finish(&effects);
    EXPECT_THAT(effects.ready, IsEmpty());
    ++calls;
  }
  next.store(kPackets);
  late.join();
  EXPECT_EQ(calls, kPackets);
  EXPECT_EQ(reader.Snapshot().inputs[0].packets_added, kPackets);
  EXPECT_EQ(reader.Snapshot().inputs[0].bound, Timestamp(kPackets));
}

// --- One input

TEST(NodeArrivalsTest, APacketThatIsAnInputSetGoesPastTheQueue) {
  NodeUnderTest node(kOneInput);
  EXPECT_THAT(node.Open(), IsEmpty());
  EXPECT_THAT(node.Add(0, 10), ElementsAre("process 10 (10)"));
  EXPECT_EQ(node.Waiting(0), 0);
  EXPECT_EQ(node.Input(0).packets_added, 1);
  EXPECT_THAT(node.Run(), IsEmpty());
  EXPECT_THAT(node.Add(0, 20), ElementsAre("process 20 (20)"));
}

TEST(NodeArrivalsTest, APacketThatGoesPastTheQueueDoesNotFillIt) {
  for (const bool may_move : {false, true}) {
    NodeUnderTest node(kOneInput);
    node.settings.limits[0].packets = 1;
    node.Open();
    Packet packet = NodeUnderTest::At(10);
    EXPECT_THAT(node.After([&](Node* under_test, Effects* effects) {
      under_test->Deliver(0, {&packet, 1}, may_move, Timestamp(11), effects);
    }),
                ElementsAre("process 10 (10)"));
    EXPECT_THAT(node.Add(0, 20), ElementsAre("full: a"));
    EXPECT_THAT(node.Run(), ElementsAre("process 20 (20)", "not full: a"));
  }
}

TEST(NodeArrivalsTest, WhileACallIsReadyOrRunsPacketsWait) {
  NodeUnderTest node(kOneInput);
  node.Open();
  node.Add(0, 10);
  EXPECT_THAT(node.Add(0, 20), IsEmpty());
  Invocation* const call = node.Call();
  EXPECT_THAT(node.Add(0, 30), IsEmpty());
  EXPECT_EQ(node.Waiting(0), 2);
  EXPECT_THAT(node.Finish(call), ElementsAre("process 20 (20)"));
  EXPECT_THAT(node.Run(), ElementsAre("process 30 (30)"));
  EXPECT_THAT(node.Run(), IsEmpty());
}

TEST(NodeArrivalsTest, BeforeTheNodeIsOpenPacketsWait) {
  NodeUnderTest node(kOneInput);
  EXPECT_THAT(node.Add(0, 10), IsEmpty());
  EXPECT_EQ(node.Waiting(0), 1);
  EXPECT_THAT(node.Open(), ElementsAre("process 10 (10)"));
}

TEST(NodeArrivalsTest, AfterTheCloseNothingWaits) {
  NodeUnderTest node(kOneInput);
  node.Open();
  EXPECT_THAT(node.End(0), ElementsAre("close"));
  EXPECT_THAT(node.Run(), IsEmpty());
  EXPECT_THAT(node.Add(0, 10), ElementsAre("dropped 10"));
  EXPECT_EQ(node.Waiting(0), 0);
  EXPECT_EQ(node.Input(0).drops.of(DropCause::kAfterClose), 1);
}

TEST(NodeArrivalsTest, OfSeveralPacketsTheFirstIsReadyAndTheOthersWait) {
  NodeUnderTest node(kOneInput);
  node.Open();
  EXPECT_THAT(node.AddAll(0, {10, 20, 30}), ElementsAre("process 10 (10)"));
  EXPECT_EQ(node.Waiting(0), 2);
  EXPECT_THAT(node.Run(), ElementsAre("process 20 (20)"));
  EXPECT_THAT(node.Run(), ElementsAre("process 30 (30)"));
  EXPECT_THAT(node.Run(), IsEmpty());
}

TEST(NodeArrivalsTest, ABoundFarBehindThePacketIsPassedOnAfterTheCall) {
  NodeUnderTest node(kOneInput);
  node.calculator.open = [](CalculatorContext* cc) {
    cc->SetOffset(TimestampDiff(0));
    return absl::OkStatus();
  };
  node.Open();
  Packet packet = NodeUnderTest::At(10);
  EXPECT_THAT(node.After([&](Node* under_test, Effects* effects) {
    under_test->Deliver(0, {&packet, 1}, /*may_move=*/true, Timestamp(50),
                        effects);
  }),
              ElementsAre("process 10 (10)"));
  EXPECT_THAT(node.Run(), ElementsAre("bound of out: 50"));
  EXPECT_THAT(node.Sent(), ElementsAre("out bound 11"));
}

TEST(NodeArrivalsTest, AfterThePacketAtTheEndOfTimeTheNodeCloses) {
  NodeUnderTest node(kOneInput);
  node.Open();
  EXPECT_THAT(
      node.Add(0, MakePacket<int>(1).At(Timestamp::PostStream())),
      ElementsAre("process Timestamp::PostStream() (Timestamp::PostStream())"));
  EXPECT_THAT(node.Run(), ElementsAre("close"));
}

// --- A join

TEST(NodeArrivalsTest, TheLastPacketOfAnInputSetMakesAJoinReady) {
  NodeUnderTest node(kJoin);
  node.Open();
  EXPECT_THAT(node.Add(0, 10), IsEmpty());
  EXPECT_THAT(node.Add(0, 20), IsEmpty());
  EXPECT_THAT(node.Add(1, 10), ElementsAre("process 10 (10, 10)"));
  EXPECT_THAT(node.Add(1, 20), IsEmpty());
  EXPECT_THAT(node.Run(), ElementsAre("process 20 (20, 20)"));
}

TEST(NodeArrivalsTest, ABoundMakesAJoinReady) {
  NodeUnderTest node(kJoin);
  node.Open();
  node.Add(0, 10);
  EXPECT_THAT(node.Bound(1, 10), IsEmpty());
  EXPECT_THAT(node.Bound(1, 11), ElementsAre("process 10 (10, -)"));
}

// The same events at two joins. At one of them, what one call of the sender
// sends is delivered together.
class TogetherAndApart {
 public:
  // At each port an arrival of one of kKinds kinds.
  static constexpr int kKinds = 5;
  // Open, Run, and each pair of arrivals.
  static constexpr int kEvents = 2 + kKinds * kKinds;

  explicit TogetherAndApart(bool has_offset = false)
      : together_(kJoin), apart_(kJoin) {
    for (NodeUnderTest* const node : {&together_, &apart_}) {
      if (!has_offset) continue;
      node->calculator.open = [](CalculatorContext* cc) {
        cc->SetOffset(TimestampDiff(0));
        return absl::OkStatus();
      };
    }
  }

  // False: it cannot happen now.
  bool Do(int event) {
    if (event == 0) {
      if (has_opened_) return false;
      Open();
      return true;
    }
    if (event == 1) {
      if (apart_.num_ready() == 0) return false;
      Run();
      return true;
    }
    // What has ended sends nothing more.
    const std::array<int, 2> kinds = {(event - 2) / kKinds,
                                      (event - 2) % kKinds};
    if (has_ended_[0] || has_ended_[1]) return false;
    Send(kinds[0], kinds[1]);
    return true;
  }

  void Open() {
    has_opened_ = true;
    absl::StrAppend(&story_, " open");
    Both([](NodeUnderTest* node) { return node->Open(); });
  }
  void Run() {
    if (apart_.num_ready() == 0) return;
    absl::StrAppend(&story_, " run");
    Both([](NodeUnderTest* node) { return node->Run(); });
  }
  void Send(int kind_of_a, int kind_of_b) {
    struct Sent {
      std::vector<int> times;
      Timestamp bound;
    };
    std::array<Sent, 2> sent;
    for (const int port : {0, 1}) {
      const int kind = port == 0 ? kind_of_a : kind_of_b;
      int& next = next_[port];
      absl::StrAppend(&story_, " ", port, ":", kind);
      if (kind == 0) sent[port].times = {next};
      if (kind == 1) sent[port].times = {next + 1};
      if (kind == 2) sent[port].times = {next, next + 1};
      next += kind == 0 ? 1 : 2;
      sent[port].bound = Timestamp(kind == 3 ? next + 1 : next);
      has_ended_[port] = kind == 4;
      if (kind == 4) sent[port].bound = Timestamp::Done();
    }
    Both([&](NodeUnderTest* node) {
      std::array<std::vector<Packet>, 2> packets;
      std::vector<Arrival> arrivals;
      for (const int port : {0, 1}) {
        for (const int time : sent[port].times) {
          packets[port].push_back(NodeUnderTest::At(time));
        }
        arrivals.push_back(
            {port, absl::MakeSpan(packets[port]), sent[port].bound});
      }
      return node->After([&](Node* under_test, Effects* effects) {
        if (node == &together_) {
          return under_test->DeliverTogether(arrivals, effects);
        }
        for (const Arrival& arrival : arrivals) {
          under_test->Deliver(arrival.port, arrival.packets, /*may_move=*/true,
                              arrival.bound, effects);
        }
      });
    });
  }

 private:
  template <typename Event>
  void Both(const Event& event) {
    const auto told = event(&together_);
    EXPECT_EQ(told, event(&apart_)) << story_;
    EXPECT_EQ(together_.Sent(), apart_.Sent()) << story_;
    for (const int port : {0, 1}) {
      EXPECT_EQ(together_.Waiting(port), apart_.Waiting(port)) << story_;
      EXPECT_EQ(together_.Input(port).bound, apart_.Input(port).bound)
          << story_;
    }
  }

  NodeUnderTest together_;
  NodeUnderTest apart_;
  std::array<int, 2> next_ = {0, 0};
  std::array<bool, 2> has_ended_ = {false, false};
  bool has_opened_ = false;
  std::string story_;
};

TEST(NodeArrivalsTest, WhatArrivesTogetherDoesWhatItWouldOneByOne) {
  for (const bool has_offset : {false, true}) {
    SCOPED_TRACE(has_offset ? "with an offset" : "without an offset");
    EXPECT_GT(TryAll(3,
                     [has_offset] {
                       return std::make_unique<TogetherAndApart>(has_offset);
                     }),
              1000);
  }
}

// Longer sequences.
TEST(NodeArrivalsTest, WhatArrivesTogetherDoesTheSameInRandomSequences) {
  std::mt19937 random(7);
  const auto one_of = [&random](int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
  };
  for (int i = 0; i < 1000; ++i) {
    TogetherAndApart nodes;
    const int opens_at = one_of(3);
    // A stream that has ended stays so: the last arrival may be the end.
    for (int step = 0; step < 8; ++step) {
      if (step == opens_at) nodes.Open();
      if (one_of(3) == 0) {
        nodes.Run();
      } else {
        const int kinds = TogetherAndApart::kKinds - (step < 7 ? 1 : 0);
        nodes.Send(one_of(kinds), one_of(kinds));
      }
    }
    for (int step = 0; step < 20; ++step) nodes.Run();
    ASSERT_FALSE(HasFailure());
  }
}

TEST(NodeArrivalsTest, OfWhatArrivesTogetherTheLastBoundIsPassedOn) {
  NodeUnderTest node(kJoin);
  node.calculator.open = [](CalculatorContext* cc) {
    cc->SetOffset(TimestampDiff(0));
    return absl::OkStatus();
  };
  node.Open();
  const std::vector<Arrival> arrivals = {{0, {}, Timestamp(7)},
                                         {1, {}, Timestamp(5)}};
  EXPECT_THAT(node.After([&](Node* under_test, Effects* effects) {
    under_test->DeliverTogether(arrivals, effects);
  }),
              ElementsAre("bound of out: 5"));
}

// --- Packets that are moved out of the span of the caller, or copied

// What is left of `packets` after they were delivered to port 0.
std::vector<Packet> LeftOf(std::vector<Packet> packets, bool may_move,
                           NodeUnderTest* node) {
  node->After([&](Node* under_test, Effects* effects) {
    under_test->Deliver(0, absl::MakeSpan(packets), may_move,
                        packets.back().Timestamp().NextAllowedInStream(),
                        effects);
  });
  return packets;
}

TEST(NodeArrivalsTest, PacketsAreMovedOnlyIfTheyMayBe) {
  struct Case {
    const char* fields;
    std::vector<Packet> packets;
  };
  const Packet ten = NodeUnderTest::At(10);
  const Packet twenty = NodeUnderTest::At(20);
  for (const Case& c : {Case{kOneInput, {ten}}, Case{kJoin, {ten}},
                        Case{kOneInput, {ten, twenty}}}) {
    for (const bool may_move : {false, true}) {
      NodeUnderTest node(c.fields);
      node.Open();
      for (const Packet& left : LeftOf(c.packets, may_move, &node)) {
        EXPECT_EQ(left.IsEmpty(), may_move);
      }
      if (c.fields == kJoin) node.Add(1, 10);
      int seen = 0;
      node.calculator.process = [&seen](CalculatorContext* cc) {
        seen = cc->Inputs().begin()->Get<int>();
        return absl::OkStatus();
      };
      node.Run();
      EXPECT_EQ(seen, 10);
    }
  }
}

// --- Queues of a special kind

TEST(NodeArrivalsTest, AFullQueueDropsPacketsButNotTheOneThatStartsACall) {
  NodeUnderTest node(
      "input_stream: 'a' input_stream_info { tag_index: ':0' "
      "max_queue_size: 2 queue_policy: POP }");
  node.Open();
  EXPECT_THAT(node.AddAll(0, {10, 20, 30}), ElementsAre("process 10 (10)"));
  EXPECT_EQ(node.Waiting(0), 2) << "10 takes no room any more";
  EXPECT_EQ(node.Input(0).packets_added, 3);
  EXPECT_EQ(node.Input(0).bound, Timestamp(31));
  EXPECT_THAT(node.Add(0, 40), ElementsAre("dropped 20"));
  EXPECT_THAT(node.Run(), ElementsAre("process 30 (30)"));
  EXPECT_EQ(node.Input(0).drops.of(DropCause::kQueueFull), 1);
}

TEST(NodeArrivalsTest, TheEndOfABoundedStreamClosesTheNode) {
  NodeUnderTest node(
      "input_stream: 'a' input_stream_info { tag_index: ':0' "
      "max_queue_size: 2 queue_policy: POP }");
  node.Open();
  Packet packet = NodeUnderTest::At(10);
  EXPECT_THAT(node.After([&](Node* under_test, Effects* effects) {
    under_test->Deliver(0, {&packet, 1}, /*may_move=*/true, Timestamp::Done(),
                        effects);
  }),
              ElementsAre("process 10 (10)"));
  EXPECT_THAT(node.Run(), ElementsAre("close"));
}

TEST(NodeArrivalsTest, AQueueWithALimitInBytesIsFullByBytes) {
  NodeUnderTest node(kJoin);
  node.settings.limits[0].bytes = 2000;
  node.Open();
  const auto add = [&](int time) {
    return node.Add(
        0, MakePacket<std::string>(std::string(1500, 'x')).At(Timestamp(time)));
  };
  EXPECT_THAT(add(10), IsEmpty());
  const std::int64_t one = node.Input(0).bytes;
  EXPECT_GE(one, 1500);
  EXPECT_THAT(add(20), ElementsAre("full: a"));
  EXPECT_EQ(node.Input(0).bytes, 2 * one);
  EXPECT_THAT(node.Add(1, 10),
              ElementsAre("process 10 (10, 10)", "not full: a"));
  EXPECT_EQ(node.Input(1).bytes, -1) << "nobody counts them";
}

TEST(NodeArrivalsTest, AStreamThatIsIdleAfterAnotherDoesNotHoldTheJoinBack) {
  NodeUnderTest node(
      "input_stream: 'a' input_stream: 'b' input_stream_info { "
      "tag_index: ':1' idle_after { stream: ':0' gap: 5 } }");
  node.Open();
  EXPECT_THAT(node.Add(0, 10), IsEmpty());
  EXPECT_THAT(node.Bound(0, 15), IsEmpty());
  EXPECT_THAT(node.Bound(0, 16), ElementsAre("process 10 (10, -)"));
}

// --- Times of packets

using Times = std::vector<PacketTimes>;

// Delivers packets at `times` with the times of acquisition 1000, 2000, ...
NodeUnderTest::Told AddTimed(const std::vector<int>& times,
                             NodeUnderTest* node) {
  std::vector<Packet> packets;
  Times packet_times;
  for (const int time : times) {
    packets.push_back(NodeUnderTest::At(time));
    packet_times.push_back({.acquisition_ns = time * 100});
  }
  return node->After([&](Node* under_test, Effects* effects) {
    under_test->DeliverTimed(0, absl::MakeSpan(packets), /*may_move=*/true,
                             Timestamp(times.back() + 1), packet_times,
                             effects);
  });
}

TEST(NodeArrivalsTest, AnInputThatKeepsTimesShowsThoseOfItsPacket) {
  NodeUnderTest node(
      "input_stream: 'a' input_stream_info { tag_index: ':0' "
      "message_times: true }");
  node.settings.limits[0].bytes = 100000;
  std::vector<std::int64_t> seen;
  node.calculator.process = [&seen](CalculatorContext* cc) {
    seen.push_back(cc->Inputs().begin()->MessageTimes().acquisition_ns);
    return absl::OkStatus();
  };
  node.Open();
  EXPECT_THAT(AddTimed({10, 20, 30}, &node), ElementsAre("process 10 (10)"));
  const std::int64_t two = node.Input(0).bytes;
  EXPECT_THAT(node.Run(), ElementsAre("process 20 (20)"));
  EXPECT_EQ(two, 2 * node.Input(0).bytes) << "bytes are counted one by one";
  EXPECT_THAT(node.Run(), ElementsAre("process 30 (30)"));
  EXPECT_THAT(node.Run(), IsEmpty());
  EXPECT_THAT(seen, ElementsAre(1000, 2000, 3000));
  EXPECT_EQ(node.Input(0).packets_added, 3);
}

TEST(NodeArrivalsTest, AnInputThatKeepsNoTimesTakesThePacketsAlone) {
  for (const char* const info :
       {"",
        "input_stream_info { tag_index: ':0' max_queue_size: 9 "
        "queue_policy: POP }"}) {
    NodeUnderTest node(absl::StrCat("input_stream: 'a' ", info));
    node.Open();
    EXPECT_THAT(AddTimed({10, 20}, &node), ElementsAre("process 10 (10)"));
    EXPECT_THAT(node.Run(), ElementsAre("process 20 (20)"));
    EXPECT_THAT(node.Run(), IsEmpty());
  }
}

// --- The gate

TEST(NodeArrivalsTest, WhatArrivesWhileConditionsAreAskedIsNews) {
  NodeUnderTest node(kOneInput);
  node.SetGate(1);
  EXPECT_THAT(node.Open(), ElementsAre("ask"));
  EXPECT_THAT(node.Ask(ConditionResult::Wait("")), IsEmpty());
  EXPECT_THAT(node.Add(0, 10), ElementsAre("ask"));
  NodeFacts* const facts = node.node().BeginAsk(/*now_ns=*/5);
  ASSERT_NE(facts, nullptr);
  EXPECT_TRUE(facts->has_input_set);
  EXPECT_EQ(facts->inputs[0].queued, 1);
  EXPECT_THAT(node.Add(0, 20), IsEmpty());
  EXPECT_THAT(node.After([](Node* under_test, Effects* effects) {
    under_test->FinishAsk(ConditionResult::Wait(""), /*is_dispatched=*/false,
                          effects);
  }),
              ElementsAre("ask"));
}

TEST(NodeArrivalsTest, ArrivalsHaveTheTimeOfTheClockIfAConditionLooksAtIt) {
  NodeUnderTest node(kOneInput);
  node.watched_arrivals = {0};
  node.SetGate(1);
  node.Open();
  node.Ask(ConditionResult::Wait(""));
  node.Add(0, 10);
  const NodeFacts* const facts = node.node().BeginAsk(/*now_ns=*/5);
  ASSERT_NE(facts, nullptr);
  EXPECT_EQ(facts->inputs[0].front_arrival_ns, 77);
}

}  // namespace
}  // namespace syncline
