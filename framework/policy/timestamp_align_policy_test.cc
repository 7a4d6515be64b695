// The calls of TimestampAlignInputStreamHandler: the timeline of its
// file, the alignment, and times that have no distance.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "framework/calculator/input_stream.h"
#include "framework/calculator/port_layout.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/policy_test_support.h"
#include "framework/stream/drop_cause.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr char kHandler[] = "TimestampAlignInputStreamHandler";
constexpr char kBaseA[] = R"pb(
  [syncline.TimestampAlignInputStreamHandlerOptions.ext] {
    timestamp_base_tag_index: "A"
  }
)pb";

TEST(TimestampAlignPolicyTest, FollowsTheTimelineOfItsFile) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA);
  driver.Add("A", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B<Unstarted"));
  driver.Add("A", 20);
  driver.Add("B", 5003);
  EXPECT_THAT(driver.Calls(), ElementsAre("20: A=20 B=5003"));
  EXPECT_EQ(driver.inputs().Tag("B").Value().Timestamp(), Timestamp(20));
  driver.Add("B", 5013);
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Add("A", 30);
  EXPECT_THAT(driver.Calls(), ElementsAre("30: A=30 B=5013"));
}

TEST(TimestampAlignPolicyTest, WithoutTheOptionTheFirstUntaggedInputIsTheBase) {
  PolicyDriver driver(kHandler, {"A:a", "x"}, "");
  driver.Add("A", 5003);
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Add("", 10);
  EXPECT_THAT(driver.Calls(),
              ElementsAre(AllOf(StartsWith("10: "), HasSubstr("A=5003"))));
}

TEST(TimestampAlignPolicyTest, TheOthersWaitForTheBase) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA);
  driver.Add("B", 5003);
  EXPECT_THAT(driver.Calls(), IsEmpty());
  driver.Add("A", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B=5003"));
}

// The same packets on the same streams: the handler is not deterministic.
TEST(TimestampAlignPolicyTest, WhichStreamBeginsFirstDecidesTheAlignment) {
  PolicyDriver late(kHandler, {"A:a", "B:b"}, kBaseA);
  late.Add("A", 10);
  EXPECT_THAT(late.Calls(), ElementsAre("10: A=10 B<Unstarted"));
  late.Add("B", 100);
  late.Add("A", 20);
  EXPECT_THAT(late.Calls(), ElementsAre("20: A=20 B=100"));
  PolicyDriver early(kHandler, {"A:a", "B:b"}, kBaseA);
  early.Add("B", 100);
  early.Add("A", 10);
  EXPECT_THAT(early.Calls(), ElementsAre("10: A=10 B=100"));
}

TEST(TimestampAlignPolicyTest, AfterTheAlignmentItIsTheDefaultRule) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA);
  driver.Add("B", 105);
  driver.Add("A", 5);
  driver.Add("B", 107);
  driver.Add("A", 8);
  EXPECT_THAT(driver.Calls(), ElementsAre("5: A=5 B=105", "7: A<7 B=107"));
  driver.Bound("B", 120);
  EXPECT_THAT(driver.Calls(), ElementsAre("8: A=8 B<19"));
  driver.Close("A");
  driver.Add("B", 130);
  EXPECT_THAT(driver.Calls(), ElementsAre("30: A<Max! B=130"));
  driver.Close("B");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

TEST(TimestampAlignPolicyTest, AStreamThatEndsWithoutAPacketIsNotWaitedFor) {
  PolicyDriver driver(kHandler, {"A:a", "B:b", "C:c"}, kBaseA);
  driver.Add("B", 100);
  driver.Close("C");
  driver.Add("A", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B=100 C<Max!"));
}

TEST(TimestampAlignPolicyTest, ABaseThatEndsBeforeTheAlignmentIsTheEnd) {
  PolicyDriver driver(kHandler, {"A:a", "B:b", "C:c"}, kBaseA);
  driver.Add("B", 100);
  driver.Close("A");
  EXPECT_THAT(driver.Calls(), ElementsAre("Close"));
}

TEST(TimestampAlignPolicyTest, PreStreamKeepsItsTime) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA);
  driver.Add("A", Timestamp::PreStream());
  driver.Add("B", 100);
  EXPECT_THAT(driver.Calls(),
              ElementsAre("PreStream: A=0 B<99", "100: A<Max B=100"));
  driver.Add("B", 101);
  EXPECT_THAT(driver.Calls(), ElementsAre("101: A<Max B=101"));
}

TEST(TimestampAlignPolicyTest, PreStreamOfAnotherStreamMeetsTheBase) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA);
  driver.Bound("A", 10);
  driver.Add("B", Timestamp::PreStream());
  // A node with an offset passes this on.
  EXPECT_EQ(driver.policy().Evaluate().timestamp, Timestamp(10));
  driver.Add("A", 20);
  driver.Add("A", 21);
  EXPECT_THAT(driver.Calls(), ElementsAre("20: A=20 B=0", "21: A=21 B<Max"));
}

TEST(TimestampAlignPolicyTest, WhenBothArePreStreamTheyMeetThere) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA);
  driver.Add("B", Timestamp::PreStream());
  driver.Add("A", Timestamp::PreStream());
  EXPECT_THAT(driver.Calls(), ElementsAre("PreStream: A=0 B=0", "Close"));
}

TEST(TimestampAlignPolicyTest, ABaseAtPostStreamIsMetThere) {
  PolicyDriver driver(kHandler, {"A:a", "B:b", "C:c"}, kBaseA);
  driver.Add("B", 100);
  driver.Add("B", 107);
  driver.Add("C", Timestamp::PreStream());
  driver.Bound("A", 5000);
  EXPECT_EQ(driver.policy().Evaluate().timestamp, Timestamp(5000));
  driver.Add("A", Timestamp::PostStream());
  EXPECT_THAT(driver.Calls(),
              ElementsAre("PostStream: A=0 B=100 C=0", "Close"));
  EXPECT_EQ(driver.queue("B").dropped(), 1);
  EXPECT_EQ(driver.queue("B").drops().of(DropCause::kByPolicy), 1);
}

TEST(TimestampAlignPolicyTest, PostStreamOfAnotherStreamComesAfterTheBase) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA);
  driver.Add("B", Timestamp::PostStream());
  driver.Add("A", 20);
  driver.Add("A", 21);
  driver.Close("A");
  EXPECT_THAT(driver.Calls(),
              ElementsAre("20: A=20 B<Unstarted", "21: A=21! B<Unstarted",
                          "PostStream: A<Max! B=0", "Close"));
}

TEST(TimestampAlignPolicyTest, AlignsTimesFromBothEndsOfTheRange) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA);
  driver.Add(0, MakePacket<int>(1).At(Timestamp::Min()));
  driver.Add(0, MakePacket<int>(2).At(Timestamp::Min() + 7));
  driver.Add(1, MakePacket<int>(3).At(Timestamp::Max() - 7));
  driver.Add(1, MakePacket<int>(4).At(Timestamp::Max()));
  EXPECT_THAT(driver.Calls(),
              ElementsAre("Min: A=1 B=3",
                          ShortText(Timestamp::Min() + 7) + ": A=2 B=4"));
}

TEST(TimestampAlignPolicyTest, TimesOutOfRangeStayAtItsEnd) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA);
  const Timestamp almost_max = Timestamp::Max() - 1;
  driver.Add(0, MakePacket<int>(1).At(almost_max));
  for (int i = 0; i < 4; ++i) {
    driver.Add(1, MakePacket<int>(i).At(Timestamp::Min() + i));
  }
  driver.Add(0, MakePacket<int>(2).At(Timestamp::Max()));
  EXPECT_THAT(driver.Calls(), ElementsAre(ShortText(almost_max) + ": A=1 B=0",
                                          "Max: A=2 B=1", "Close"));
  EXPECT_EQ(driver.queue("B").dropped(), 2);
}

TEST(TimestampAlignPolicyTest, WithBoundsSettledTimesAreThoseOfTheBase) {
  PolicyDriver driver(kHandler, {"A:a", "B:b"}, kBaseA,
                      /*process_timestamp_bounds=*/true);
  driver.Bound("A", 5);
  EXPECT_THAT(driver.Calls(), ElementsAre("4: A<4 B<Unstarted"));
  driver.Add("B", 100);
  driver.Add("A", 10);
  EXPECT_THAT(driver.Calls(), ElementsAre("10: A=10 B=100"));
  driver.Bound("A", 20);
  driver.Bound("B", 108);
  EXPECT_THAT(driver.Calls(), ElementsAre("17: A<19 B<17"));
}

// What a stream brings, in order: packets, and empty ones for bounds.
using Events = std::vector<Packet>;

// Of ordinary times, or of one special one; in the end it is closed.
Events RandomEvents(std::mt19937& random) {
  Events events;
  int time = static_cast<int>(random() % 20);
  const bool is_special = random() % 3 == 0;
  const bool is_pre_stream = is_special && random() % 2 == 0;
  const int length = static_cast<int>(random() % 6);
  for (int i = 0; i < length && !is_pre_stream; ++i) {
    const bool is_bound = is_special || random() % 3 == 0;
    events.push_back(
        (is_bound ? Packet() : MakePacket<int>(i)).At(Timestamp(time)));
    time += 1 + static_cast<int>(random() % 3);
  }
  if (is_special) {
    events.push_back(MakePacket<int>(length).At(
        is_pre_stream ? Timestamp::PreStream() : Timestamp::PostStream()));
  }
  events.push_back(Packet().At(Timestamp::Done()));
  return events;
}

bool IsBeginning(const Packet& event) {
  return !event.IsEmpty() || event.Timestamp() == Timestamp::Done();
}

// The calls that have packets, where `schedule` chooses which stream goes on
// and when a call is made. The base, stream 0, has no packet before the others
// have begun.
std::vector<std::string> PacketsOfCalls(std::vector<Events> streams,
                                        bool process_timestamp_bounds,
                                        std::uint32_t schedule) {
  std::mt19937 random(schedule);
  PolicyDriver driver(kHandler, {"A:a", "B:b", "C:c"}, kBaseA,
                      process_timestamp_bounds);
  InputStreamSet inputs =
      MakeInputStreams(*PortLayout::Create({"A:a", "B:b", "C:c"}));
  std::vector<std::string> calls;
  std::set<std::size_t> not_begun = {1, 2};
  Timestamp promised = Timestamp::Unset();
  for (;;) {
    const Readiness next = driver.policy().Evaluate();
    const std::size_t port = random() % streams.size();
    Events& events = streams[port];
    if (random() % 2 == 0 && !events.empty()) {
      const Packet event = events.front();
      if (port == 0 && !not_begun.empty() && IsBeginning(event)) continue;
      events.erase(events.begin());
      if (IsBeginning(event)) not_begun.erase(port);
      if (event.IsEmpty()) {
        driver.RaiseBound(static_cast<int>(port), event.Timestamp());
      } else {
        driver.Add(static_cast<int>(port), event);
      }
    } else if (next.state == Readiness::State::kProcess) {
      EXPECT_GE(next.timestamp, promised);
      driver.policy().Take(next.timestamp, &inputs);
      std::string call;
      for (const InputStream& input : inputs) {
        call += input.IsEmpty() ? " -" : " " + std::to_string(input.Get<int>());
      }
      if (call != " - - -") calls.push_back(ShortText(next.timestamp) + call);
    } else if (next.state == Readiness::State::kWait) {
      promised = std::max(promised, next.timestamp);
    } else {
      return calls;
    }
  }
}

TEST(TimestampAlignPolicyTest, OtherStreamsThatBeginFirstLeaveNothingToLuck) {
  int special_calls = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<Events> streams;
    for (int port = 0; port < 3; ++port) {
      streams.push_back(RandomEvents(random));
    }
    const bool with_bounds = seed % 2 == 0;
    const std::vector<std::string> calls =
        PacketsOfCalls(streams, with_bounds, 0);
    for (std::uint32_t schedule = 1; schedule < 8; ++schedule) {
      ASSERT_EQ(PacketsOfCalls(streams, with_bounds, schedule), calls);
    }
    for (const std::string& call : calls) {
      if (call.find("Stream") != std::string::npos) ++special_calls;
    }
  }
  EXPECT_GT(special_calls, 50);
}

}  // namespace
}  // namespace syncline
