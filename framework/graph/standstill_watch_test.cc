// A run that stands still says why once, whoever runs its calls, and in time.
// What it says: standstill_streams_test and standstill_calls_test. Where it
// says nothing: standstill_quiet_test.

#include "framework/graph/standstill_watch.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/calculator/context.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/standstill_watch_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/report/test_lambda.h"
#include "framework/run/output_stream_poller.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {

SYNCLINE_TEST_WITH_THREADS(StandstillWatchTest);

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

// The machine of a test may be slow, so it is tried again. What moves just
// before and after it begins to stand still makes it no later.
TEST_P(StandstillWatchTest, TheCauseIsToldInTime) {
  absl::Duration shortest = absl::InfiniteDuration();
  for (int i = 0; i < 5 && shortest > absl::Seconds(1.06); ++i) {
    Told told;
    TestGraph graph(GetParam(), kJoin);
    told.Watch(&graph.graph(), absl::Seconds(1));
    graph.Start();
    const absl::Time begin = absl::Now();
    graph.Add("a", 7, 1);
    const Waiting waiting(&graph.graph());
    EXPECT_THAT(told.WaitFor(), HasSubstr("\"join\" waits for stream \"b\""));
    shortest = std::min(shortest, absl::Now() - begin);
    graph.graph().Cancel();
  }
  EXPECT_LT(shortest, absl::Seconds(1.06));
  EXPECT_GE(shortest, absl::Seconds(1)) << "it was told too early";
}

TEST_P(StandstillWatchTest, ItIsToldOnce) {
  TestGraph graph(GetParam(), kJoin);
  Start(&graph);
  graph.Add("a", 7, 1);
  const Waiting waiting(&graph.graph());
  EXPECT_NE(told_.WaitFor(), "");
  absl::SleepFor(5 * kAfter);
  EXPECT_THAT(told_.Texts(), SizeIs(1));
  graph.graph().Cancel();
}

// Packets go on coming to the queue in front of the node that stands still.
TEST_P(StandstillWatchTest, ItIsToldOnceWhileOnlyOthersMove) {
  TestGraph graph(GetParam(), kJoin);
  Start(&graph);
  graph.Add("a", 7, 1);
  const Waiting waiting(&graph.graph());
  EXPECT_NE(told_.WaitFor(), "");
  for (int i = 8; i < 11; ++i) {
    graph.Add("a", i, 1);
    absl::SleepFor(3 * kAfter);
  }
  EXPECT_THAT(told_.Texts(), SizeIs(1));
  graph.graph().Cancel();
}

TEST_P(StandstillWatchTest, ItIsToldAgainAfterSomethingHasMoved) {
  TestGraph graph(GetParam(), kJoin);
  Start(&graph);
  graph.Add("a", 7, 1);
  const Waiting waiting(&graph.graph());
  EXPECT_THAT(told_.WaitFor(0), HasSubstr("stream \"b\" up to 7"));
  graph.Add("b", 7, 1);
  graph.Add("b", 9, 1);
  EXPECT_THAT(told_.WaitFor(1), HasSubstr("stream \"a\" up to 9"));
  graph.graph().Cancel();
}

// The cause is named in the same words; the node has taken a packet more, and
// has sent none.
TEST_P(StandstillWatchTest, ItIsToldAgainAfterTheNodeHasTakenSomething) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "takes" calculator: "TestLambda" input_stream: "in"
           output_stream: "out" })");
  auto poller = graph.graph().AddOutputStreamPoller("out");
  SYNCLINE_ASSERT_OK(poller.status());
  Start(&graph);
  graph.Add("in", 7, 1);
  {
    const Waiting waiting([&] {
      Packet packet;
      while (poller->Next(&packet)) {
      }
    });
    EXPECT_THAT(told_.WaitFor(0),
                StartsWith("\"takes\" waits for stream \"in\""));
    graph.Add("in", 8, 1);
    EXPECT_EQ(told_.WaitFor(1), told_.WaitFor(0));
    graph.graph().Cancel();
  }
}

// "limiter" lets every second packet in, and "late" answers one packet later,
// so that it always owes one.
TEST_P(StandstillWatchTest, ALoopThatOwesAsMuchAsBeforeIsToldOnce) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "limiter" calculator: "TestLambda" input_stream: "X:0:in"
           input_stream: "X:1:done" output_stream: "some"
           input_side_packet: "PROCESS:half"
           input_stream_handler {
             input_stream_handler: "ImmediateInputStreamHandler" }
           input_stream_info { tag_index: "X:1" back_edge: true } }
    node { name: "late" calculator: "TestLambda" input_stream: "some"
           input_side_packet: "PROCESS:late" output_stream: "done" })");
  graph.Give("half", [](CalculatorContext* cc) {
    const InputStream& in = cc->Inputs().Get("X", 0);
    if (in.IsEmpty() || in.Get<int>() % 2 == 1) return absl::OkStatus();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(in.Get<int>()).At(cc->InputTimestamp()));
    return absl::OkStatus();
  });
  graph.Give("late", [](CalculatorContext* cc) {
    const int value = cc->Inputs().Index(0).Get<int>();
    if (value == 0) return absl::OkStatus();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(value - 2).At(Timestamp(value - 2)));
    return absl::OkStatus();
  });
  Start(&graph);
  const auto add_two = [&](int first) {
    graph.Add("in", first, first);
    graph.Add("in", first + 1, first + 1);
  };
  add_two(0);
  const Waiting waiting(&graph.graph());
  EXPECT_THAT(told_.WaitFor(), HasSubstr("\"late\", which sends it, has taken "
                                         "1 packet, and has sent none"));
  for (int i = 2; i < 8; i += 2) {
    add_two(i);
    absl::SleepFor(3 * kAfter);
  }
  EXPECT_THAT(told_.Texts(), SizeIs(1));
  EXPECT_THAT(graph.graph().Explain(),
              HasSubstr("\"late\", which sends it, has taken 4 packets, and "
                        "has sent 3"))
      << "the loop stands still as before";
  graph.graph().Cancel();
}

TEST_P(StandstillWatchTest, CallsThatAreLongEachTimeAreToldOnce) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "slow" calculator: "TestLambda" input_stream: "in"
           input_side_packet: "PROCESS:sleep" })");
  graph.Give("sleep", [](CalculatorContext* cc) {
    absl::SleepFor(cc->Inputs().Index(0).Get<int>() * kAfter);
    return absl::OkStatus();
  });
  Start(&graph);
  const auto wait_for = [&](int time, int calls_of) {
    graph.Add("in", time, calls_of);
    SYNCLINE_EXPECT_OK(graph.graph().WaitUntilIdle());
  };
  for (int i = 0; i < 4; ++i) wait_for(i, 2);
  EXPECT_THAT(told_.Texts(),
              ElementsAre(StartsWith("\"slow\" has been in Process at ")));
  // This one is much longer than those were.
  wait_for(4, 15);
  EXPECT_THAT(told_.Texts(),
              ElementsAre(StartsWith("\"slow\" has been in Process at "),
                          StartsWith("\"slow\" has been in Process at 4 ")));
  graph.graph().Cancel();
}

// Each call of one is followed by one of the other, so that the cause changes
// from one to the other all the time.
TEST_P(StandstillWatchTest, LongCallsThatTakeTurnsAreToldOnceEach) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "one" calculator: "TestLambda" input_stream: "in"
           output_stream: "mid" input_side_packet: "PROCESS:sleep" }
    node { name: "two" calculator: "TestLambda" input_stream: "mid"
           output_stream: "out" input_side_packet: "PROCESS:sleep" })");
  graph.Give("sleep", [](CalculatorContext* cc) {
    absl::SleepFor(2 * kAfter);
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  });
  Start(&graph);
  for (int i = 0; i < 3; ++i) {
    graph.Add("in", i, 1);
    SYNCLINE_EXPECT_OK(graph.graph().WaitUntilIdle());
  }
  EXPECT_THAT(told_.Texts(),
              ElementsAre(StartsWith("\"one\" has been in Process"),
                          StartsWith("\"two\" has been in Process")));
  graph.graph().Cancel();
}

// "filter" drops every second packet, so that the join stands still until the
// next one comes.
TEST_P(StandstillWatchTest, WhatComesAgainBehindASlowCameraIsToldTwice) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "filter" calculator: "TestLambda" input_stream: "in"
           output_stream: "some" input_side_packet: "PROCESS:half" }
    node { name: "join" calculator: "TestLambda" input_stream: "X:0:in"
           input_stream: "X:1:some" })");
  graph.Give("half", [](CalculatorContext* cc) {
    const InputStream& in = cc->Inputs().Index(0);
    if (in.Get<int>() % 2 == 0) cc->Outputs().Index(0).AddPacket(in.Value());
    return absl::OkStatus();
  });
  Start(&graph);
  const Waiting waiting(&graph.graph());
  for (int i = 1; i < 11; i += 2) {
    graph.Add("in", i, i);
    absl::SleepFor(2 * kAfter);
    graph.Add("in", i + 1, i + 1);
  }
  EXPECT_THAT(
      told_.Texts(),
      ElementsAre(StartsWith("\"join\" waits for stream \"some\" up to 1, "),
                  StartsWith("\"join\" waits for stream \"some\" up to 3, ")));
  graph.Add("in", 11, 11);
  EXPECT_THAT(told_.WaitFor(2), HasSubstr("\"some\" up to 11, "));
  graph.graph().Cancel();
}

TEST_P(StandstillWatchTest, AnotherCauseIsToldThoughNothingHasMoved) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a" input_stream: "b"
    node { name: "one" calculator: "TestLambda" input_stream: "a"
           output_stream: "x" }
    node { name: "two" calculator: "TestLambda" input_stream: "b"
           output_stream: "y" })");
  auto x = graph.graph().AddOutputStreamPoller("x");
  auto y = graph.graph().AddOutputStreamPoller("y");
  SYNCLINE_ASSERT_OK(x.status());
  SYNCLINE_ASSERT_OK(y.status());
  Start(&graph);
  Packet packet;
  // Until the graph has opened its nodes, something moves.
  while (x->NextWithin(3 * kAfter, &packet) ==
             OutputStreamPoller::Result::kTimeout &&
         told_.Texts().empty()) {
  }
  const std::size_t before = told_.Texts().size();
  EXPECT_THAT(told_.WaitFor(0), StartsWith("\"one\" waits for stream \"a\""));
  while (y->NextWithin(3 * kAfter, &packet) ==
             OutputStreamPoller::Result::kTimeout &&
         told_.Texts().size() == before) {
  }
  EXPECT_THAT(told_.WaitFor(before),
              StartsWith("\"two\" waits for stream \"b\""));
  graph.graph().Cancel();
}

TEST(StandstillTest, EveryRunOfAGraphIsWatched) {
  Told told;
  TestGraph graph({.threads = 2}, kJoin);
  told.Watch(&graph.graph());
  for (std::size_t run = 0; run < 2; ++run) {
    graph.Start();
    graph.Add("a", 7, 1);
    const Waiting waiting(&graph.graph());
    EXPECT_THAT(told.WaitFor(run), HasSubstr("\"join\" waits for"));
    graph.graph().Cancel();
  }
}

// How often a join was told of that stands still five times, goes on for a
// while, and stands still once more: before and after that while.
std::pair<int, int> ToldBeforeAndAfter(absl::Duration while_it_goes_on) {
  constexpr absl::Duration kShortAfter = absl::Milliseconds(50);
  Told told;
  TestGraph graph({.threads = 2}, kJoin);
  told.Watch(&graph.graph(), kShortAfter);
  graph.Start();
  const Waiting waiting(&graph.graph());
  int time = 0;
  const auto add_both = [&](absl::Duration between) {
    graph.Add("a", ++time, 1);
    absl::SleepFor(between);
    graph.Add("b", time, 1);
  };
  const auto num_told = [&told] {
    const std::vector<std::string> texts = told.Texts();
    return static_cast<int>(
        absl::c_count_if(texts, [](const std::string& text) {
          return absl::StartsWith(text,
                                  "\"join\" waits for stream \"b\" up to");
        }));
  };
  for (int i = 0; i < 5; ++i) add_both(3 * kShortAfter);
  const int before = num_told();
  const absl::Time end = absl::Now() + while_it_goes_on;
  while (absl::Now() < end) {
    add_both(absl::ZeroDuration());
    absl::SleepFor(kShortAfter / 10);
  }
  add_both(3 * kShortAfter);
  graph.graph().Cancel();
  return {before, num_told() - before};
}

// On a machine that is slow, one may last longer than those before.
TEST(StandstillTest, ACauseThatHasNotComeForLongIsToldAnew) {
  const auto told_as_expected = [](absl::Duration while_it_goes_on,
                                   std::pair<int, int> expected) {
    for (int i = 0; i < 5; ++i) {
      if (ToldBeforeAndAfter(while_it_goes_on) == expected) return true;
    }
    return false;
  };
  EXPECT_TRUE(told_as_expected(absl::Milliseconds(100), {2, 0}));
  EXPECT_TRUE(told_as_expected(absl::Milliseconds(3300), {2, 1}));
}

TEST(StandstillTest, WhoIsToldMayThrow) {
  TestGraph graph({.threads = 2}, kJoin);
  absl::Notification called;
  graph.graph().ExplainStandstills(kAfter, [&](const std::string&) {
    called.Notify();
    throw 1;
  });
  graph.Start();
  graph.Add("a", 7, 1);
  {
    const Waiting waiting(&graph.graph());
    EXPECT_TRUE(called.WaitForNotificationWithTimeout(kLong));
    graph.graph().Cancel();
  }
}

TEST(StandstillTest, AFeederIsNamedInPlaceOfTheApplication) {
  Told told;
  TestGraph graph({.threads = 2}, kJoin);
  CalculatorGraph::StandstillOptions options;
  options.after = kAfter;
  options.feeders = {{"b", "--input=b=pipe"}};
  std::string text;
  absl::Notification called;
  options.tell = [&](const std::string& told_text) {
    if (called.HasBeenNotified()) return;
    text = told_text;
    called.Notify();
  };
  graph.graph().ExplainStandstills(std::move(options));
  graph.Start();
  graph.Add("a", 7, 1);
  {
    const Waiting waiting(&graph.graph());
    EXPECT_TRUE(called.WaitForNotificationWithTimeout(kLong));
    graph.graph().Cancel();
  }
  EXPECT_THAT(text,
              StartsWith("\"join\" waits for stream \"b\" up to 7, and "
                         "--input=b=pipe, which sends it, has nothing more so "
                         "far, and has not ended.\n"));
}

}  // namespace
}  // namespace syncline
