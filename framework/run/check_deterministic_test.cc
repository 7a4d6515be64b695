#include "framework/run/check_deterministic.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/status_matchers.h"
#include "framework/run/check_handlers.h"
#include "framework/run/run_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// What is said of a node with the inputs A and B.
absl::Status Check(const std::string& node, const std::string& graph = "") {
  const GraphPlan plan = TestPlan(
      absl::StrCat("deterministic: true ", graph, " input_stream: 'a' ",
                   "input_stream: 'b' node { name: 'it' ", node,
                   " input_stream: 'A:a' input_stream: 'B:b' "
                   "output_stream: 'c' }"));
  return FindPolicies(plan).status();
}

TEST(CheckDeterministicTest, WhatDependsOnTheOrderOfArrivalIsRefused) {
  const auto with_handler = [](const char* name, const char* options = "") {
    return absl::StrCat("calculator: 'TestLambda' input_stream_handler { ",
                        "input_stream_handler: '", name, "' ", options, " }");
  };
  const struct {
    std::string node;
    std::string next_step;
  } cases[] = {
      {with_handler("ImmediateInputStreamHandler"), "waits until a time"},
      {with_handler("FixedSizeInputStreamHandler"), "max_queue_size"},
      {with_handler("EarlyCloseInputStreamHandler"), "processes everything"},
      {with_handler("TimestampAlignInputStreamHandler",
                    "options { "
                    "[syncline.TimestampAlignInputStreamHandlerOptions.ext] { "
                    "timestamp_base_tag_index: 'A' } }"),
       "one clock"},
      {with_handler("SyncSetInputStreamHandler",
                    "options { "
                    "[syncline.SyncSetInputStreamHandlerOptions.ext] { "
                    "sync_set { tag_index: 'A' } sync_set { tag_index: 'B' } } "
                    "}"),
       "SetOrderIndependent(true); if it is not, put the streams into one set"},
      {"calculator: 'TestLambdaBounds'",
       "SetOrderIndependent(true); if they do"},
  };
  for (const auto& refused : cases) {
    EXPECT_THAT(Check(refused.node),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr("\"it\" (TestLambda"),
                               HasSubstr("deterministic: true"),
                               HasSubstr(refused.next_step))))
        << refused.node;
  }
}

TEST(CheckDeterministicTest, WhatWaitsForAllInputsIsAccepted) {
  SYNCLINE_EXPECT_OK(Check("calculator: 'TestLambda'"));
  SYNCLINE_EXPECT_OK(
      Check("calculator: 'TestLambda' input_stream_handler { "
            "input_stream_handler: 'BarrierInputStreamHandler' }"));
}

TEST(CheckDeterministicTest, ATimeoutIsAcceptedOnlyWithAManualClock) {
  constexpr char kTimeout[] =
      "calculator: 'TestLambda' input_stream_handler { input_stream_handler: "
      "'TimeoutInputStreamHandler' options { "
      "[syncline.TimeoutInputStreamHandlerOptions.ext] { timeout_ns: 5 } } }";
  EXPECT_THAT(Check(kTimeout),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("\"TimeoutInputStreamHandler\" depends")));
  SYNCLINE_EXPECT_OK(Check(kTimeout, "clock { type: 'ManualClock' }"));
}

TEST(CheckDeterministicTest, AnInputWithIdleAfterIsRefused) {
  EXPECT_THAT(Check("calculator: 'TestLambda' input_stream_info { tag_index: "
                    "'B' idle_after { stream: 'A' gap: 10 } }"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("which packets of \"b\" are late")));
}

}  // namespace
}  // namespace syncline
