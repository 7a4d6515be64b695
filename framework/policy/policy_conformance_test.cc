// What every input policy keeps to, on random streams: the rules that a node
// relies on. A new policy is added to kSubjects.
//
// A run of the suite makes streams first (packets and bounds, in the order in
// which each stream brings them) and then chooses at random which stream goes
// on, and when a call is made.

#include <algorithm>
#include <cstdint>
#include <map>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "framework/calculator/input_stream.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/input_policy_registry.h"
#include "framework/policy/policy_test_support.h"
#include "framework/stream/input_queue.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

constexpr std::uint32_t kSeeds = 300;

struct Subject {
  const char* name;
  const char* handler;
  const char* options = "";
  bool process_timestamp_bounds = false;
  // Packets may be left in the queues at the end.
  bool closes_early = false;
  // A packet may be seen by several calls in a row.
  bool repeats_packets = false;

  friend std::ostream& operator<<(std::ostream& out, const Subject& subject) {
    return out << subject.name;
  }
};

constexpr char kTwoSets[] = R"pb(
  [syncline.SyncSetInputStreamHandlerOptions.ext] {
    sync_set { tag_index: "IN:0" tag_index: "IN:2" }
  })pb";
constexpr char kShort[] = R"pb(
  [syncline.FixedSizeInputStreamHandlerOptions.ext] {
    trigger_queue_size: 3
    target_queue_size: 2
  })pb";
constexpr char kAllShort[] = R"pb(
  [syncline.FixedSizeInputStreamHandlerOptions.ext] { fixed_min_size: true })pb";
constexpr char kBase[] = R"pb(
  [syncline.TimestampAlignInputStreamHandlerOptions.ext] {
    timestamp_base_tag_index: "IN:1"
  })pb";

constexpr char kWithin[] = R"pb(
  [syncline.ApproximateTimeInputStreamHandlerOptions.ext] {
    max_interval: 3
    stream { tag_index: "IN:2" tolerance: 1 }
  })pb";
constexpr char kAtBase[] = R"pb(
  [syncline.ApproximateTimeInputStreamHandlerOptions.ext] {
    timestamp_base_tag_index: "IN:1"
    close_enough: 1
  })pb";
constexpr char kMain[] = R"pb(
  [syncline.LatestInputStreamHandlerOptions.ext] { main_tag_index: "IN:1" })pb";
constexpr char kFresh[] = R"pb(
  [syncline.LatestInputStreamHandlerOptions.ext] {
    main_tag_index: "IN:1"
    requires_all: true
    max_age: 4
  })pb";
constexpr char kTimed[] = R"pb(
  [syncline.TimeoutInputStreamHandlerOptions.ext] { timeout_ns: 1 })pb";

constexpr Subject kSubjects[] = {
    {"Default", "DefaultInputStreamHandler"},
    {"DefaultWithBounds", "DefaultInputStreamHandler", "", true},
    {"Immediate", "ImmediateInputStreamHandler"},
    {"ImmediateWithBounds", "ImmediateInputStreamHandler", "", true},
    {"ArrivalOrder", "ArrivalOrderInputStreamHandler"},
    {"ArrivalOrderWithBounds", "ArrivalOrderInputStreamHandler", "", true},
    {"OneSyncSet", "SyncSetInputStreamHandler"},
    {"TwoSyncSets", "SyncSetInputStreamHandler", kTwoSets},
    {"TwoSyncSetsWithBounds", "SyncSetInputStreamHandler", kTwoSets, true},
    {"FixedSize", "FixedSizeInputStreamHandler"},
    {"FixedSizeOfTwo", "FixedSizeInputStreamHandler", kShort},
    {"FixedSizeWithBounds", "FixedSizeInputStreamHandler", kShort, true},
    {"FixedMinSize", "FixedSizeInputStreamHandler", kAllShort},
    {"TimestampAlign", "TimestampAlignInputStreamHandler", kBase, false, true},
    {"TimestampAlignWithBounds", "TimestampAlignInputStreamHandler", kBase,
     true, true},
    {"ApproximateTime", "ApproximateTimeInputStreamHandler"},
    {"ApproximateTimeWithin", "ApproximateTimeInputStreamHandler", kWithin},
    {"ApproximateTimeAtBase", "ApproximateTimeInputStreamHandler", kAtBase},
    {"ApproximateTimeWithBounds", "ApproximateTimeInputStreamHandler", "",
     true},
    {"ApproximateTimeAtBaseWithBounds", "ApproximateTimeInputStreamHandler",
     kAtBase, true},
    {"Latest", "LatestInputStreamHandler", kMain, false, false, true},
    {"LatestFresh", "LatestInputStreamHandler", kFresh, false, false, true},
    {"LatestWithBounds", "LatestInputStreamHandler", kMain, true, false, true},
    {"Barrier", "BarrierInputStreamHandler", "", false, true},
    {"EarlyClose", "EarlyCloseInputStreamHandler", "", false, true},
    {"Mux", "MuxInputStreamHandler", "", false, true},
    // Whose time is never up.
    {"Timeout", "TimeoutInputStreamHandler", kTimed},
    {"TimeoutWithBounds", "TimeoutInputStreamHandler", kTimed, true},
};

// What a stream brings next: a packet, or an empty one for a bound.
struct Streams {
  std::vector<std::vector<Packet>> packets;  // by port
  std::vector<std::size_t> next;

  bool Ended(int port) const { return next[port] > packets[port].size(); }
  bool AllEnded() const {
    for (int port = 0; port < static_cast<int>(next.size()); ++port) {
      if (!Ended(port)) return false;
    }
    return true;
  }
};

// Values are unique in a stream and rise; those of the last stream choose one
// of the others, for Mux.
Streams RandomStreams(std::mt19937& random, int num_ports, bool counts_up) {
  Streams streams{.packets = std::vector<std::vector<Packet>>(num_ports),
                  .next = std::vector<std::size_t>(num_ports)};
  for (int port = 0; port < num_ports; ++port) {
    Timestamp time(0);
    const int length = static_cast<int>(random() % 12);
    for (int i = 0; i < length; ++i) {
      time += static_cast<int>(random() % 3);
      const int value = counts_up || port < num_ports - 1
                            ? i
                            : static_cast<int>(random() % 2);
      const bool is_bound = random() % 3 == 0;
      streams.packets[port].push_back(
          (is_bound ? Packet() : MakePacket<int>(value)).At(time));
      if (!is_bound) time += 1;
    }
  }
  return streams;
}

class PolicyConformanceTest : public ::testing::TestWithParam<Subject> {
 protected:
  PolicyDriver NewDriver() const {
    return PolicyDriver(GetParam().handler, {"IN:0:a", "IN:1:b", "IN:2:c"},
                        GetParam().options,
                        GetParam().process_timestamp_bounds);
  }
  bool IsMux() const {
    return std::string(GetParam().handler) == "MuxInputStreamHandler";
  }
  Streams NewStreams(std::mt19937& random) const {
    return RandomStreams(random, 3, !IsMux());
  }

  // Gives the driver what `port` brings next.
  static void Advance(int port, Streams* streams, PolicyDriver* driver) {
    const std::size_t next = streams->next[port]++;
    if (next >= streams->packets[port].size()) {
      driver->RaiseBound(port, Timestamp::Done());
      return;
    }
    const Packet& packet = streams->packets[port][next];
    if (packet.IsEmpty()) {
      driver->RaiseBound(port, packet.Timestamp());
    } else {
      driver->Add(port, packet);
    }
  }

  // Runs random streams to their end. `at_call` sees each call, `at_wait` each
  // moment at which there is none.
  template <typename AtCall, typename AtWait>
  void Run(std::uint32_t seed, PolicyDriver* driver, AtCall at_call,
           AtWait at_wait) const {
    std::mt19937 random(seed);
    Streams streams = NewStreams(random);
    RunStreams(random, std::move(streams), driver, at_call, at_wait);
  }

  template <typename AtCall, typename AtWait>
  static void RunStreams(std::mt19937& random, Streams streams,
                         PolicyDriver* driver, AtCall at_call, AtWait at_wait) {
    InputStreamSet inputs =
        MakeInputStreams(*PortLayout::Create({"IN:0:a", "IN:1:b", "IN:2:c"}));
    bool is_closed = false;
    while (!is_closed) {
      const bool all_ended = streams.AllEnded();
      const int port = static_cast<int>(random() % 3);
      if (!all_ended && random() % 2 == 0) {
        if (!streams.Ended(port)) Advance(port, &streams, driver);
        continue;
      }
      const Readiness readiness = driver->policy().Evaluate();
      switch (readiness.state) {
        case Readiness::State::kWait:
          at_wait(readiness.timestamp);
          ASSERT_FALSE(all_ended) << "all streams have ended";
          break;
        case Readiness::State::kProcess: {
          // A policy that TakesWhenCallStarts may see more in between.
          if (driver->policy().TakesWhenCallStarts() && !all_ended &&
              random() % 2 == 0 && !streams.Ended(port)) {
            Advance(port, &streams, driver);
          }
          at_call(driver->policy().Take(readiness.timestamp, &inputs), inputs);
          break;
        }
        case Readiness::State::kClose:
          is_closed = true;
          break;
      }
    }
    // The end is final, whatever else comes.
    while (!streams.AllEnded()) {
      for (int port = 0; port < 3; ++port) {
        if (!streams.Ended(port)) Advance(port, &streams, driver);
      }
      ASSERT_EQ(driver->policy().Evaluate().state, Readiness::State::kClose);
    }
  }
};

TEST_P(PolicyConformanceTest, IsNotReadyWithoutInput) {
  PolicyDriver driver = NewDriver();
  EXPECT_EQ(driver.policy().Evaluate().state, Readiness::State::kWait);
}

TEST_P(PolicyConformanceTest, AsksNothingOfStreamsThatEndAtOnce) {
  PolicyDriver driver = NewDriver();
  for (int port = 0; port < 3; ++port) {
    driver.RaiseBound(port, Timestamp::Done());
  }
  EXPECT_EQ(driver.Calls().back(), "Close");
  EXPECT_TRUE(driver.policy().status().ok());
}

TEST_P(PolicyConformanceTest, EvaluateChangesNothing) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    PolicyDriver driver = NewDriver();
    if (driver.policy().TakesWhenCallStarts())
      GTEST_SKIP() << "says kProcess once";
    const auto again = [&] {
      const Readiness now = driver.policy().Evaluate();
      EXPECT_EQ(now, driver.policy().Evaluate());
    };
    Run(
        seed, &driver, [&](Timestamp, const InputStreamSet&) { again(); },
        [&](Timestamp) { again(); });
  }
}

TEST_P(PolicyConformanceTest, EndsWhenAllStreamsHaveEndedAndForGood) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    PolicyDriver driver = NewDriver();
    Run(
        seed, &driver, [](Timestamp, const InputStreamSet&) {},
        [](Timestamp) {});
    if (HasFatalFailure()) return;
  }
}

TEST_P(PolicyConformanceTest, NoPacketIsLostOrTakenTwice) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    PolicyDriver driver = NewDriver();
    std::map<int, std::int64_t> taken;
    std::map<int, Timestamp> last;
    Run(
        seed, &driver,
        [&](Timestamp, const InputStreamSet& inputs) {
          for (int port = 0; port < 3; ++port) {
            const Packet& packet = inputs.Get(port).Value();
            if (packet.IsEmpty()) continue;
            const bool is_again =
                GetParam().repeats_packets && packet.Timestamp() == last[port];
            if (!is_again) ++taken[port];
            last[port] = packet.Timestamp();
          }
        },
        [](Timestamp) {});
    for (int port = 0; port < 3; ++port) {
      const InputQueue& queue = driver.queue(port);
      EXPECT_EQ(taken[port] + queue.dropped() + queue.size(), queue.added());
      EXPECT_TRUE(driver.policy().DropsPackets() || queue.dropped() == 0);
      EXPECT_TRUE(GetParam().closes_early || queue.empty());
    }
  }
}

TEST_P(PolicyConformanceTest, PacketsOfAStreamKeepTheirOrder) {
  if (IsMux()) GTEST_SKIP() << "the values of its control stream repeat";
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    PolicyDriver driver = NewDriver();
    std::map<int, int> next;
    Run(
        seed, &driver,
        [&](Timestamp, const InputStreamSet& inputs) {
          for (int port = 0; port < 3; ++port) {
            if (inputs.Get(port).IsEmpty()) continue;
            const int value = inputs.Get(port).Get<int>();
            EXPECT_GE(value, next[port]);
            next[port] = value + (GetParam().repeats_packets ? 0 : 1);
          }
        },
        [](Timestamp) {});
  }
}

TEST_P(PolicyConformanceTest, TimeMovesForwardUnlessItSaysOtherwise) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    PolicyDriver driver = NewDriver();
    if (driver.policy().RepeatsTimestamps()) GTEST_SKIP() << "repeats them";
    Timestamp last = Timestamp::Unstarted();
    Run(
        seed, &driver,
        [&](Timestamp timestamp, const InputStreamSet&) {
          EXPECT_GT(timestamp, last);
          EXPECT_TRUE(timestamp.IsAllowedInStream());
          last = timestamp;
        },
        [](Timestamp) {});
  }
}

// A node with an offset passes on what kWait says: nothing earlier may come.
TEST_P(PolicyConformanceTest, NoCallIsEarlierThanWhatItWaitedFor) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    PolicyDriver driver = NewDriver();
    if (!driver.policy().HasOneOrder()) GTEST_SKIP() << "has no one order";
    Timestamp waited = Timestamp::Unset();
    Run(
        seed, &driver,
        [&](Timestamp timestamp, const InputStreamSet&) {
          EXPECT_GE(timestamp, waited);
        },
        [&](Timestamp timestamp) { waited = std::max(waited, timestamp); });
  }
}

TEST_P(PolicyConformanceTest, EveryCallHasAPacketUnlessBoundsOrEndsMakeIt) {
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    PolicyDriver driver = NewDriver();
    if (GetParam().process_timestamp_bounds) GTEST_SKIP() << "bounds do";
    Run(
        seed, &driver,
        [&](Timestamp timestamp, const InputStreamSet& inputs) {
          bool has_packet = false;
          for (const InputStream& input : inputs) {
            has_packet = has_packet || !input.IsEmpty();
          }
          EXPECT_TRUE(has_packet || timestamp == Timestamp::Max());
        },
        [](Timestamp) {});
  }
}

// Empty packets say up to where a stream is settled: what comes later on it
// is later.
TEST_P(PolicyConformanceTest, AnEmptyPacketSaysUpToWhereTheStreamIsSettled) {
  const bool is_aligned =
      std::string(GetParam().handler) == "TimestampAlignInputStreamHandler";
  const bool ignores_time = FindInputPolicy(GetParam().handler)->ignores_time;
  if (is_aligned || ignores_time || GetParam().repeats_packets)
    GTEST_SKIP() << "times are not those of calls";
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    PolicyDriver driver = NewDriver();
    std::map<int, Timestamp> settled;
    for (int port = 0; port < 3; ++port) {
      settled[port] = Timestamp::Unset();
    }
    Run(
        seed, &driver,
        [&](Timestamp, const InputStreamSet& inputs) {
          for (int port = 0; port < 3; ++port) {
            const Packet& packet = inputs.Get(port).Value();
            if (packet.IsEmpty()) {
              EXPECT_GE(packet.Timestamp(), settled[port]);
            } else {
              EXPECT_GT(packet.Timestamp(), settled[port]);
            }
            settled[port] = std::max(settled[port], packet.Timestamp());
          }
        },
        [](Timestamp) {});
  }
}

TEST_P(PolicyConformanceTest, TheOrderOfNewsDoesNotMatter) {
  if (!FindInputPolicy(GetParam().handler)->is_deterministic) {
    GTEST_SKIP() << "depends on what comes first";
  }
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Streams left_streams = NewStreams(random);
    Streams right_streams = left_streams;
    PolicyDriver left = NewDriver();
    PolicyDriver right = NewDriver();
    while (!left_streams.AllEnded()) {
      for (int port = 0; port < 3; ++port) {
        if (!left_streams.Ended(port)) Advance(port, &left_streams, &left);
      }
      for (int port = 2; port >= 0; --port) {
        if (!right_streams.Ended(port)) Advance(port, &right_streams, &right);
      }
      ASSERT_EQ(left.policy().Evaluate(), right.policy().Evaluate());
      if (random() % 2 == 0) {
        ASSERT_EQ(left.Call(), right.Call());
      }
    }
    ASSERT_EQ(left.Calls(), right.Calls());
  }
}

// Packets are a function of packets, whatever comes first. (Bounds are not: how
// many settled times get a call depends on when somebody looks.)
TEST_P(PolicyConformanceTest, TheSameStreamsGiveTheSameInputSets) {
  if (!FindInputPolicy(GetParam().handler)->is_deterministic) {
    GTEST_SKIP() << "depends on what comes first";
  }
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<std::vector<std::string>> outcomes;
    for (std::uint32_t schedule = 0; schedule < 5; ++schedule) {
      std::mt19937 of_streams(seed);
      Streams streams = NewStreams(of_streams);
      std::mt19937 of_schedule(schedule);
      PolicyDriver driver = NewDriver();
      std::vector<std::string> calls;
      RunStreams(
          of_schedule, std::move(streams), &driver,
          [&](Timestamp timestamp, const InputStreamSet& inputs) {
            std::string call = ShortText(timestamp);
            bool has_packet = false;
            for (const InputStream& input : inputs) {
              has_packet = has_packet || !input.IsEmpty();
              call += input.IsEmpty() ? " -"
                                      : " " + std::to_string(input.Get<int>());
            }
            if (has_packet) calls.push_back(call);
          },
          [](Timestamp) {});
      // Between sets there is no order.
      if (!driver.policy().HasOneOrder()) std::sort(calls.begin(), calls.end());
      outcomes.push_back(std::move(calls));
      ASSERT_EQ(outcomes.front(), outcomes.back()) << "schedule " << schedule;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, PolicyConformanceTest,
                         ::testing::ValuesIn(kSubjects),
                         [](const ::testing::TestParamInfo<Subject>& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace syncline
