// What a node may do in a graph with `deterministic: true`: each fact by itself
// and with the others, then what graphs that have it are told.
#include "framework/run/preparation/check_deterministic.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/input_stream.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/port/status_matchers.h"
#include "framework/report/report_test_support.h"
#include "framework/run/preparation/check_handlers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OrderPolicy : public InputPolicy {
 public:
  explicit OrderPolicy(bool has_one_order) : has_one_order_(has_one_order) {}
  void OnChange(int) override {}
  Readiness Evaluate() const override { return {}; }
  Timestamp Take(Timestamp timestamp, InputStreamSet*) override {
    return timestamp;
  }
  bool HasOneOrder() const override { return has_one_order_; }

 private:
  const bool has_one_order_;
};

// What is known of a node with the input stream handler "lib.Some", and of its
// graph. By default nothing depends on the order of arrival.
struct Facts {
  // The contract.
  bool is_independent = false;
  const char* asks_for = "";
  // The handler.
  bool is_deterministic = true;
  bool keeps_packets = false;
  bool has_timeout = false;
  const char* advice = nullptr;
  bool has_one_order = true;
  // The rest.
  const char* clock = "";
  const char* idle = "";
  bool processes_bounds = false;
};

std::string Why(const Facts& facts) {
  const GraphPlan plan = TestPlan(facts.clock);
  CalculatorContract contract;
  contract.SetOrderIndependent(facts.is_independent);
  contract.SetInputStreamHandler(facts.asks_for);
  PlanNode node;
  node.contract = &contract;
  node.handlers.input = "lib.Some";
  node.bounds.are_processed = facts.processes_bounds;
  const InputPolicyKind kind = {.is_deterministic = facts.is_deterministic,
                                .keeps_packets = facts.keeps_packets,
                                .deterministic_advice = facts.advice,
                                .has_timeout = facts.has_timeout};
  return WhyNotDeterministic(plan, node, kind, OrderPolicy(facts.has_one_order),
                             facts.idle);
}

constexpr char kManualClock[] = "clock { type: 'ManualClock' }";

TEST(WhyNotDeterministicTest, NothingIsWrongWhereNothingDependsOnTheOrder) {
  EXPECT_THAT(Why({}), IsEmpty());
  EXPECT_THAT(Why({.is_independent = true, .asks_for = "Some"}), IsEmpty());
}

TEST(WhyNotDeterministicTest, AHandlerThatDependsOnItNeedsANodeMadeForIt) {
  // Each but the first lacks one thing.
  EXPECT_THAT(Why({.is_independent = true,
                   .asks_for = "Some",
                   .is_deterministic = false,
                   .keeps_packets = true}),
              IsEmpty());
  const Facts refused[] = {
      {.asks_for = "Some", .is_deterministic = false, .keeps_packets = true},
      {.is_independent = true,
       .is_deterministic = false,
       .keeps_packets = true},
      {.is_independent = true,
       .asks_for = "Other",
       .is_deterministic = false,
       .keeps_packets = true},
      {.is_independent = true, .asks_for = "Some", .is_deterministic = false},
  };
  for (const Facts& facts : refused) {
    EXPECT_THAT(Why(facts),
                HasSubstr("its input stream handler \"lib.Some\" depends on "
                          "which packet comes first. "))
        << facts.is_independent << facts.keeps_packets << facts.asks_for;
  }
}

TEST(WhyNotDeterministicTest, TheNamespaceOfTheHandlerMayBeAnother) {
  for (const char* const asked : {"Some", "lib.Some", "a.different.Some"}) {
    EXPECT_THAT(Why({.is_independent = true,
                     .asks_for = asked,
                     .is_deterministic = false,
                     .keeps_packets = true}),
                IsEmpty())
        << asked;
  }
  EXPECT_THAT(Why({.is_independent = true,
                   .asks_for = "lib.NotSome",
                   .is_deterministic = false,
                   .keeps_packets = true}),
              HasSubstr("depends on which packet"));
}

TEST(WhyNotDeterministicTest, TheAdviceIsThatOfTheHandlerIfItHasOne) {
  EXPECT_THAT(Why({.is_deterministic = false}),
              HasSubstr("first. Use DefaultInputStreamHandler; or register it "
                        "with is_deterministic = true"));
  EXPECT_THAT(Why({.is_deterministic = false, .advice = "Wait."}),
              HasSubstr("first. Wait."));
}

TEST(WhyNotDeterministicTest, ATimeoutHasFixedTimesWithAManualClock) {
  EXPECT_THAT(Why({.is_deterministic = false,
                   .has_timeout = true,
                   .clock = kManualClock}),
              IsEmpty());
  EXPECT_THAT(Why({.is_deterministic = false, .has_timeout = true}),
              HasSubstr("depends on which packet"));
  EXPECT_THAT(Why({.is_deterministic = false, .clock = kManualClock}),
              HasSubstr("depends on which packet"));
}

TEST(WhyNotDeterministicTest, IdleAfterIsRefusedAlsoForANodeMadeForIt) {
  const auto is_late = HasSubstr("which packets of \"b\" are late");
  EXPECT_THAT(Why({.idle = "b"}), is_late);
  EXPECT_THAT(Why({.is_independent = true, .asks_for = "Some", .idle = "b"}),
              is_late);
  EXPECT_THAT(Why({.is_deterministic = false, .idle = "b"}),
              HasSubstr("depends on which packet"))
      << "the handler comes first";
}

TEST(WhyNotDeterministicTest, SyncSetsNeedANodeMadeForThem) {
  const auto has_no_order = HasSubstr(
      "no fixed order. If that is the same to it, its contract can "
      "ask for the handler and say so with "
      "SetOrderIndependent(true)");
  EXPECT_THAT(Why({.has_one_order = false}), has_no_order);
  EXPECT_THAT(Why({.is_independent = true, .has_one_order = false}),
              has_no_order);
  EXPECT_THAT(Why({.asks_for = "Some", .has_one_order = false}), has_no_order);
  EXPECT_THAT(Why({.has_one_order = false, .processes_bounds = true}),
              has_no_order);
  EXPECT_THAT(Why({.is_independent = true,
                   .asks_for = "Some",
                   .has_one_order = false,
                   .processes_bounds = true}),
              IsEmpty());
}

TEST(WhyNotDeterministicTest, CallsForBoundsNeedOnlyThePromise) {
  EXPECT_THAT(Why({.is_independent = true, .processes_bounds = true}),
              IsEmpty());
  for (const char* const asked : {"", "Some"}) {
    EXPECT_THAT(Why({.asks_for = asked, .processes_bounds = true}),
                AllOf(HasSubstr("called for bounds"),
                      HasSubstr("with SetOrderIndependent(true); if they do, "
                                "it has to do without "
                                "SetProcessTimestampBounds(true).")));
  }
}

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
