// Which config comes out of the builder: names, tags, order, and all ways of
// putting sources and destinations together. Other fields of nodes and graphs
// are tested in builder_fields_test, mistakes in builder_errors_test, typed
// nodes in builder_typed_test.

#include "framework/api2/builder.h"

#include <string>
#include <type_traits>
#include <vector>

#include "framework/config/calculator.pb.h"
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

// A part of a graph can be written as a function of streams.
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

}  // namespace
}  // namespace builder
}  // namespace api2
}  // namespace syncline
