// What the builder writes for nodes, inputs and graphs besides the connections:
// back edges, options, executors, handlers and the other fields.

#include <string>
#include <utility>

#include "framework/api2/builder.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/fixed_size_input_stream_handler.pb.h"
#include "framework/config/node_chain_subgraph.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
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

TEST(BuilderTest, BackEdgesAreSaidByTagAndIndex) {
  Graph graph;
  auto& loop = graph.AddNode("Loop");
  auto& many = graph.AddNode("Many");
  graph.In("MAIN").SetName("main") >> loop.In("MAIN");
  Destination<> back = loop.In("LOOP").AsBackEdge();
  loop.Out("PREV").SetName("prev") >> many.In("X")[0];
  graph.In("MAIN") >> many.In("X")[1];
  graph.In("MAIN") >> many.In(0);
  many.Out("OUT").SetName("out") >> back >> many.In("X")[1 + 1].AsBackEdge() >>
      many.In(1).AsBackEdge();

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "MAIN:main"
                node {
                  calculator: "Loop"
                  input_stream: "LOOP:out"
                  input_stream: "MAIN:main"
                  input_stream_info { tag_index: "LOOP" back_edge: true }
                  output_stream: "PREV:prev"
                }
                node {
                  calculator: "Many"
                  input_stream: "main"
                  input_stream: "out"
                  input_stream: "X:0:prev"
                  input_stream: "X:1:main"
                  input_stream: "X:2:out"
                  input_stream_info { tag_index: ":1" back_edge: true }
                  input_stream_info { tag_index: "X:2" back_edge: true }
                  output_stream: "OUT:out"
                }
              )pb"));
}

TEST(BuilderTest, InputsMayBeIdleAfterAnother) {
  Graph graph;
  auto& join = graph.AddNode("Join");
  graph.In("CAMERA").SetName("camera") >> join.In("CAMERA");
  graph.In("IMU").SetName("imu") >>
      join.In("IMU").IdleAfter(join.In("CAMERA"), TimestampDiff(50));
  graph.In("LIDAR").SetName("lidar") >> join.In(0);
  graph.In("LIDAR") >>
      join.In("LOOP").AsBackEdge().IdleAfter(join.In(0), TimestampDiff(7));

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "CAMERA:camera"
                input_stream: "IMU:imu"
                input_stream: "LIDAR:lidar"
                node {
                  calculator: "Join"
                  input_stream: "lidar"
                  input_stream: "CAMERA:camera"
                  input_stream: "IMU:imu"
                  input_stream: "LOOP:lidar"
                  input_stream_info {
                    tag_index: "IMU"
                    idle_after { stream: "CAMERA" gap: 50 }
                  }
                  input_stream_info {
                    tag_index: "LOOP"
                    back_edge: true
                    idle_after { stream: ":0" gap: 7 }
                  }
                }
              )pb"));
}

TEST(BuilderTest, SaysWhatBecomesOfTimestampsThatGoBack) {
  Graph graph;
  Stream<int> numbers = graph.In("NUMBER").Cast<int>();
  graph.InputInfo(numbers).set_bad_timestamps(GraphInputInfo::REORDER);
  graph.InputInfo(graph.In("NUMBER")).set_reorder_window(20);
  graph.InputInfo(graph.In(1)).set_bad_timestamps(GraphInputInfo::DROP);
  graph.In(0).SetName("first") >> graph.Out(0);

  // The input info has the stream's name also if the stream gets its name
  // later.
  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "first"
                input_stream: "__stream_0"
                input_stream: "NUMBER:__stream_1"
                output_stream: "first"
                graph_input_info {
                  stream: "__stream_1"
                  bad_timestamps: REORDER
                  reorder_window: 20
                }
                graph_input_info { stream: "__stream_0" bad_timestamps: DROP }
              )pb"));
}

TEST(BuilderTest, OptionsGoWhereTheirTypeCanStand) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  foo.GetOptions<NodeChainSubgraphOptions>().set_chain_length(2);
  foo.GetOptions<ThreadPoolExecutorOptions>().set_num_threads(3);
  foo.GetOptions<NodeChainSubgraphOptions>().set_node_type("N");
  foo.GetOptions<ThreadPoolExecutorOptions>().set_stack_size(4);
  graph.GetOptions<ThreadPoolExecutorOptions>().set_num_threads(5);
  graph.GetOptions<NodeChainSubgraphOptions>().set_chain_length(6);

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                node {
                  calculator: "Foo"
                  options {
                    [syncline.NodeChainSubgraphOptions.ext] {
                      chain_length: 2
                      node_type: "N"
                    }
                  }
                  node_options {
                    [type.googleapis.com/syncline.ThreadPoolExecutorOptions] {
                      num_threads: 3
                      stack_size: 4
                    }
                  }
                }
                options {
                  [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 5 }
                }
                graph_options {
                  [type.googleapis.com/syncline.NodeChainSubgraphOptions] {
                    chain_length: 6
                  }
                }
              )pb"));
}

TEST(BuilderTest, ExecutorsGetNamesThatNodesUse) {
  Graph graph;
  auto& pool = graph.AddExecutor("ThreadPoolExecutor");
  pool.GetOptions<ThreadPoolExecutorOptions>().set_num_threads(2);
  auto& other = graph.AddExecutor("ThreadPoolExecutor");
  auto& given = graph.AddExecutor().SetName("gpu_thread");
  auto& standard = graph.AddExecutor("ApplicationThreadExecutor").SetName("");
  graph.AddNode("A").SetExecutor(other);
  graph.AddNode("B").SetExecutor(pool);
  graph.AddNode("C").SetExecutor(given);
  graph.AddNode("D").SetExecutor(standard);

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                executor {
                  name: "_b_executor_0"
                  type: "ThreadPoolExecutor"
                  options {
                    [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 2 }
                  }
                }
                executor { name: "_b_executor_1" type: "ThreadPoolExecutor" }
                executor { name: "gpu_thread" }
                executor { type: "ApplicationThreadExecutor" }
                node { calculator: "A" executor: "_b_executor_1" }
                node { calculator: "B" executor: "_b_executor_0" }
                node { calculator: "C" executor: "gpu_thread" }
                node { calculator: "D" }
              )pb"));
}

TEST(BuilderTest, StreamHandlersHaveOptions) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  auto& handler = foo.SetInputStreamHandler("FixedSizeInputStreamHandler");
  handler.GetOptions<FixedSizeInputStreamHandlerOptions>()
      .set_target_queue_size(2);
  handler.GetOptions<FixedSizeInputStreamHandlerOptions>()
      .set_trigger_queue_size(3);
  foo.SetOutputStreamHandler("InOrderOutputStreamHandler")
      .GetOptions<ThreadPoolExecutorOptions>()
      .set_num_threads(1);
  graph.SetInputStreamHandler("ImmediateInputStreamHandler");

  EXPECT_THAT(
      graph.GetConfig(), IsConfig(R"pb(
        input_stream_handler {
          input_stream_handler: "ImmediateInputStreamHandler"
        }
        node {
          calculator: "Foo"
          input_stream_handler {
            input_stream_handler: "FixedSizeInputStreamHandler"
            options {
              [syncline.FixedSizeInputStreamHandlerOptions.ext] {
                target_queue_size: 2
                trigger_queue_size: 3
              }
            }
          }
          output_stream_handler {
            output_stream_handler: "InOrderOutputStreamHandler"
            options {
              [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 1 }
            }
          }
        }
      )pb"));
}

TEST(BuilderTest, NodesAndGraphsHaveTheirOtherFields) {
  Graph graph;
  graph.SetType("MyGraph");
  graph.SetMaxQueueSize(7);
  graph.SetReportDeadlock(true);
  auto& foo = graph.AddNode("Foo");
  foo.SetName("foo");
  foo.SetSourceLayer(1);
  foo.SetMaxInFlight(2);
  foo.SetBufferSizeHint(3);
  foo.AddOptionValue("a:options/b");

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                type: "MyGraph"
                max_queue_size: 7
                report_deadlock: true
                node {
                  name: "foo"
                  calculator: "Foo"
                  source_layer: 1
                  max_in_flight: 2
                  buffer_size_hint: 3
                  option_value: "a:options/b"
                }
              )pb"));
}

TEST(BuilderTest, PacketGeneratorsMakeSidePackets) {
  Graph graph;
  auto& generator = graph.AddPacketGenerator("FloatGenerator");
  graph.SideIn("IN").SetName("in") >> generator.SideIn("IN");
  graph.SideIn("IN") >> generator.SideIn(0);
  auto& foo = graph.AddNode("Foo");
  generator.SideOut("OUT") >> foo.SideIn("LIMIT");
  generator.SideOut(0).SetName("out") >> graph.SideOut("OUT");

  EXPECT_THAT(
      graph.GetConfig(), IsConfig(R"pb(
        input_side_packet: "IN:in"
        output_side_packet: "OUT:out"
        packet_generator {
          packet_generator: "FloatGenerator"
          input_side_packet: "in"
          input_side_packet: "IN:in"
          output_side_packet: "out"
          output_side_packet: "OUT:__side_packet_0"
        }
        node { calculator: "Foo" input_side_packet: "LIMIT:__side_packet_0" }
      )pb"));
}

struct Built {
  Graph graph;
  Stream<> out;
};

Built BuildAndMove() {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  graph.In("IN").SetName("in") >> foo.In("IN");
  Stream<> out = foo.Out("OUT");
  return {std::move(graph), out};
}

TEST(BuilderTest, AGraphThatWasMovedKeepsItsNodesAndHandles) {
  Built built = BuildAndMove();
  built.out.SetName("out") >> built.graph.Out("OUT");
  EXPECT_THAT(built.graph.GetConfig(), IsConfig(R"pb(
                input_stream: "IN:in"
                output_stream: "OUT:out"
                node {
                  calculator: "Foo"
                  input_stream: "IN:in"
                  output_stream: "OUT:out"
                }
              )pb"));
}

}  // namespace
}  // namespace builder
}  // namespace api2
}  // namespace syncline
