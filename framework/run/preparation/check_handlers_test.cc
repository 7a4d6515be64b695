// Whether a handler can do what its node asks for; errors name the line.
#include "framework/run/preparation/check_handlers.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/registration.h"
#include "framework/calculator/input_stream.h"
#include "framework/graph_text/graph_source.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/handler_options.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/input_policy_registry.h"
#include "framework/port/status_matchers.h"
#include "framework/report/report_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// What is said of a node in the second line of "graph.pbtxt".
absl::Status Check(const std::string& node) {
  const absl::StatusOr<GraphSource> source = ReadGraphText(
      absl::StrCat("input_stream: \"a\"\nnode { calculator: \"TestLambda\" "
                   "input_stream: \"a\" ",
                   node, " }"),
      "graph.pbtxt");
  SYNCLINE_EXPECT_OK(source.status());
  const absl::StatusOr<GraphPlan> plan = Compile(*source);
  SYNCLINE_EXPECT_OK(plan.status());
  return FindPolicies(*plan).status();
}

std::string Handler(const std::string& name, const std::string& options = "") {
  return absl::StrCat("input_stream_handler { input_stream_handler: \"", name,
                      "\" ", options, " }");
}

auto Refused(const std::string& text) {
  return StatusIs(
      absl::StatusCode::kInvalidArgument,
      AllOf(HasSubstr("graph.pbtxt:2: node [TestLambda"), HasSubstr(text)));
}

TEST(CheckHandlersTest, EachNodeGetsTheKindThatItsHandlerNames) {
  const absl::StatusOr<NodePolicies> kinds = FindPolicies(TestPlan(
      "input_stream: 'a' node { calculator: 'TestLambda' input_stream: 'a' "
      "} node { calculator: 'TestLambda' input_stream: 'a' " +
      Handler("ImmediateInputStreamHandler") + " }"));
  SYNCLINE_ASSERT_OK(kinds);
  EXPECT_TRUE((*kinds)[0].is_deterministic);
  EXPECT_FALSE((*kinds)[1].is_deterministic);
}

TEST(CheckHandlersTest, CallsThatOverlapNeedOneTimestampEach) {
  SYNCLINE_EXPECT_OK(Check("max_in_flight: 2"));
  EXPECT_THAT(Check("max_in_flight: 2 " +
                    Handler("DefaultInputStreamHandler",
                            "options { [syncline.DefaultInputStreamHandler"
                            "Options.ext] { batch_size: 2 } }")),
              Refused("it can have one of them"));
  EXPECT_THAT(Check("max_in_flight: 2 " + Handler("BarrierInputStreamHandler")),
              Refused("may give several calls one timestamp"));
}

TEST(CheckHandlersTest, AHandlerThatDropsPacketsDoesNotPop) {
  constexpr char kPop[] =
      "input_stream_info { tag_index: \":0\" max_queue_size: 2 queue_policy: "
      "POP } ";
  SYNCLINE_EXPECT_OK(Check(kPop));
  EXPECT_THAT(Check(kPop + Handler("FixedSizeInputStreamHandler")),
              Refused("has a rule of its own for which packets it drops"));
  EXPECT_THAT(
      Check("input_stream: \"a\" " + (kPop + Handler("MuxInputStreamHandler"))),
      Refused("has a rule of its own for which packets it drops"))
      << "it takes its packets when the call is ready";
}

TEST(CheckHandlersTest, AHandlerThatIgnoresTimeHasNothingToSettle) {
  constexpr char kIdle[] =
      "input_stream: \"a\" input_stream_info { tag_index: \":1\" idle_after { "
      "stream: \":0\" gap: 10 } } ";
  SYNCLINE_EXPECT_OK(Check(kIdle));
  EXPECT_THAT(Check(kIdle + Handler("BarrierInputStreamHandler")),
              Refused("so there is nothing to settle"));
  SYNCLINE_EXPECT_OK(
      Check("input_stream: \"a\" " + Handler("BarrierInputStreamHandler")));
}

TEST(CheckHandlersTest, AHandlerThatDropsPacketsKeepsNoMessageTimes) {
  constexpr char kTimes[] =
      "input_stream_info { tag_index: \":0\" message_times: true } ";
  SYNCLINE_EXPECT_OK(Check(kTimes));
  EXPECT_THAT(Check(kTimes + Handler("FixedSizeInputStreamHandler")),
              Refused("Read the times in a node before this one"));
}

// Takes its input set when the call starts, and drops nothing by itself.
class LateTakingPolicy : public InputPolicy {
 public:
  void OnChange(int) override {}
  Readiness Evaluate() const override { return {}; }
  Timestamp Take(Timestamp timestamp, InputStreamSet*) override {
    return timestamp;
  }
  bool TakesWhenCallStarts() const override { return true; }
};

TEST(CheckHandlersTest, APolicyIsAskedAsItWouldBeMadeForTheNode) {
  int made = 0;
  bool processes_bounds = false;
  auto token = RegisterInputPolicyKind(
      "LateTakingHandler",
      {.create =
           [&](const PolicyPorts& ports) {
             ++made;
             processes_bounds = ports.process_timestamp_bounds;
             EXPECT_EQ(ports.queues.size(), 1u);
             return std::make_unique<LateTakingPolicy>();
           }},
      {}, "here:1");
  SYNCLINE_ASSERT_OK(token);
  const Unregister registered(*std::move(token));
  SYNCLINE_EXPECT_OK(Check(Handler("LateTakingHandler")));
  EXPECT_EQ(made, 0) << "the node asks for nothing";
  constexpr char kPop[] =
      "input_stream_info { tag_index: \":0\" max_queue_size: 2 queue_policy: "
      "POP } ";
  EXPECT_THAT(Check(kPop + Handler("LateTakingHandler")),
              Refused("has a rule of its own for which packets it drops"));
  EXPECT_FALSE(processes_bounds);
  EXPECT_THAT(FindPolicies(TestPlan("input_stream: 'a' node { calculator: "
                                    "'TestLambdaBounds' input_stream: 'a' " +
                                    std::string(kPop) +
                                    Handler("LateTakingHandler") + "}"))
                  .status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_TRUE(processes_bounds);
}

// What is said of the nodes, each with its name and the rest of its config.
absl::Status CheckNodes(
    const std::vector<std::pair<std::string, std::string>>& nodes) {
  std::string graph = "input_stream: 'a' ";
  for (const auto& [name, rest] : nodes) {
    absl::StrAppend(&graph, "node { name: '", name,
                    "' calculator: ", "'TestLambda' input_stream: 'a' ", rest,
                    " } ");
  }
  return FindPolicies(TestPlan(graph)).status();
}

TEST(CheckHandlersTest, TheErrorsOfAllNodesAreInOne) {
  const std::string repeats =
      "max_in_flight: 2 " + Handler("BarrierInputStreamHandler");
  EXPECT_THAT(
      CheckNodes({{"one", repeats}, {"two", ""}, {"three", repeats}}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(HasSubstr("InitializeCalculatorNodes failed: \n"
                               "node \"one\" (TestLambda) has max_in_flight"),
                     HasSubstr("\nnode \"three\" (TestLambda) has max_"))));
}

TEST(CheckHandlersTest, AHandlerThatIsOnlyPlannedIsAnErrorBesideTheOthers) {
  auto token = RegisterInputPolicyType("OnlyPlanned", {}, "here:1");
  SYNCLINE_ASSERT_OK(token);
  const Unregister registered(*std::move(token));
  const absl::Status status = CheckNodes(
      {{"one", Handler("OnlyPlanned")},
       {"two", "max_in_flight: 2 " + Handler("BarrierInputStreamHandler")}});
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("node \"one\" (TestLambda): No registered "
                              "object with name: \"OnlyPlanned\""),
                    HasSubstr("\nnode \"two\" (TestLambda) has max_")));
}

}  // namespace
}  // namespace syncline
