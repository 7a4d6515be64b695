// Conditions, batches, fused nodes, queues, clocks, schedulers and allocators
// in the builder: the config is that of the text form.

#include "framework/api2/builder_parts.h"

#include <string>

#include "absl/time/time.h"
#include "framework/api2/builder.h"
#include "framework/config/block_memory_pool.pb.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/conditions.pb.h"
#include "framework/deps/message_matchers.h"
#include "framework/port/parse_text_proto.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace api2 {
namespace builder {
namespace {

// Matches a config in text form.
auto IsConfig(const std::string& text) {
  return EqualsProto(ParseTextProtoOrDie<CalculatorGraphConfig>(text));
}

TEST(BuilderPartsTest, NodesHaveConditionsByTypeWithNameAndOptions) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  foo.AddCondition("PeriodicCondition")
      .SetName("rhythm")
      .GetOptions<PeriodicConditionOptions>()
      .set_recess_period("10ms");
  Condition count = foo.AddCondition("CountCondition");
  count.GetOptions<CountConditionOptions>().set_count(5);
  foo.SetGxfDefaults(true);

  EXPECT_THAT(
      graph.GetConfig(), IsConfig(R"pb(
        node {
          calculator: "Foo"
          condition {
            name: "rhythm"
            type: "PeriodicCondition"
            options {
              [syncline.PeriodicConditionOptions.ext] { recess_period: "10ms" }
            }
          }
          condition {
            type: "CountCondition"
            options {
              [syncline.CountConditionOptions.ext] { count: 5 }
            }
          }
          gxf_defaults: true
        }
      )pb"));
}

TEST(BuilderPartsTest, GroupsOfConditionsAreNested) {
  Graph graph;
  ConditionGroup either = graph.AddNode("Foo").AddAnyOf();
  either.AddCondition("BooleanCondition").SetName("by_hand");
  ConditionGroup both = either.AddAllOf();
  both.AddCondition("TargetTimeCondition");
  both.AddAnyOf().AddCondition("AsynchronousCondition").SetName("event");

  EXPECT_THAT(
      graph.GetConfig(), IsConfig(R"pb(
        node {
          calculator: "Foo"
          any_of {
            condition { name: "by_hand" type: "BooleanCondition" }
            all_of {
              condition { type: "TargetTimeCondition" }
              any_of {
                condition { name: "event" type: "AsynchronousCondition" }
              }
            }
          }
        }
      )pb"));
}

TEST(BuilderPartsTest, NodesHaveBatchesAndLevelsAndMayStay) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  foo.SetBatch(8, absl::Milliseconds(5));
  foo.SetPersistent(true);
  foo.SetLogLevel("debug");
  graph.AddNode("Bar").SetBatch(3);

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                node {
                  calculator: "Foo"
                  batch { max_size: 8 max_delay_ns: 5000000 }
                  persistent: true
                  log_level: "debug"
                }
                node {
                  calculator: "Bar"
                  batch { max_size: 3 }
                }
              )pb"));
}

TEST(BuilderPartsTest, InputsHaveQueuesMergeAndKeepTimes) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  graph.In("A").SetName("a") >> foo.In("X").SetQueue(2, InputStreamInfo::POP);
  graph.In("A") >> foo.In("Y").SetQueue(7).WithMessageTimes();
  auto merged = foo.In("Z");
  graph.In("A") >> merged[0].Merge();
  graph.In("B").SetName("b") >> merged[1];

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "A:a"
                input_stream: "B:b"
                node {
                  calculator: "Foo"
                  input_stream: "X:a"
                  input_stream: "Y:a"
                  input_stream: "Z:0:a"
                  input_stream: "Z:1:b"
                  input_stream_info {
                    tag_index: "X"
                    max_queue_size: 2
                    queue_policy: POP
                  }
                  input_stream_info {
                    tag_index: "Y"
                    max_queue_size: 7
                    message_times: true
                  }
                  input_stream_info { tag_index: "Z" merge: true }
                }
              )pb"));
}

TEST(BuilderPartsTest, FusedNodesAreMadeOfNodes) {
  Graph graph;
  auto& fused = graph.AddFusedNode();
  fused.SetName("both");
  fused.SetMaxInFlight(2);
  auto& first = fused.AddNode("First");
  auto& second = fused.AddNode("Second");
  second.SetName("second");
  graph.In("IN").SetName("in") >> first.In("IN");
  first.Out("OUT") >> second.In("IN");
  second.Out("OUT").SetName("out") >> graph.Out("OUT");

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "IN:in"
                output_stream: "OUT:out"
                node {
                  name: "both"
                  max_in_flight: 2
                  fused_node {
                    calculator: "First"
                    input_stream: "IN:in"
                    output_stream: "OUT:__stream_0"
                  }
                  fused_node {
                    name: "second"
                    calculator: "Second"
                    input_stream: "IN:__stream_0"
                    output_stream: "OUT:out"
                  }
                }
              )pb"));
}

TEST(BuilderPartsTest, GraphsHaveClocksSchedulersAllocatorsAndLevels) {
  Graph graph;
  graph.SetClock("RealtimeClock").set_initial_time_scale(2);
  graph.SetScheduler("EventBasedScheduler").set_worker_thread_number(3);
  graph.AddAllocator("BlockMemoryPool")
      .SetName("frames")
      .GetOptions<BlockMemoryPoolOptions>()
      .set_num_blocks(4);
  graph.SetDeterministic(true);
  graph.SetLogLevel("warning");

  EXPECT_THAT(
      graph.GetConfig(), IsConfig(R"pb(
        clock { type: "RealtimeClock" initial_time_scale: 2 }
        scheduler { type: "EventBasedScheduler" worker_thread_number: 3 }
        allocator {
          name: "frames"
          type: "BlockMemoryPool"
          options {
            [syncline.BlockMemoryPoolOptions.ext] { num_blocks: 4 }
          }
        }
        deterministic: true
        log_level: "warning"
      )pb"));
}

}  // namespace
}  // namespace builder
}  // namespace api2
}  // namespace syncline
