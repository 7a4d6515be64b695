// A SwitchContainer is one of its contained nodes at each time: the one that a
// stream, side packet or option selects; it changes to another node in
// mid-stream without losing a packet, and nothing waits for a node that is not
// selected. Other files test its ports, what it waits for, and its config.
#include "framework/tool/switch_container_test.h"

#include <string>
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/packet_matchers.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::Contains;

SYNCLINE_TEST_WITH_ALL_WORKERS(SwitchContainerTest);

TEST_P(SwitchContainerTest, TheSelectionTakesEffectAtItsTimestamp) {
  GraphHarness graph(
      Container(kEnable, {"TripleIntCalculator", "PassThroughCalculator"}),
      GetParam());
  graph.Feed("foo", {{10, 1}, {20, 2}, {30, 3}, {40, 4}, {50, 5}});
  graph.Feed<bool>("enable", {{20, true}, {31, false}, {50, true}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("joined_bar", {{10, 3}, {20, 2}, {30, 3}, {40, 12}, {50, 5}});
  graph.Expect("joined_foo", {{10, 1}, {20, 2}, {30, 3}, {40, 4}, {50, 5}});
}

TEST_P(SwitchContainerTest, AnInputWaitsForTheSelectionAtItsTime) {
  GraphHarness graph(
      Container(kSelect, {"TripleIntCalculator", "PassThroughCalculator"}),
      GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("foo", {{10, 1}});
  graph.Idle();
  graph.Expect("bar", {});
  graph.Feed("select", {{10, 1}});
  graph.Idle();
  graph.Expect("joined_bar", {{10, 1}});
  SYNCLINE_ASSERT_OK(graph.Finish());
}

TEST_P(SwitchContainerTest, AnAsyncSelectionCountsForWhatFollows) {
  GraphHarness graph(
      Container(kEnable, {"TripleIntCalculator", "PassThroughCalculator"},
                "async_selection: true"),
      GetParam());
  SYNCLINE_ASSERT_OK(graph.Start());
  LiteralStream<int> expected;
  const auto feed = [&](int first, int last, int factor) {
    for (int i = first; i <= last; ++i) {
      graph.Feed("foo", {{i * 10000, i}});
      expected.push_back({i * 10000, i * factor});
      graph.Idle();
      // Each packet comes out at once, although the next selection is not known
      // yet.
      graph.Expect("joined_bar", expected);
    }
  };
  feed(1, 3, 3);
  graph.Feed<bool>("enable", {{5000, true}});
  graph.Idle();
  feed(4, 6, 1);
  graph.Feed<bool>("enable", {{1000000, false}});
  graph.Idle();
  feed(7, 9, 3);
  SYNCLINE_ASSERT_OK(graph.Finish());
  graph.Expect("joined_bar", expected);
}

TEST_P(SwitchContainerTest, NodesWithoutAnOffsetChangeOverToo) {
  for (const char* options : {"", "async_selection: true"}) {
    GraphHarness graph(
        Container(kSelect, {"AddHundredCalculator", "TripleIntCalculator"},
                  options),
        GetParam());
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Feed("select", {{0, 0}});
    graph.Feed("foo", {{10, 1}});
    graph.SetBound("select", 50);
    // The bound of "foo" rises without a packet, and the contained node does
    // not pass the bound on.
    graph.SetBound("foo", 50);
    graph.Idle();
    graph.Expect("joined_bar", {{10, 101}});
    graph.Feed("select", {{50, 1}});
    graph.SetBound("select", 200);
    graph.Idle();
    graph.Feed("foo", {{60, 2}});
    graph.Idle();
    graph.Expect("joined_bar", {{10, 101}, {60, 6}});
    SYNCLINE_ASSERT_OK(graph.Finish());
  }
}

TEST_P(SwitchContainerTest, BoundsPassWithoutPackets) {
  GraphHarness graph(
      Container(kEnable, {"TripleIntCalculator", "PassThroughCalculator"}),
      GetParam());
  graph.CollectBounds("joined_bar");
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.SetBound("enable", 100);
  graph.SetBound("foo", 90);
  graph.Idle();
  EXPECT_THAT(graph.Packets("joined_bar"), Contains(HasTimestamp(89)));
  SYNCLINE_ASSERT_OK(graph.Finish());
}

TEST_P(SwitchContainerTest, ManyChangesInMidStreamLoseNothing) {
  constexpr int kPackets = 300;
  for (const char* options : {"", "synchronize_io: true"}) {
    GraphHarness graph(
        Container(kSelect,
                  {"PassThroughCalculator", "TripleIntCalculator",
                   "AddHundredCalculator", "NineFoldSubgraph"},
                  options),
        GetParam());
    LiteralStream<int> foo;
    LiteralStream<int> select;
    LiteralStream<int> expected;
    int selected = 0;
    for (int i = 0; i < kPackets; ++i) {
      if (i % 3 == 0 || i % 7 == 2) {
        selected = (i * 5 + i / 3) % 4;
        select.push_back({i * 10 - (i % 2), selected});
      }
      foo.push_back({i * 10, i});
      const int values[] = {i, i * 3, i + 100, i * 9};
      expected.push_back({i * 10, values[selected]});
    }
    graph.Feed("foo", foo);
    graph.Feed("select", select);
    SYNCLINE_ASSERT_OK(graph.Run());
    graph.Expect("joined_bar", expected);
  }
}

}  // namespace
}  // namespace syncline
