// Which config comes out of the builder: names, tags, order, options, and all
// ways of putting sources and destinations together. Mistakes are in
// builder_errors_test, typed nodes in builder_typed_test.

#include "framework/api2/builder.h"

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

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

TEST(BuilderTest, NamesThatWereGivenStandInTheConfig) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  auto& bar = graph.AddNode("Bar");
  graph.In("IN").SetName("base") >> foo.In("BASE");
  graph.SideIn("SIDE").SetName("side") >> foo.SideIn("SIDE");
  foo.Out("OUT").SetName("between") >> bar.In("IN");
  foo.SideOut("LIMIT").SetName("limit") >> bar.SideIn("LIMIT");
  bar.Out("OUT").SetName("out") >> graph.Out("OUT");
  bar.SideOut("COUNT").SetName("count") >> graph.SideOut("COUNT");

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "IN:base"
                input_side_packet: "SIDE:side"
                output_stream: "OUT:out"
                output_side_packet: "COUNT:count"
                node {
                  calculator: "Foo"
                  input_stream: "BASE:base"
                  input_side_packet: "SIDE:side"
                  output_stream: "OUT:between"
                  output_side_packet: "LIMIT:limit"
                }
                node {
                  calculator: "Bar"
                  input_stream: "IN:between"
                  input_side_packet: "LIMIT:limit"
                  output_stream: "OUT:out"
                  output_side_packet: "COUNT:count"
                }
              )pb"));
}

TEST(BuilderTest, OneCounterNamesTheGraphsInputsAndThenEachNodesOutputs) {
  Graph graph;
  auto& second = graph.AddNode("First");
  auto& first = graph.AddNode("Second");
  graph.In("B") >> first.In("X");
  graph.SideIn("P") >> first.SideIn("X");
  graph.In("A") >> first.In("Y");
  first.Out("Z") >> second.In("X");
  first.SideOut("S") >> second.SideIn("S");
  first.Out("Y") >> second.In("Y");
  second.Out("OUT") >> graph.Out("OUT");

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "A:__stream_0"
                input_stream: "B:__stream_1"
                input_side_packet: "P:__side_packet_2"
                output_stream: "OUT:__stream_3"
                node {
                  calculator: "First"
                  input_stream: "X:__stream_5"
                  input_stream: "Y:__stream_4"
                  input_side_packet: "S:__side_packet_6"
                  output_stream: "OUT:__stream_3"
                }
                node {
                  calculator: "Second"
                  input_stream: "X:__stream_1"
                  input_stream: "Y:__stream_0"
                  input_side_packet: "X:__side_packet_2"
                  output_stream: "Y:__stream_4"
                  output_stream: "Z:__stream_5"
                  output_side_packet: "S:__side_packet_6"
                }
              )pb"));
}

TEST(BuilderTest, ANameThatSomebodyGaveIsNotMadeUpAgain) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  graph.In("A") >> foo.In("A");
  foo.Out("B").SetName("__stream_0");

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "A:__stream_1"
                node {
                  calculator: "Foo"
                  input_stream: "A:__stream_1"
                  output_stream: "B:__stream_0"
                }
              )pb"));
}

TEST(BuilderTest, SourcesKnowTheirNames) {
  Graph graph;
  Stream<> in = graph.In("IN");
  Stream<> named = graph.In("NAMED").SetName("named");
  EXPECT_EQ(in.Name(), "");
  EXPECT_EQ(named.Name(), "named");
  EXPECT_EQ(graph.In("NAMED").Name(), "named");
  graph.GetConfig();
  EXPECT_EQ(in.Name(), "__stream_0");
  EXPECT_EQ(named.Name(), "named");
}

TEST(BuilderTest, AGraphMayGrowAfterItsConfigWasAskedFor) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  graph.In("A") >> foo.In("A");
  graph.GetConfig();
  graph.In("B") >> foo.In("B");

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "A:__stream_0"
                input_stream: "B:__stream_1"
                node {
                  calculator: "Foo"
                  input_stream: "A:__stream_0"
                  input_stream: "B:__stream_1"
                }
              )pb"));
}

TEST(BuilderTest, SeveralOfATagHaveIndexesAndASingleOneHasNone) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  graph.In("A")[1].SetName("a1") >> foo.In("X")[0];
  graph.In("A")[0].SetName("a0") >> foo.In("X")[1];
  foo.Out("Y")[0].SetName("y") >> graph.Out("Y");
  graph.SideIn("S")[1].SetName("s1") >> foo.SideIn("S")[0];
  graph.SideIn("S").SetName("s0");

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "A:0:a0"
                input_stream: "A:1:a1"
                input_side_packet: "S:0:s0"
                input_side_packet: "S:1:s1"
                output_stream: "Y:y"
                node {
                  calculator: "Foo"
                  input_stream: "X:0:a1"
                  input_stream: "X:1:a0"
                  input_side_packet: "S:s1"
                  output_stream: "Y:y"
                }
              )pb"));
}

TEST(BuilderTest, PortsWithoutATagGoByPosition) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  graph.In(0).SetName("a") >> foo.In(1);
  graph.In("")[1].SetName("b") >> foo.In("")[0];
  graph.SideIn(0).SetName("s") >> foo.SideIn(0);
  foo.Out(0).SetName("x") >> graph.Out(1);
  foo.Out(1).SetName("y") >> graph.Out(0);
  foo.SideOut(0).SetName("t") >> graph.SideOut(0);

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "a"
                input_stream: "b"
                input_side_packet: "s"
                output_stream: "y"
                output_stream: "x"
                output_side_packet: "t"
                node {
                  calculator: "Foo"
                  input_stream: "b"
                  input_stream: "a"
                  input_side_packet: "s"
                  output_stream: "x"
                  output_stream: "y"
                  output_side_packet: "t"
                }
              )pb"));
}

TEST(BuilderTest, TagsMayBeAnyKindOfText) {
  const char kChars[] = "A";
  const std::string kString = "B";
  constexpr absl::string_view kView = "C";
  Graph graph;
  auto& foo = graph.AddNode(kString);
  graph.In(kChars).SetName(kView) >> foo.In(kView);
  foo.Out(kString).SetName(std::string("b")) >> graph.Out(kChars);

  EXPECT_THAT(
      graph.GetConfig(), IsConfig(R"pb(
        input_stream: "A:C"
        output_stream: "A:b"
        node { calculator: "B" input_stream: "C:C" output_stream: "B:b" }
      )pb"));
}

TEST(BuilderTest, ASourceFeedsAnyNumberOfDestinations) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  auto& bar = graph.AddNode("Bar");
  Stream<> in = graph.In("IN").SetName("in");
  in >> foo.In("A") >> foo.In("B") >> bar.In("A");
  in.ConnectTo(bar.In("B")).ConnectTo(graph.Out("SAME"));

  EXPECT_THAT(
      graph.GetConfig(), IsConfig(R"pb(
        input_stream: "IN:in"
        output_stream: "SAME:in"
        node { calculator: "Foo" input_stream: "A:in" input_stream: "B:in" }
        node { calculator: "Bar" input_stream: "A:in" input_stream: "B:in" }
      )pb"));
}

TEST(BuilderTest, ConnectingTheSameSourceAgainChangesNothing) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  graph.In("IN").SetName("in") >> foo.In("A") >> foo.In("A");

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "IN:in"
                node { calculator: "Foo" input_stream: "A:in" }
              )pb"));
}

// Parts of a graph are functions of streams.
Stream<int> AddFoo(Stream<> base, SidePacket<float> side, Graph& graph) {
  auto& foo = graph.AddNode("Foo");
  base >> foo.In("BASE");
  side >> foo.SideIn("SIDE");
  return foo.Out("OUT")[0].Cast<int>();
}

TEST(BuilderTest, HandlesAreCopiedAndPassedOn) {
  Graph graph;
  Stream<double> in = graph.In("IN").SetName("in").Cast<double>();
  SidePacket<float> side = graph.SideIn("SIDE").SetName("side").Cast<float>();
  Stream<int> first = AddFoo(in, side, graph).SetName("first");
  Stream<int> second = first;
  second = AddFoo(first, side, graph).SetName("second");
  std::vector<Stream<int>> streams = {first, second};
  std::swap(streams[0], streams[1]);
  streams[0] >> graph.Out("OUT");

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "IN:in"
                input_side_packet: "SIDE:side"
                output_stream: "OUT:second"
                node {
                  calculator: "Foo"
                  input_stream: "BASE:in"
                  input_side_packet: "SIDE:side"
                  output_stream: "OUT:first"
                }
                node {
                  calculator: "Foo"
                  input_stream: "BASE:first"
                  input_side_packet: "SIDE:side"
                  output_stream: "OUT:second"
                }
              )pb"));
}

TEST(BuilderTest, SourcesAreEqualIfTheyAreTheSameOutput) {
  Graph graph;
  auto& foo = graph.AddNode("Foo");
  Stream<> a = foo.Out("A");
  EXPECT_TRUE(a == foo.Out("A")[0]);
  EXPECT_TRUE(a == a.Cast<int>());
  EXPECT_TRUE(a != foo.Out("A")[1]);
  EXPECT_FALSE(a == foo.Out("B"));
  SidePacket<> s = foo.SideOut("A");
  EXPECT_TRUE(s == foo.SideOut("A"));
}

TEST(BuilderTest, AMultiPortStandsForItsFirstEntry) {
  Graph graph;
  MultiSource<> in = graph.In("IN");
  Stream<> first = in;
  EXPECT_TRUE(first == in[0]);
  MultiSource<int> ints = in.Cast<int>();
  EXPECT_TRUE(ints[1] == in[1]);
  Stream<int> first_int = ints;
  EXPECT_TRUE(first_int == in[0]);
  MultiSource<> back = ints;
  EXPECT_TRUE(back[1] == in[1]);

  auto& foo = graph.AddNode("Foo");
  MultiDestination<int> destinations = foo.In("X").Cast<int>();
  first_int >> destinations;
  ints[1] >> destinations[1];
  MultiSideSource<float> sides = graph.SideIn("S").Cast<float>();
  MultiSideDestination<float> side_destinations = foo.SideIn("S").Cast<float>();
  sides[0] >> side_destinations[0];
  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "IN:0:__stream_0"
                input_stream: "IN:1:__stream_1"
                input_side_packet: "S:__side_packet_2"
                node {
                  calculator: "Foo"
                  input_stream: "X:0:__stream_0"
                  input_stream: "X:1:__stream_1"
                  input_side_packet: "S:__side_packet_2"
                }
              )pb"));
}

template <typename From, typename To>
inline constexpr bool kConnects = builder_internal::Fits<From, To>::value;

TEST(BuilderTest, TypesThatCannotFitAreRefusedByTheCompiler) {
  static_assert(kConnects<int, int>);
  static_assert(kConnects<int, AnyType>);
  static_assert(kConnects<AnyType, int>);
  static_assert(!kConnects<int, float>);
  static_assert(kConnects<int, OneOf<float, int>>);
  static_assert(!kConnects<int, OneOf<float, double>>);
  static_assert(kConnects<OneOf<float, int>, int>);
  static_assert(kConnects<OneOf<float, int>, OneOf<int, char>>);
  static_assert(!kConnects<OneOf<float, int>, OneOf<double, char>>);
  static_assert(std::is_convertible_v<Stream<int>, Stream<>>);
  static_assert(!std::is_convertible_v<Stream<>, Stream<int>>);
  static_assert(!std::is_convertible_v<Stream<int>, Stream<float>>);
  static_assert(!std::is_convertible_v<SidePacket<int>, Stream<int>>);
  static_assert(std::is_convertible_v<SidePacket<int>, SidePacket<>>);
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

  // Streams that get their names later have them here too.
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
