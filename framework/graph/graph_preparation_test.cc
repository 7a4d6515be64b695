// What is found only when a graph is prepared, after its plan is made, names
// the line in the graph's file and what to do.
#include "framework/run/graph_preparation.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph_text/graph_source.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// The error of the graph in this file.
std::string ErrorOf(const std::string& text) {
  const absl::StatusOr<GraphSource> source = ReadGraphText(text, "graph.pbtxt");
  SYNCLINE_EXPECT_OK(source.status());
  const absl::StatusOr<GraphPlan> plan = Compile(*source);
  SYNCLINE_EXPECT_OK(plan.status());
  CalculatorGraph graph;
  const absl::Status status = graph.Initialize(*plan, {});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(GraphPreparationTest, AnExecutorThatNobodyGaveNamesItsLineAndTheWaysOut) {
  EXPECT_THAT(ErrorOf("num_threads: 1\nexecutor { name: \"camera\" }"),
              AllOf(HasSubstr("graph.pbtxt:2: Executor \"camera\": it has no "
                              "type"),
                    HasSubstr("SetExecutor()"),
                    HasSubstr("type: \"ThreadPoolExecutor\"")));
}

TEST(GraphPreparationTest, AnExecutorThatCannotBeMadeNamesItsLine) {
  EXPECT_THAT(ErrorOf(R"(
executor {
  name: "camera"
  type: "ThreadPoolExecutor"
  options {
    [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 1 stack_size: 9 }
  }
})"),
              AllOf(HasSubstr("graph.pbtxt:2: Executor \"camera\": "),
                    HasSubstr("The stack_size field in "
                              "ThreadPoolExecutorOptions should be at least "),
                    HasSubstr("but is 9")));
}

}  // namespace
}  // namespace syncline
