// A program that links the graph alone can run every graph whose text names
// only executors that Syncline itself has.

#include <string>

#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

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

}  // namespace
}  // namespace syncline
