// No code of a user runs, and no packet is released, while its thread holds a
// lock of the engine: nodes with each condition that there is, in groups, with
// batches and timeouts, at a source and further on.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/conditions.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "testing/scenarios/looking.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

class WithoutLocksConditionsTest : public LooksTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(WithoutLocksConditionsTest);

std::string Condition(const std::string& name, const std::string& options) {
  return absl::StrCat("condition { name: \"c\" type: \"", name,
                      "Condition\" options { [syncline.", name,
                      "ConditionOptions.ext] { ", options, " } } } ");
}

// Of a node with the inputs "a2" and "b", and one output.
std::vector<std::string> Conditions() {
  return {
      Condition("MessageAvailable", "receiver: \":0\" min_size: 2"),
      Condition("MessageAvailable",
                "receiver: \":0\" min_size: 3 strict: true"),
      Condition("ExpiringMessageAvailable",
                "receiver: \":0\" max_batch_size: 2 max_delay_ns: 1000"),
      Condition("MultiMessageAvailable",
                "receivers: \":0\" receivers: \":1\" min_sum: 3"),
      Condition("MultiMessageAvailable",
                "receivers: \":0\" receivers: \":1\" sampling_mode: "
                "PER_RECEIVER min_sizes: 1 min_sizes: 1"),
      Condition("MultiMessageAvailableTimeout",
                "receivers: \":0\" execution_frequency: \"1ms\" min_sum: 5"),
      Condition("DownstreamMessageAffordable", "min_size: 2"),
      Condition("Count", "count: 2"),
      Condition("Boolean", "on_false: PAUSE"),
      Condition("Boolean", "enable_tick: true"),
      Condition("Periodic", "recess_period: \"1ms\""),
      Condition("MemoryAvailable", "allocator: \"pool\" min_blocks: 1"),
      Condition("None", "receivers: \":0\""),
      "condition { name: \"c\" type: \"AsynchronousCondition\" } ",
      "condition { name: \"c\" type: \"TargetTimeCondition\" } ",
      "any_of { " + Condition("Count", "count: 3") +
          "condition { type: \"AsynchronousCondition\" } } ",
      "gxf_defaults: true ",
      "batch { max_size: 3 } ",
      "batch { max_size: 5 max_delay_ns: 1000 } ",
      "batch { max_size: 5 max_delay_ns: 1000 } " +
          Condition("Count", "count: 2"),
      "max_in_flight: 3 " + Condition("Count", "count: 2"),
      "input_stream_handler { input_stream_handler: "
      "\"TimeoutInputStreamHandler\" options { "
      "[syncline.TimeoutInputStreamHandlerOptions.ext] { timeout_ns: 1000 } } "
      "} " +
          Condition("Count", "count: 4"),
  };
}

constexpr char kPool[] =
    "allocator { name: \"pool\" type: \"BlockMemoryPool\" options { "
    "[syncline.BlockMemoryPoolOptions.ext] { block_size: 64 num_blocks: 4 } } "
    "} ";

// What the application may do to a condition. A wait for an event that nobody
// ends would never be idle, so it ends before the test waits for that.
void Poke(CalculatorGraph* graph, int i) {
  const bool begins = i % 4 == 2;
  const auto boolean = graph->GetCondition<BooleanCondition>("ends/c");
  if (boolean.ok()) {
    begins ? (*boolean)->disable_tick() : (*boolean)->enable_tick();
  }
  const auto event = graph->GetCondition<AsynchronousCondition>("ends/c");
  if (event.ok()) {
    (*event)
        ->event_state(begins ? AsynchronousEventState::EVENT_WAITING
                             : AsynchronousEventState::EVENT_DONE)
        .IgnoreError();
  }
  const auto target = graph->GetCondition<TargetTimeCondition>("ends/c");
  if (target.ok()) {
    (*target)->SetNextTargetTime(graph->GetClock()->NowNs()).IgnoreError();
  }
}

// Under a real clock a wait that nobody ends keeps the run busy, and a time
// passes; with a simulated one neither does.
TEST_P(WithoutLocksConditionsTest, EachConditionAndBatchAndEnd) {
  for (const char* clock : {"", "clock { type: \"ManualClock\" } "}) {
    for (const std::string& condition : Conditions()) {
      for (const End end : kEnds) {
        const std::string where =
            absl::StrCat(clock, condition, ", end ", static_cast<int>(end));
        {
          WorkersGraph graph(GetParam());
          SYNCLINE_ASSERT_OK(graph.Initialize(LookingConfig(absl::StrCat(
              clock, kPool,
              "max_queue_size: 4 node { name: \"ends\" "
              "calculator: \"TokenPass\" input_stream: \"a\" input_stream: "
              "\"b\" output_stream: \"out\" ",
              condition,
              "} node { calculator: \"TokenPass\" input_stream: "
              "\"out\" output_stream: \"last\" }"))))
              << where;
          graph.SetGraphInputStreamAddMode(
              CalculatorGraph::GraphInputStreamAddMode::ADD_IF_NOT_FULL);
          RunToEnd(&graph, end, {}, [&](int i) {
            Poke(&graph, i);
          }).IgnoreError();
        }
        ExpectNobodyWasCaught(where, 20);
      }
    }
  }
}

TEST_P(WithoutLocksConditionsTest, EachConditionOfASource) {
  for (const std::string& condition :
       {Condition("Count", "count: 5"),
        Condition("Periodic", "recess_period: \"100us\""),
        Condition("DownstreamMessageAffordable", "min_size: 2"),
        Condition("MemoryAvailable", "allocator: \"pool\" min_blocks: 1"),
        Condition("Boolean", "on_false: STOP")}) {
    for (const End end : kEnds) {
      const std::string where =
          absl::StrCat(condition, ", end ", static_cast<int>(end));
      {
        WorkersGraph graph(GetParam());
        SYNCLINE_ASSERT_OK(graph.Initialize(LookingConfig(absl::StrCat(
            kPool,
            "max_queue_size: 3 node { name: \"source\" calculator: "
            "\"TokenPass\" output_stream: \"s\" ",
            condition,
            "} node { name: \"ends\" calculator: \"TokenPass\" input_stream: "
            "\"s\" input_stream: \"a\" output_stream: \"out\" }"))));
        graph.SetGraphInputStreamAddMode(
            CalculatorGraph::GraphInputStreamAddMode::ADD_IF_NOT_FULL);
        RunToEnd(&graph, end).IgnoreError();
      }
      ExpectNobodyWasCaught(where, 20);
    }
  }
}

}  // namespace
}  // namespace syncline
