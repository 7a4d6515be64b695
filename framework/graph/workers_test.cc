// Workers: which threads run a graph, and in which order.

#include <atomic>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/context.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Names(const std::vector<Workers>& all) {
  std::vector<std::string> names;
  for (const Workers& workers : all) names.push_back(workers.Name());
  return names;
}

TEST(WorkersTest, HaveNames) {
  EXPECT_THAT(Names(OneThreadWorkers()),
              ElementsAre("ApplicationThread", "Threads1"));
  EXPECT_THAT(
      Names(ThreadWorkers()),
      ElementsAre("ApplicationThread", "Threads1", "Threads2", "Threads8"));
  EXPECT_THAT(Names(AllWorkers()),
              ElementsAre("ApplicationThread", "Threads1", "Threads2",
                          "Threads8", "Seed1", "Seed2", "Seed3"));
}

// Four nodes that are ready at once, five times: the order of their calls.
std::string OrderOf(const Workers& workers) {
  std::string text = "input_stream: 'in' ";
  for (const char* const name : {"a", "b", "c", "d"}) {
    absl::StrAppend(
        &text, "node { calculator: 'TestLambda' input_stream: 'in' ",
        "input_side_packet: 'PROCESS:", name, "' executor: 'other' } ");
  }
  absl::StrAppend(
      &text, "executor { name: 'other' type: 'ThreadPoolExecutor' options { ",
      "[syncline.ThreadPoolExecutorOptions.ext] { num_threads: 2 } } }");
  TestGraph graph(workers, text);
  std::string order;
  for (const char* const name : {"a", "b", "c", "d"}) {
    graph.Give(name, [&order, name](CalculatorContext*) {
      order += name;
      return absl::OkStatus();
    });
  }
  graph.Start();
  for (int i = 0; i < 5; ++i) {
    graph.Add("in", i, 1);
    graph.Idle();
  }
  graph.Finish();
  return order;
}

TEST(WorkersTest, ASeedIsAnOrderOfItsOwnEachTime) {
  std::set<std::string> orders;
  for (const Workers& workers : AllWorkers()) {
    if (!workers.is_seeded()) continue;
    const std::string order = OrderOf(workers);
    EXPECT_EQ(order.size(), 20u);
    EXPECT_EQ(OrderOf(workers), order) << workers.Name();
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 3u);
}

class ThreadsOfWorkersTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(ThreadsOfWorkersTest);

TEST_P(ThreadsOfWorkersTest, TakeThePlaceOfTheDefaultExecutor) {
  TestGraph graph(GetParam(), R"(
    executor { name: "" type: "ThreadPoolExecutor" } num_threads: 1
    input_stream: "in"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:note"
           input_stream: "in" })");
  bool is_here = false;
  graph.Give("note",
             [&, here = std::this_thread::get_id()](CalculatorContext*) {
               is_here = std::this_thread::get_id() == here;
               return absl::OkStatus();
             });
  graph.Start();
  graph.Add("in", 1, 1);
  graph.Finish();
  EXPECT_EQ(is_here, GetParam().is_application_thread());
}

TEST_P(ThreadsOfWorkersTest, AsManyCallsRunAtOnce) {
  if (GetParam().is_application_thread()) GTEST_SKIP() << "one at a time";
  const int calls = GetParam().threads;
  std::string text = "input_stream: 'in' ";
  for (int i = 0; i < calls; ++i) {
    absl::StrAppend(&text, "node { calculator: 'TestLambda' input_stream: ",
                    "'in' input_side_packet: 'PROCESS:meet' } ");
  }
  TestGraph graph(GetParam(), text);
  std::atomic<int> inside{0};
  graph.Give("meet", [&](CalculatorContext*) {
    ++inside;
    while (inside < calls) std::this_thread::yield();
    return absl::OkStatus();
  });
  graph.Start();
  graph.Add("in", 1, 1);
  graph.Finish();
  EXPECT_EQ(inside, calls);
}

}  // namespace
}  // namespace syncline
