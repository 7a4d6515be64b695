// What is found only when a graph is prepared, after its plan is made, names
// the line in the graph's file and what to do. What the application gives is
// taken in place of what the graph asks for.
#include "framework/run/preparation/graph_preparation.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/graph_clock.h"
#include "framework/graph_text/graph_source.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/status_matchers.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/thread_pool_executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

using Executors = std::vector<std::shared_ptr<Executor>>;
using Given = std::map<std::string, std::shared_ptr<Executor>>;

// The plan of the graph in this file.
GraphPlan PlanOf(const std::string& text) {
  const absl::StatusOr<GraphSource> source = ReadGraphText(text, "graph.pbtxt");
  SYNCLINE_EXPECT_OK(source.status());
  absl::StatusOr<GraphPlan> plan = Compile(*source);
  SYNCLINE_EXPECT_OK(plan.status());
  return *std::move(plan);
}

absl::StatusOr<Executors> Make(const std::string& text,
                               const Given& given = {}) {
  const GraphPlan plan = PlanOf(text);
  return MakeExecutors(plan, given, std::make_shared<WaitPoint>());
}

std::string ErrorOf(const std::string& text) {
  const absl::Status status = Make(text).status();
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

TEST(GraphPreparationTest, AnExecutorThatIsGivenIsTakenAndOthersAreMade) {
  const auto camera = std::make_shared<ThreadPoolExecutor>(1);
  const absl::StatusOr<Executors> executors = Make(
      "executor { type: 'ApplicationThreadExecutor' } executor { name: 'camera'"
      " }",
      {{"camera", camera}});
  SYNCLINE_ASSERT_OK(executors.status());
  ASSERT_THAT(*executors, SizeIs(2));
  EXPECT_NE(dynamic_cast<ApplicationThreadExecutor*>((*executors)[0].get()),
            nullptr);
  EXPECT_EQ((*executors)[1], camera);
}

TEST(GraphPreparationTest, AnExecutorWithATypeIsNotGivenToo) {
  const absl::StatusOr<Executors> executors =
      Make(R"(
executor {
  name: "camera"
  type: "ThreadPoolExecutor"
  options { [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 1 } }
})",
           {{"camera", std::make_shared<ThreadPoolExecutor>(1)}});
  EXPECT_THAT(executors,
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("graph.pbtxt:2: Executor \"camera\": "),
                             HasSubstr("type \"ThreadPoolExecutor\""),
                             HasSubstr("SetExecutor()"))));
}

TEST(GraphPreparationTest, ADefaultPoolHasTheThreadsThatAreOfUse) {
  const absl::StatusOr<Executors> chosen = Make("");
  SYNCLINE_ASSERT_OK(chosen.status());
  EXPECT_EQ((*chosen)[0]->MaxParallelTasks(), 1) << "there are no nodes";
  const absl::StatusOr<Executors> stated = Make("num_threads: 3");
  SYNCLINE_ASSERT_OK(stated.status());
  EXPECT_EQ((*stated)[0]->MaxParallelTasks(), 3);
}

TEST(GraphPreparationTest, AClockThatIsUnknownIsAnErrorThatSaysSo) {
  SYNCLINE_EXPECT_OK(MakeClock(PlanOf("")).status());
  EXPECT_THAT(
      MakeClock(PlanOf("clock { type: 'Sundial' }")).status().message(),
      AllOf(HasSubstr("The clock of the graph: "), HasSubstr("Sundial")));
}

}  // namespace
}  // namespace syncline
