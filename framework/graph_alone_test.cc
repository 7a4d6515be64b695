// A program that links the graph alone can run every graph whose text names
// only executors, conditions, clocks and allocators of Syncline itself.

#include <string>

#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

class QuietCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(QuietCalculator);

TEST(GraphAloneTest, KnowsEveryExecutor) {
  const std::string options =
      "options { [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 1 } }";
  for (const std::string& executor :
       {std::string("type: 'ApplicationThreadExecutor'"),
        "type: 'ThreadPoolExecutor' " + options,
        "type: 'mediapipe.ThreadPoolExecutor' " + options,
        "type: 'SharedThreadPoolExecutor' " + options}) {
    CalculatorGraph graph;
    SYNCLINE_ASSERT_OK(
        graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(
            "executor {" + executor + "}")))
        << executor;
    SYNCLINE_EXPECT_OK(graph.Run()) << executor;
  }
}

TEST(GraphAloneTest, KnowsConditionsClocksAndAllocators) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "in"
        clock { type: "ManualClock" }
        allocator {
          name: "pool"
          type: "BlockMemoryPool"
          options {
            [syncline.BlockMemoryPoolOptions.ext] {
              block_size: 64
              num_blocks: 2
            }
          }
        }
        node {
          calculator: "QuietCalculator"
          input_stream: "in"
          condition {
            type: "PeriodicSchedulingTerm"
            options {
              [syncline.PeriodicConditionOptions.ext] { recess_period: "1s" }
            }
          }
          condition {
            type: "MemoryAvailableCondition"
            options {
              [syncline.MemoryAvailableConditionOptions.ext] {
                allocator: "pool"
                min_blocks: 1
              }
            }
          }
        }
      )pb")));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
}

}  // namespace
}  // namespace syncline
