// The short ways of what arrives at a node, compared with the rule: all small
// sequences of events.

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/calculator/context.h"
#include "framework/node/effects.h"
#include "framework/node/node.h"
#include "framework/node/node_inputs.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

constexpr char kOneInput[] = "input_stream: 'a' output_stream: 'out'";
constexpr char kJoin[] =
    "input_stream: 'a' input_stream: 'b' output_stream: 'out'";

// --- A packet that takes a shortcut

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

TEST(NodeArrivalsCasesTest,
     APacketThatStartsACallDirectlyDoesWhatTheQueueDoes) {
  EXPECT_GT(TryAll(5, [] { return std::make_unique<OneInputTwins>(); }), 1000);
}

template <typename Nodes>
void TryWithAndWithoutOffset(int length) {
  for (const bool has_offset : {false, true}) {
    SCOPED_TRACE(has_offset ? "with an offset" : "without an offset");
    EXPECT_GT(
        TryAll(length, [&] { return std::make_unique<Nodes>(has_offset); }),
        1000);
  }
}

TEST(NodeArrivalsCasesTest, APacketThatComesFirstToAJoinDoesWhatTheRuleSays) {
  TryWithAndWithoutOffset<JoinTwins>(4);
}

// --- What one call sends to several inputs of a join

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

TEST(NodeArrivalsCasesTest, WhatArrivesTogetherDoesWhatItWouldOneByOne) {
  TryWithAndWithoutOffset<TogetherAndApart>(3);
}

// Longer sequences.
TEST(NodeArrivalsCasesTest, WhatArrivesTogetherDoesTheSameInRandomSequences) {
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

}  // namespace
}  // namespace syncline
