// Typed nodes in graphs that are built: the constants of a calculator name its
// ports, also next to generic nodes, and the graph can be run.

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/api2/builder.h"
#include "framework/api2/calculator_function.h"
#include "framework/api2/function_runner.h"
#include "framework/api2/node.h"
#include "framework/api2/packet.h"
#include "framework/api2/port.h"
#include "framework/calculator/context.h"
#include "framework/config/calculator.pb.h"
#include "framework/deps/message_matchers.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace api2 {
namespace builder {
namespace {

using ::testing::ElementsAre;

auto IsConfig(const std::string& text) {
  return EqualsProto(ParseTextProtoOrDie<CalculatorGraphConfig>(text));
}

// Adds a term, if there is one, and counts its calls.
class AddTerm : public NodeIntf {
 public:
  static constexpr Input<int> kIn{"IN"};
  static constexpr Input<int>::Optional kMore{"MORE"};
  static constexpr SideInput<int>::Optional kTerm{"TERM"};
  static constexpr Output<int> kOut{"OUT"};
  static constexpr SideOutput<std::string>::Optional kSign{"SIGN"};
  SYNCLINE_NODE_INTERFACE(AddTermCalculator, kIn, kMore, kTerm, kOut, kSign);
};

class AddTermImpl : public NodeImpl<AddTerm, AddTermImpl> {
 public:
  absl::Status Open(CalculatorContext* cc) override {
    kSign(cc).Set("+");
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    kOut(cc).Send(kIn(cc).GetOr(0) + kMore(cc).GetOr(0) + kTerm(cc).GetOr(0));
    return absl::OkStatus();
  }
};

class Swap : public NodeIntf {
 public:
  static constexpr SideInput<int> kSide{"SIDE"};
  static constexpr Input<int>::SideFallback kFallback{"FALLBACK"};
  static constexpr Output<int> kA{"A"};
  static constexpr Input<float> kIn{"IN"};
  static constexpr SideOutput<int> kIgnored{"IGNORED"};
  static constexpr Output<float> kB{"B"};
  SYNCLINE_NODE_INTERFACE(SwapCalculator, kSide, kFallback, kA, kIn, kIgnored,
                          kB, TimestampChange::Arbitrary());
};

class SumAll : public NodeIntf {
 public:
  static constexpr Input<int>::Multiple kIn{"IN"};
  static constexpr Output<int>::Multiple kOut{"OUT"};
  SYNCLINE_NODE_INTERFACE(SumAllCalculator, kIn, kOut);
};

class SumAllImpl : public NodeImpl<SumAll, SumAllImpl> {
 public:
  absl::Status Process(CalculatorContext* cc) override {
    int sum = 0;
    for (const auto& in : kIn(cc)) sum += in.GetOr(0);
    for (auto out : kOut(cc)) out.Send(sum);
    return absl::OkStatus();
  }
};

class Kinds : public NodeIntf {
 public:
  static constexpr Input<AnyType> kAny{"ANY"};
  static constexpr Output<SameType<kAny>> kSameAny{"SAME_ANY"};
  static constexpr Input<int>::Optional kInt{"INT"};
  static constexpr Output<SameType<kInt>> kSameInt{"SAME_INT"};
  static constexpr Output<SameType<kSameInt>> kSameAgain{"SAME_AGAIN"};
  static constexpr Input<OneOf<int, float>>::Optional kOneOf{"ONE_OF"};
  static constexpr Input<int>::SideFallback::Optional kFallback{"FALLBACK"};
  SYNCLINE_NODE_INTERFACE(KindsCalculator, kAny, kSameAny, kInt, kSameInt,
                          kSameAgain, kOneOf, kFallback);
};

TEST(BuilderTypedTest, ConstantsNamePortsWithTheirTypes) {
  Graph graph;
  auto& add = graph.AddNode<AddTerm>();
  Stream<int> in = graph[Input<int>("NUMBER")].SetName("number");
  SidePacket<int> term = graph[SideInput<int>("TERM")].SetName("term");
  in >> add[AddTerm::kIn];
  term >> add[AddTerm::kTerm];
  Stream<int> out = add[AddTerm::kOut].SetName("sum");
  SidePacket<std::string> sign = add[AddTerm::kSign];
  Destination<int> graph_out = graph[Output<int>("SUM")];
  out >> graph_out;
  sign.SetName("sign") >> graph[SideOutput<std::string>("SIGN")];

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "NUMBER:number"
                input_side_packet: "TERM:term"
                output_stream: "SUM:sum"
                output_side_packet: "SIGN:sign"
                node {
                  calculator: "AddTermCalculator"
                  input_stream: "IN:number"
                  input_side_packet: "TERM:term"
                  output_stream: "OUT:sum"
                  output_side_packet: "SIGN:sign"
                }
              )pb"));
}

// In(), Out() and so on take tags, constants of tags and constants of ports.
TEST(BuilderTypedTest, PortsAreAskedForByConstantsOfTagsAndOfPorts) {
  constexpr auto kNumber = MPP_TAG("NUMBER");
  constexpr auto kIn = MPP_TAG("IN");
  Graph graph;
  auto& typed = graph.AddNode<AddTerm>();
  auto& generic = graph.AddNode("AddTermCalculator");
  Stream<int> number = graph.In(Input<int>("NUMBER")).SetName("number");
  EXPECT_TRUE(number == graph.In(kNumber));
  SidePacket<int> term = graph.SideIn(SideInput<int>("TERM")).SetName("term");
  Destination<int> in = typed.In(AddTerm::kIn);
  number >> in;
  term >> typed.SideIn(AddTerm::kTerm);
  Stream<int> sum = typed.Out(AddTerm::kOut).SetName("sum");
  sum >> generic.In(kIn);
  generic.Out(MPP_TAG("OUT")).SetName("total") >>
      graph.Out(Output<AnyType>("SUM"));
  SidePacket<std::string> sign = typed.SideOut(AddTerm::kSign).SetName("sign");
  sign >> graph.SideOut(SideOutput<std::string>("SIGN"));

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "NUMBER:number"
                input_side_packet: "TERM:term"
                output_stream: "SUM:total"
                output_side_packet: "SIGN:sign"
                node {
                  calculator: "AddTermCalculator"
                  input_stream: "IN:number"
                  input_side_packet: "TERM:term"
                  output_stream: "OUT:sum"
                  output_side_packet: "SIGN:sign"
                }
                node {
                  calculator: "AddTermCalculator"
                  input_stream: "IN:sum"
                  output_stream: "OUT:total"
                }
              )pb"));
}

TEST(BuilderTypedTest, TypedAndGenericNodesGoTogether) {
  Graph graph;
  auto& typed = graph.AddNode<AddTerm>();
  auto& generic = graph.AddNode("AddTermCalculator");
  graph.In("IN").SetName("in") >> typed.In("IN") >> generic[AddTerm::kIn];
  typed.Out("OUT").SetName("a") >> generic[AddTerm::kMore];
  Stream<int> out = generic[AddTerm::kOut];
  out.SetName("b") >> graph.Out("OUT");

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "IN:in"
                output_stream: "OUT:b"
                node {
                  calculator: "AddTermCalculator"
                  input_stream: "IN:in"
                  output_stream: "OUT:a"
                }
                node {
                  calculator: "AddTermCalculator"
                  input_stream: "IN:in"
                  input_stream: "MORE:a"
                  output_stream: "OUT:b"
                }
              )pb"));
}

TEST(BuilderTypedTest, MultiplePortsAreTakenByIndex) {
  Graph graph;
  auto& sum = graph.AddNode<SumAll>();
  MultiSource<int> in = graph[Input<int>::Multiple("IN")];
  in[0].SetName("a") >> sum[SumAll::kIn][0];
  in[1].SetName("b") >> sum[SumAll::kIn][1];
  sum[SumAll::kOut].SetName("x") >> graph[Output<int>::Multiple("OUT")];
  sum[SumAll::kOut][1].SetName("y") >> graph[Output<int>::Multiple("OUT")][1];

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "IN:0:a"
                input_stream: "IN:1:b"
                output_stream: "OUT:0:x"
                output_stream: "OUT:1:y"
                node {
                  calculator: "SumAllCalculator"
                  input_stream: "IN:0:a"
                  input_stream: "IN:1:b"
                  output_stream: "OUT:0:x"
                  output_stream: "OUT:1:y"
                }
              )pb"));
}

TEST(BuilderTypedTest, PortsThatAreDeclaredByOthersHaveTheirTypes) {
  Graph graph;
  auto& kinds = graph.AddNode("KindsCalculator");
  static_assert(
      std::is_same_v<decltype(kinds[Kinds::kSameAny]), Stream<AnyType>>);
  static_assert(std::is_same_v<decltype(kinds[Kinds::kSameInt]), Stream<int>>);
  static_assert(
      std::is_same_v<decltype(kinds[Kinds::kSameAgain]), Stream<int>>);
  Stream<std::string> text = graph[Input<std::string>("TEXT")];
  Stream<float> number = graph.In("NUMBER").Cast<float>();
  text.SetName("text") >> kinds[Kinds::kAny];
  number.SetName("number") >> kinds[Kinds::kOneOf];
  Stream<double> cast = kinds[Kinds::kSameAny].SetName("same").Cast<double>();
  cast >> graph[Output<double>("OUT")];

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "NUMBER:number"
                input_stream: "TEXT:text"
                output_stream: "OUT:same"
                node {
                  calculator: "KindsCalculator"
                  input_stream: "ANY:text"
                  input_stream: "ONE_OF:number"
                  output_stream: "SAME_ANY:same"
                }
              )pb"));
}

TEST(BuilderTypedTest, AFallbackTakesAStreamOrASidePacket) {
  Graph graph;
  auto& by_stream = graph.AddNode<Kinds>();
  auto& by_side_packet = graph.AddNode<Kinds>();
  graph.In("IN").SetName("in") >> by_stream[Kinds::kFallback] >>
      by_stream[Kinds::kAny] >> by_side_packet[Kinds::kAny];
  graph.SideIn("SIDE").SetName("side").Cast<int>() >>
      by_side_packet[Kinds::kFallback];
  auto& third = graph.AddNode<Kinds>();
  Destination<int> destination = third[Kinds::kFallback];
  graph.In("IN") >> destination;

  EXPECT_THAT(
      graph.GetConfig(), IsConfig(R"pb(
        input_stream: "IN:in"
        input_side_packet: "SIDE:side"
        node {
          calculator: "KindsCalculator"
          input_stream: "ANY:in"
          input_stream: "FALLBACK:in"
        }
        node {
          calculator: "KindsCalculator"
          input_stream: "ANY:in"
          input_side_packet: "FALLBACK:side"
        }
        node { calculator: "KindsCalculator" input_stream: "FALLBACK:in" }
      )pb"));
}

TEST(BuilderTypedTest, PacketGeneratorsHaveTypedPortsToo) {
  Graph graph;
  auto& generator = graph.AddPacketGenerator("MakeTerm");
  graph[SideInput<int>("SEED")].SetName("seed") >>
      generator[SideInput<int>("SEED")];
  SidePacket<int> term = generator[SideOutput<int>("TERM")];
  term.SetName("term") >> graph[SideOutput<int>("TERM")];

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_side_packet: "SEED:seed"
                output_side_packet: "TERM:term"
                packet_generator {
                  packet_generator: "MakeTerm"
                  input_side_packet: "SEED:seed"
                  output_side_packet: "TERM:term"
                }
              )pb"));
}

TEST(BuilderTypedTest, ACalculatorIsAFunctionOfThePortsOfItsContract) {
  Graph graph;
  Stream<int> in = graph.In("INT").SetName("int").Cast<int>();
  Stream<float> number = graph.In("FLOAT").SetName("float").Cast<float>();
  SidePacket<int> side = graph.SideIn("SIDE").SetName("side").Cast<int>();
  auto [a, b] = AddCalculator<Swap>()(side, in, number, graph);
  static_assert(std::is_same_v<decltype(a), Stream<int>>);
  static_assert(std::is_same_v<decltype(b), Stream<float>>);
  a.SetName("a");
  b.SetName("b");

  EXPECT_THAT(graph.GetConfig(), IsConfig(R"pb(
                input_stream: "FLOAT:float"
                input_stream: "INT:int"
                input_side_packet: "SIDE:side"
                node {
                  calculator: "SwapCalculator"
                  input_stream: "FALLBACK:int"
                  input_stream: "IN:float"
                  input_side_packet: "SIDE:side"
                  output_stream: "A:a"
                  output_stream: "B:b"
                }
              )pb"));
}

TEST(BuilderTypedTest, ACalculatorIsCalledWithoutAGraphToBeSeen) {
  auto add = Runner::For(AddCalculator<AddTerm>()).Create(MakePacket<int>(100));
  SYNCLINE_ASSERT_OK(add.status());
  auto result = add->Run(MakePacket<int>(10), MakePacket<int>(1));
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_EQ(result->Get(), 111);
  result = add->Run(MakePacket<int>(10), Packet<int>());
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_EQ(result->Get(), 110);
}

// (in + term) + in, by a typed and a generic node.
CalculatorGraphConfig TwiceWithTerm() {
  Graph graph;
  Stream<int> in = graph[Input<int>("IN")].SetName("in");
  auto& add = graph.AddNode<AddTerm>();
  in >> add[AddTerm::kIn];
  graph[SideInput<int>("TERM")].SetName("term") >> add[AddTerm::kTerm];
  auto& sum = graph.AddNode("SumAllCalculator");
  in >> sum.In("IN")[0];
  add[AddTerm::kOut] >> sum.In("IN")[1];
  sum.Out("OUT").SetName("out") >> graph.Out("OUT");
  return graph.GetConfig();
}

class BuilderRunTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(BuilderRunTest);

TEST_P(BuilderRunTest, ABuiltGraphRuns) {
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(graph.Initialize(TwiceWithTerm()));
  std::vector<int> seen;
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream(
      "out", [&seen](const ::syncline::Packet& packet) {
        seen.push_back(packet.Get<int>());
        return absl::OkStatus();
      }));
  SYNCLINE_ASSERT_OK(
      graph.StartRun({{"term", ::syncline::MakePacket<int>(100)}}));
  for (int i = 0; i < 3; ++i) {
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "in", ::syncline::MakePacket<int>(i).At(Timestamp(i))));
  }
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  EXPECT_THAT(seen, ElementsAre(100, 102, 104));
}

}  // namespace
}  // namespace builder
}  // namespace api2
}  // namespace syncline
