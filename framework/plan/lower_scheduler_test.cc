// What a scheduler in a graph becomes: executors, and who runs where.

#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr char kNodes[] = R"pb(
  node { name: "a" calculator: "IntNode" }
  node { name: "b" calculator: "IntNode" }
  node { name: "c" calculator: "IntNode" }
)pb";

GraphPlan PlanWith(const std::string& scheduler) {
  return PlanOf(absl::StrCat(kNodes, "scheduler { ", scheduler, " }"));
}

std::string ErrorWith(const std::string& scheduler) {
  return std::string(
      ErrorWithLinesOf(absl::StrCat(kNodes, "scheduler { ", scheduler, " }"))
          .message());
}

// The executor that each node runs on.
std::map<std::string, std::string> Places(const GraphPlan& plan) {
  std::map<std::string, std::string> places;
  for (const PlanNode& node : plan.nodes()) {
    places[std::string(node.name)] = plan.executors()[node.executor].name;
  }
  return places;
}

TEST(LowerSchedulerTest, GreedyAndEpochRunOnTheThreadThatWaits) {
  for (const std::string type :
       {"GreedyScheduler", "EpochScheduler", "nvidia::gxf::GreedyScheduler"}) {
    EXPECT_EQ(PlanWith("type: \"" + type + "\"").executors()[0].kind,
              ExecutorKind::kApplicationThread);
  }
}

TEST(LowerSchedulerTest, TheOthersHaveWorkerThreads) {
  for (const std::string type : {"MultiThreadScheduler", "EventBasedScheduler",
                                 "holoscan::EventBasedScheduler"}) {
    const GraphPlan one = PlanWith("type: \"" + type + "\"");
    EXPECT_EQ(one.executors()[0].kind, ExecutorKind::kThreadPool);
    EXPECT_EQ(one.executors()[0].num_threads, 1);
    EXPECT_EQ(PlanWith("type: \"" + type +
                       "\" worker_thread_number: 3 "
                       "check_recession_period_ms: 5")
                  .executors()[0]
                  .num_threads,
              3);
  }
}

TEST(LowerSchedulerTest, NodesRunInTheirPoolsAndPinnedOnesAlone) {
  const GraphPlan plan = PlanWith(R"(
    type: "EventBasedScheduler" worker_thread_number: 2
    thread_pool { name: "p" initial_size: 3 priority: 0 pin_cores: 1
                  member { node: "a" } member { node: "b" pin: true } })");
  const std::map<std::string, std::string> places = Places(plan);
  EXPECT_EQ(places.at("a"), "p");
  EXPECT_EQ(places.at("b"), "p:b");
  EXPECT_EQ(places.at("c"), "");
  const PlanExecutor& pool = ExecutorNamed(plan, "p");
  EXPECT_EQ(pool.num_threads, 3);
  const auto& options =
      pool.options->GetExtension(ThreadPoolExecutorOptions::ext);
  EXPECT_EQ(options.nice_priority_level(), 10);
  EXPECT_EQ(options.cpu(0), 1);
  EXPECT_EQ(ExecutorNamed(plan, "p:b").num_threads, 1);
}

TEST(LowerSchedulerTest, TheCanonicalConfigGivesTheSamePlan) {
  const GraphPlan plan = PlanWith(R"(
    type: "EventBasedScheduler" worker_thread_number: 2 max_duration_ms: 70
    stop_on_deadlock: false
    thread_pool { name: "p" initial_size: 1 member { node: "a" } })");
  EXPECT_FALSE(plan.Config().scheduler().has_thread_pool_allocation_auto());
  EXPECT_EQ(plan.Config().scheduler().thread_pool_size(), 0);
  const GraphPlan again = PlanOf(plan.Config().DebugString());
  EXPECT_EQ(Places(again), Places(plan));
  EXPECT_EQ(again.settings().max_duration_ns, 70'000'000);
  EXPECT_FALSE(again.settings().stop_on_deadlock);
}

TEST(LowerSchedulerTest, TheEndOfARunIsASetting) {
  const PlanSettings defaults = PlanOf(kNodes).settings();
  EXPECT_EQ(defaults.max_duration_ns, -1);
  EXPECT_TRUE(defaults.stop_on_deadlock);
  EXPECT_EQ(defaults.deadlock_timeout_ns, 0);
  const PlanSettings settings =
      PlanWith("max_duration_ms: -5 stop_on_deadlock_timeout: 500").settings();
  EXPECT_EQ(settings.max_duration_ns, -1);
  EXPECT_EQ(settings.deadlock_timeout_ns, 500'000'000);
}

TEST(LowerSchedulerTest, MistakesAreErrorsThatSayWhatToDo) {
  EXPECT_THAT(ErrorWith("type: \"GreedySchedular\""),
              HasSubstr("Did you mean \"GreedyScheduler\"?"));
  EXPECT_THAT(ErrorWith("type: \"MultiThreadScheduler\" "
                        "worker_thread_number: -1"),
              HasSubstr("worker_thread_number must be positive"));
  EXPECT_THAT(ErrorWith("type: \"GreedyScheduler\" worker_thread_number: 2"),
              HasSubstr("has no worker_thread_number"));
  EXPECT_THAT(ErrorWith("check_recession_period_ms: -1"),
              HasSubstr("check_recession_period_ms"));
  EXPECT_THAT(ErrorWith("type: \"EventBasedScheduler\" } num_threads: 2 "
                        "clock {"),
              HasSubstr("only one of them may"));
  const std::string pool = "type: \"EventBasedScheduler\" thread_pool ";
  EXPECT_THAT(ErrorWith(pool + "{ initial_size: 1 }"), HasSubstr("no name"));
  EXPECT_THAT(ErrorWith(pool + "{ name: \"p\" member { node: \"a\" } }"),
              HasSubstr("need an initial_size"));
  EXPECT_THAT(ErrorWith(pool + "{ name: \"p\" initial_size: 1 "
                               "member { node: \"x\" } }"),
              HasSubstr("the graph has no node \"x\""));
  EXPECT_THAT(ErrorWith(pool + "{ name: \"p\" initial_size: 1 priority: 3 }"),
              HasSubstr("priority must be 0, 1 or 2"));
  EXPECT_THAT(
      ErrorWith(pool + "{ name: \"p\" initial_size: 1 member { node: \"a\" } } "
                       "thread_pool { name: \"q\" initial_size: 1 "
                       "member { node: \"a\" } }"),
      HasSubstr("runs on executor \"p\" already"));
  EXPECT_THAT(ErrorWith(pool + "{ name: \"p\" initial_size: 1 member { node: "
                               "\"a\" } } thread_pool_allocation_auto: false"),
              HasSubstr("\"b\" is not"));
}

}  // namespace
}  // namespace syncline
