#include "framework/run/queue_settings.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/port/status_matchers.h"
#include "framework/report/report_test_support.h"
#include "framework/run/preparation/check_handlers.h"
#include "framework/stream/queue_limits.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// Nodes: 0 "first" reads the graph inputs "x" and "y", 1 "second" reads "a" and
// "x", 2 "last" reads "a" twice.
GraphPlan MakePlan(const std::string& settings = "",
                   const std::string& of_first = "",
                   const std::string& of_others = "") {
  return TestPlan(absl::StrCat(settings, R"(
    input_stream: "x" input_stream: "y"
    node { name: "first" calculator: "TestLambda" input_stream: "x"
           input_stream: "y" output_stream: "a" )",
                               of_first, R"(}
    node { name: "second" calculator: "TestLambda" input_stream: "a"
           input_stream: "x" output_stream: "b" )",
                               of_others, R"(}
    node { name: "last" calculator: "TestLambda" input_stream: "a"
           input_stream: "a" )",
                               of_others, "}"));
}

const InputLimits kNoLimits = {.packets = {0, 0}, .bytes = {0, 0}};

QueueLimit LimitOf(const GraphPlan& plan, int node, int port,
                   const InputLimits& given = kNoLimits) {
  return QueueLimitOf(plan, plan.nodes()[node].inputs[port], given);
}

NodePolicies PoliciesOf(const GraphPlan& plan) {
  absl::StatusOr<NodePolicies> policies = FindPolicies(plan);
  SYNCLINE_EXPECT_OK(policies.status());
  return *std::move(policies);
}

TEST(QueueSettingsTest, LimitsAreThoseOfTheGraph) {
  const GraphPlan plan = MakePlan(
      "max_queue_size: 7 max_queue_bytes: 70 max_queue_bytes_ceiling: 700 ");
  for (const int node : {0, 1}) {
    const QueueLimit limit = LimitOf(plan, node, 0);
    EXPECT_EQ(limit.packets, 7);
    EXPECT_EQ(limit.bytes, 70);
    EXPECT_EQ(limit.byte_ceiling, 700);
  }
}

TEST(QueueSettingsTest, ReadersOfGraphInputsHaveThoseThatAreGiven) {
  const GraphPlan plan = MakePlan("max_queue_size: 7 max_queue_bytes: 70 ");
  const InputLimits given = {.packets = {3, 0}, .bytes = {0, 30}};
  EXPECT_EQ(LimitOf(plan, 0, 0, given).packets, 3);
  EXPECT_EQ(LimitOf(plan, 0, 0, given).bytes, 70);
  EXPECT_EQ(LimitOf(plan, 0, 1, given).packets, 7);
  EXPECT_EQ(LimitOf(plan, 0, 1, given).bytes, 30);
  EXPECT_EQ(LimitOf(plan, 1, 0, given).packets, 7) << "of a node's stream";
  EXPECT_EQ(LimitOf(plan, 1, 1, given).packets, 3);
}

TEST(QueueSettingsTest, AnInputHasItsOwnAndTheErrorSizeIsTheMost) {
  const GraphPlan plan = MakePlan(
      "max_queue_size: 100 queue_error_size: 50 queue_warning_size: 10 ",
      R"(input_stream_info { tag_index: ":0" max_queue_size: 9 }
         input_stream_info { tag_index: ":1" max_queue_size: 90 })");
  EXPECT_EQ(LimitOf(plan, 0, 0).packets, 9);
  EXPECT_EQ(LimitOf(plan, 0, 1).packets, 50);
  EXPECT_EQ(LimitOf(plan, 1, 0).packets, 50);
  const GraphPlan free = MakePlan("max_queue_size: -1 queue_error_size: 50 ");
  EXPECT_EQ(LimitOf(free, 1, 0).packets, -1) << "no limit stays none";
}

TEST(QueueSettingsTest, WhatDropsPacketsHasNone) {
  const GraphPlan plan =
      MakePlan("max_queue_size: 7 max_queue_bytes: 70 ",
               R"(input_stream_info { tag_index: ":0" max_queue_size: 9
                             queue_policy: POP })");
  EXPECT_EQ(LimitOf(plan, 0, 0).packets, -1);
  EXPECT_EQ(LimitOf(plan, 0, 0).bytes, -1);
}

TEST(QueueSettingsTest, QueuesTellOfAnEighthOfTheMemoryTogether) {
  EXPECT_EQ(ByteStep(MakePlan()), 0);
  EXPECT_EQ(ByteStep(MakePlan("max_memory_bytes: -1 ")), 0);
  // Six queues, and one more.
  EXPECT_EQ(ByteStep(MakePlan("max_memory_bytes: 5600 ")), 100);
  EXPECT_EQ(ByteStep(MakePlan("max_memory_bytes: 1 ")), 1);
}

TEST(QueueSettingsTest, AllReadersHaveToIgnoreTime) {
  constexpr char kBarrier[] =
      "input_stream_handler { input_stream_handler: "
      "\"BarrierInputStreamHandler\" }";
  const GraphPlan one = MakePlan("", kBarrier);
  const GraphPlan all = MakePlan("", kBarrier, kBarrier);
  const auto ignores = [](const GraphPlan& plan, const std::string& stream) {
    return ReadersIgnoreTime(plan.streams()[plan.FindStream(stream)],
                             PoliciesOf(plan));
  };
  EXPECT_TRUE(ignores(one, "y"));
  EXPECT_FALSE(ignores(one, "x")) << "\"second\" reads it too";
  EXPECT_TRUE(ignores(all, "x"));
  EXPECT_FALSE(ignores(all, "b")) << "nobody reads it";
}

TEST(QueueSettingsTest, OneReaderMayAskForTimes) {
  const GraphPlan plan = MakePlan();
  for (const PlanStream& stream : plan.streams()) {
    EXPECT_FALSE(ReadersKeepTimes(plan, stream));
  }
  const GraphPlan timed = MakePlan(
      "", "", R"(input_stream_info { tag_index: ":1" message_times: true })");
  const auto keep = [&](const std::string& stream) {
    return ReadersKeepTimes(timed, timed.streams()[timed.FindStream(stream)]);
  };
  EXPECT_TRUE(keep("x")) << "of its readers, \"second\" asks";
  EXPECT_TRUE(keep("a"));
  EXPECT_FALSE(keep("y"));
  EXPECT_FALSE(keep("b"));
}

TEST(QueueSettingsTest, TheOrderOfAStreamWithoutReadersMatters) {
  const GraphPlan plan = MakePlan();
  EXPECT_FALSE(ReadersIgnoreTime(plan.streams()[plan.FindStream("b")],
                                 PoliciesOf(plan)));
}

}  // namespace
}  // namespace syncline
