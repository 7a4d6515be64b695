// Whether a handler can do what its node asks for; errors name the line.
#include "framework/run/check_handlers.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/graph_text/graph_source.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/port/status_matchers.h"
#include "framework/run/run_test_support.h"
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
  const absl::StatusOr<std::vector<InputPolicyKind>> kinds =
      FindPolicies(TestPlan(
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
}

}  // namespace
}  // namespace syncline
