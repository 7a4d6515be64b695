// BypassCalculator sends on the streams that its options pair, and passes
// bounds to all outputs.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/packet_matchers.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

std::string Bypass(const std::string& options) {
  return absl::StrCat(R"(
    input_stream: "a"
    input_stream: "b"
    node {
      calculator: "BypassCalculator"
      input_stream: "A:a"
      input_stream: "B:1:b"
      input_stream: "B:0:a"
      output_stream: "X:x"
      output_stream: "Y:y"
      options { [syncline.BypassCalculatorOptions.ext] {)",
                      options, "} } }");
}

class BypassCalculatorTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(BypassCalculatorTest);

TEST_P(BypassCalculatorTest, PassesPairsAndGivesTheOthersBounds) {
  GraphHarness graph(Bypass("pass_input_stream: 'B:1' pass_output_stream: 'X'"),
                     GetParam());
  graph.CollectBounds("y");
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("a", {{10, 1}});
  graph.Feed("b", {{10, 2}});
  graph.Idle();
  graph.Expect("x", {{10, 2}});
  ASSERT_EQ(graph.Count("y"), 1);
  EXPECT_TRUE(graph.Packets("y")[0].IsEmpty());
  EXPECT_THAT(graph.Packets("y")[0], HasTimestamp(10));
  SYNCLINE_ASSERT_OK(graph.Finish());
}

// What an observer of bounds was told: "10" for a packet, "-10" for a bound.
std::string Told(const GraphHarness& graph, const std::string& stream) {
  std::vector<std::string> told;
  for (const Packet& packet : graph.Packets(stream)) {
    told.push_back(absl::StrCat(packet.IsEmpty() ? "-" : "",
                                packet.Timestamp().DebugString()));
  }
  return absl::StrJoin(told, " ");
}

TEST_P(BypassCalculatorTest, AnObserverIsToldOneThingOfEachTimestamp) {
  GraphHarness graph(Bypass("pass_input_stream: 'A' pass_output_stream: 'X'"),
                     GetParam());
  graph.CollectBounds("x");
  graph.CollectBounds("y");
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("a", {{10, 1}});
  graph.Idle();
  EXPECT_EQ(Told(graph, "x"), "");
  graph.Feed("b", {{10, 2}});
  graph.Idle();
  EXPECT_EQ(Told(graph, "x"), "10");
  EXPECT_EQ(Told(graph, "y"), "-10");
  // There is no packet to pass at 20, and none at all up to 30.
  graph.Feed("b", {{20, 2}});
  graph.SetBound("a", 21);
  graph.Idle();
  graph.SetBound("a", 31);
  graph.SetBound("b", 31);
  graph.Idle();
  graph.Feed("a", {{40, 3}});
  graph.Feed("b", {{40, 4}});
  graph.Idle();
  SYNCLINE_ASSERT_OK(graph.Finish());
  EXPECT_EQ(Told(graph, "x"), "10 -20 -30 40");
  EXPECT_EQ(Told(graph, "y"), "-10 -20 -30 -40");
}

TEST(BypassCalculatorConfigTest, WrongPairsAreErrors) {
  const auto initialize = [](const char* options) {
    return GraphHarness(Bypass(options)).Initialize();
  };
  SYNCLINE_EXPECT_OK(initialize(""));
  EXPECT_THAT(initialize("pass_input_stream: 'A'"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("1 pass_input_stream and 0")));
  EXPECT_THAT(initialize("pass_input_stream: 'B:2' pass_output_stream: 'X'"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("pass_input_stream \"B:2\"")));
  EXPECT_THAT(initialize("pass_input_stream: 'a b' pass_output_stream: 'X'"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(
      initialize("pass_input_stream: ['A', 'B'] "
                 "pass_output_stream: ['X', 'X']"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"X\" twice")));
}

}  // namespace
}  // namespace syncline
