// Loops that a silent node holds up, or one that collects more than comes in,
// and what keeps them going.

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/lint/lint_test_support.h"
#include "tools/lint/rules.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A loop behind a node that waits for what comes back.
std::string GuardedLoop(const std::string& worker,
                        const std::string& options = "") {
  return absl::StrCat(R"(input_stream: "camera"
node { name: "limiter" calculator: "FlowLimiterCalculator"
       input_stream: "camera" input_stream: "FINISHED:faces"
       input_stream_info { tag_index: "FINISHED" back_edge: true }
       output_stream: "frames" )",
                      options, R"( }
node { name: "detector" calculator: ")",
                      worker, R"(" input_stream: "frames"
       output_stream: "faces" })");
}

TEST(UnsettledLoopTest, ASilentNodeBehindALimiterIsFound) {
  EXPECT_THAT(
      FoundBy(kUnsettledLoop, GuardedLoop("SilentNode")),
      ElementsAre(AllOf(
          HasSubstr("graph.pbtxt:2: warning: \"limiter\" waits for stream "
                    "\"faces\" (FINISHED) before it goes on, and the stream "
                    "comes through \"detector\", which promises no bounds "
                    "while it sends nothing"),
          HasSubstr("remedy: Let \"detector\" say how far"),
          HasSubstr("Or set in_flight_timeout of the limiter"))));
}

TEST(UnsettledLoopTest, APromiseOrATimeoutKeepsTheLoopGoing) {
  EXPECT_THAT(FoundBy(kUnsettledLoop, GuardedLoop("PromisingNode")), IsEmpty());
  EXPECT_THAT(
      FoundBy(kUnsettledLoop,
              GuardedLoop("SilentNode",
                          "options { [syncline.FlowLimiterCalculatorOptions."
                          "ext] { in_flight_timeout: 100000 } }")),
      IsEmpty());
}

TEST(UnsettledLoopTest, ASilentNodeBeforeTheLoopIsNoneInIt) {
  EXPECT_THAT(FoundBy(kUnsettledLoop, R"(input_stream: "camera"
    node { calculator: "SilentNode" input_stream: "camera" output_stream: "x" }
    node { calculator: "FlowLimiterCalculator"
           input_stream: "x" input_stream: "FINISHED:faces"
           input_stream_info { tag_index: "FINISHED" back_edge: true }
           output_stream: "frames" }
    node { calculator: "PromisingNode" input_stream: "frames"
           output_stream: "faces" })"),
              IsEmpty());
}

TEST(UnsettledLoopTest, ASilentNodeOfAnotherSourceIsNoneInIt) {
  EXPECT_THAT(FoundBy(kUnsettledLoop, R"(
    input_stream: "camera" input_stream: "settings"
    node { calculator: "FlowLimiterCalculator"
           input_stream: "camera" input_stream: "FINISHED:faces"
           input_stream_info { tag_index: "FINISHED" back_edge: true }
           output_stream: "frames" }
    node { calculator: "SilentNode" input_stream: "settings"
           output_stream: "model" }
    node { calculator: "PromisingNode" input_stream: "frames"
           input_stream: "model" output_stream: "faces" })"),
              IsEmpty());
}

TEST(UnsettledLoopTest, ALoopbackWaitsForItsLoop) {
  EXPECT_THAT(
      FoundBy(kUnsettledLoop, R"(input_stream: "frames"
    node { name: "loopback" calculator: "PreviousLoopbackCalculator"
           input_stream: "MAIN:frames" input_stream: "LOOP:poses"
           input_stream_info { tag_index: "LOOP" back_edge: true }
           output_stream: "PREV_LOOP:previous" }
    node { name: "tracker" calculator: "SilentNode" input_stream: "frames"
           input_stream: "previous" output_stream: "poses" })"),
      ElementsAre(AllOf(HasSubstr("\"loopback\" waits"), HasSubstr("(LOOP)"),
                        HasSubstr("through \"tracker\""))));
}

// A limiter that counts packets, in front of a loop.
std::string CountedLoop(const std::string& worker,
                        const std::string& worker_fields = "") {
  return absl::StrCat(R"(input_stream: "camera"
node { name: "limiter" calculator: "RealTimeFlowLimiterCalculator"
       input_stream: "camera" input_stream: "FINISHED:faces"
       input_stream_info { tag_index: "FINISHED" back_edge: true }
       output_stream: "frames" }
node { name: "detector" calculator: ")",
                      worker, R"(" input_stream: "frames"
       output_stream: "faces" )",
                      worker_fields, "}");
}

TEST(UnsettledLoopTest, BoundsDoNotHelpALimiterThatCountsPackets) {
  EXPECT_THAT(
      FoundBy(kUnsettledLoop, CountedLoop("SilentNode")),
      ElementsAre(AllOf(
          HasSubstr("graph.pbtxt:2: warning: \"limiter\" waits for stream "
                    "\"faces\" (FINISHED)"),
          HasSubstr("remedy: Use FlowLimiterCalculator, which goes on for "
                    "bounds, and let \"detector\" promise them"))));
  EXPECT_THAT(FoundBy(kUnsettledLoop, CountedLoop("PromisingNode")), IsEmpty());
}

TEST(UnsettledLoopTest, ABatchThatIsLargerThanWhatComesInIsFound) {
  const auto loop = [](int max_in_flight, const std::string& batch) {
    return absl::StrCat(R"(input_stream: "camera"
      node { name: "limiter" calculator: "FlowLimiterCalculator"
             input_stream: "camera" input_stream: "FINISHED:faces"
             input_stream_info { tag_index: "FINISHED" back_edge: true }
             output_stream: "frames"
             options { [syncline.FlowLimiterCalculatorOptions.ext] {
               max_in_flight: )",
                        max_in_flight, R"( } } }
      node { name: "pack" calculator: "PromisingNode" input_stream: "frames"
             output_stream: "packed" batch { )",
                        batch, R"( } }
      node { calculator: "PromisingNode" input_stream: "packed"
             output_stream: "faces" })");
  };
  EXPECT_THAT(
      FoundBy(kUnsettledLoop, loop(2, "max_size: 4")),
      ElementsAre(AllOf(
          HasSubstr("graph.pbtxt:2: warning: \"limiter\" lets 2 frames into "
                    "its loop (max_in_flight) before one has come back, and "
                    "\"pack\" sends nothing before it has collected 4"),
          HasSubstr("remedy: Raise max_in_flight to 4, let \"pack\" collect no "
                    "more than 2, or give its batch a max_delay_ns."))));
  EXPECT_THAT(FoundBy(kUnsettledLoop, loop(4, "max_size: 4")), IsEmpty());
  EXPECT_THAT(
      FoundBy(kUnsettledLoop, loop(2, "max_size: 4 max_delay_ns: 1000")),
      IsEmpty());
  EXPECT_THAT(FoundBy(kUnsettledLoop,
                      CountedLoop("PromisingNode", "batch { max_size: 2 }")),
              ElementsAre(HasSubstr("lets 1 frame into its loop")));
}

}  // namespace
}  // namespace syncline
