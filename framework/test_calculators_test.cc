// The calculators and services that ported tests put into their graphs do what
// their comments say.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/formats/matrix.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/test_calculators.pb.h"
#include "framework/test_service.h"
#include "framework/tool/simulation_clock_executor.h"
#include "framework/tool/sink.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Feeds ints into "in" of a graph and returns the packets of "out".
absl::StatusOr<std::vector<Packet>> RunGraph(
    const std::string& nodes, const std::vector<Packet>& packets,
    const std::map<std::string, Packet>& side_packets = {},
    CalculatorGraph* given = nullptr) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(nodes);
  std::vector<Packet> out;
  tool::AddVectorSink("out", &config, &out);
  CalculatorGraph own;
  CalculatorGraph& graph = given == nullptr ? own : *given;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(config));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun(side_packets));
  for (const Packet& packet : packets) {
    SYNCLINE_RETURN_IF_ERROR(graph.AddPacketToInputStream("in", packet));
  }
  SYNCLINE_RETURN_IF_ERROR(graph.CloseAllInputStreams());
  SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
  return out;
}

// A graph of one node between "in" and "out".
std::string Node(const std::string& calculator, const std::string& rest = "") {
  return absl::StrCat("input_stream: 'in' node { calculator: '", calculator,
                      "' input_stream: 'in' output_stream: 'out' ", rest, " }");
}

Packet Int(int value, int time) {
  return MakePacket<int>(value).At(Timestamp(time));
}

TEST(TestCalculatorsTest, NumbersAreDoubledAndMultiplied) {
  auto out = RunGraph(Node("DoubleIntCalculator"), {Int(3, 1), Int(4, 2)});
  SYNCLINE_ASSERT_OK(out.status());
  EXPECT_THAT(*out, StreamIs({{1, 6}, {2, 8}}));
  out = RunGraph(Node("MultiplyIntCalculator", "input_side_packet: 'factor'"),
                 {Int(3, 1)}, {{"factor", MakePacket<int>(5)}});
  SYNCLINE_ASSERT_OK(out.status());
  EXPECT_THAT(*out, StreamIs({{1, 15}}));
}

TEST(TestCalculatorsTest, MergeCalculatorIsAmongThem) {
  // The stream with twice the number has a packet whenever "in" has one, so it
  // is the second input that is never sent.
  auto out = RunGraph(
      R"pb(
        input_stream: "in"
        node {
          calculator: "DoubleIntCalculator"
          input_stream: "in"
          output_stream: "twice"
        }
        node {
          calculator: "MergeCalculator"
          input_stream: "twice"
          input_stream: "in"
          output_stream: "out"
        }
      )pb",
      {Int(3, 1), Int(4, 2)});
  SYNCLINE_ASSERT_OK(out.status());
  EXPECT_THAT(*out, StreamIs({{1, 6}, {2, 8}}));
}

TEST(TestCalculatorsTest, GeneratorsSplitNumbersForTheSource) {
  // n is 8, in the high half; k is 2, in the low half. Of 1 to 8, the numbers
  // 2, 5 and 8 have remainder 2 when divided by 3.
  auto out = RunGraph(
      R"pb(
        packet_generator {
          packet_generator: "IntSplitterPacketGenerator"
          input_side_packet: "number"
          output_side_packet: "range"
        }
        packet_generator {
          packet_generator: "TaggedIntSplitterPacketGenerator"
          input_side_packet: "number"
          output_side_packet: "HIGH:high"
          output_side_packet: "LOW:low"
          output_side_packet: "PAIR:pair"
        }
        node {
          calculator: "RangeCalculator"
          input_side_packet: "range"
          output_stream: "numbers"
          output_stream: "sum"
          output_stream: "mean"
        }
        node {
          calculator: "StdDevCalculator"
          input_stream: "DATA:numbers"
          input_stream: "MEAN:mean"
          output_stream: "out"
        }
      )pb",
      {},
      {{"number", MakePacket<std::uint64_t>((std::uint64_t{8} << 32) | 2)}});
  SYNCLINE_ASSERT_OK(out.status());
  // 2, 5 and 8, times 2, are 4, 10 and 16: their mean is 10, their deviation
  // the root of 24.
  EXPECT_THAT(*out, StreamIs({{Timestamp::PostStream(), 5}}));
}

TEST(TestCalculatorsTest, RandomMatricesAreTheSameForTheSameSeed) {
  const auto run = [](const std::string& seed, const std::string& options) {
    return RunGraph(absl::StrCat(R"(node { calculator: "RandomMatrixCalculator"
            input_side_packet: "seed" output_stream: "matrices"
            options { [mediapipe.RandomMatrixCalculatorOptions.ext] {)",
                                 options, R"(} } }
          node { calculator: "MeanAndCovarianceCalculator"
            input_stream: "matrices" output_stream: "out" })"),
                    {}, {{"seed", MakePacket<std::string>(seed)}});
  };
  const std::string options =
      "rows: 3 cols: 4 start_timestamp: 10 limit_timestamp: 50 "
      "timestamp_step: 10";
  const auto first = run("a", options);
  const auto again = run("a", options);
  const auto other = run("b", options);
  SYNCLINE_ASSERT_OK(first.status());
  SYNCLINE_ASSERT_OK(again.status());
  SYNCLINE_ASSERT_OK(other.status());
  using Matrices = std::pair<Matrix, Matrix>;
  const auto& [mean, covariance] = (*first)[0].Get<Matrices>();
  EXPECT_EQ(mean.rows(), 3);
  EXPECT_EQ(covariance.rows(), 3);
  EXPECT_EQ(covariance.cols(), 3);
  EXPECT_GT(covariance(0, 0), 0);
  EXPECT_EQ(mean, (*again)[0].Get<Matrices>().first);
  EXPECT_NE(mean, (*other)[0].Get<Matrices>().first);
  EXPECT_THAT(
      run("a", "rows: 3 cols: -1"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("rows and cols")));
}

TEST(TestCalculatorsTest, LambdasAreCalledWithStreamsOrTheContext) {
  using ProcessFunction = std::function<absl::Status(const InputStreamShardSet&,
                                                     OutputStreamShardSet*)>;
  using ContextFunction = std::function<absl::Status(CalculatorContext*)>;
  auto out = RunGraph(
      Node("LambdaCalculator", "input_side_packet: 'f'"), {Int(3, 1)},
      {{"f", MakePacket<ProcessFunction>([](const InputStreamShardSet& inputs,
                                            OutputStreamShardSet* outputs) {
          outputs->Index(0).AddPacket(inputs.Index(0).Value());
          return absl::OkStatus();
        })}});
  SYNCLINE_ASSERT_OK(out.status());
  EXPECT_THAT(*out, StreamIs({{1, 3}}));
  out = RunGraph(
      Node("LambdaCalculator",
           "input_side_packet: 'OPEN:f' input_side_packet: 'CLOSE:f'"),
      {Int(3, 1)}, {{"f", MakePacket<ContextFunction>([](CalculatorContext*) {
                       return absl::UnavailableError("no");
                     })}});
  EXPECT_THAT(out, StatusIs(absl::StatusCode::kUnavailable, HasSubstr("no")));
}

TEST(TestCalculatorsTest, PacketsAreForwardedSavedAndTimed) {
  auto out = RunGraph(
      Node("PassThroughWithSleepCalculator", "input_side_packet: 'us'"),
      {Int(3, 1)}, {{"us", MakePacket<int>(1)}});
  SYNCLINE_ASSERT_OK(out.status());
  EXPECT_THAT(*out, StreamIs({{1, 3}}));

  out = RunGraph(Node("ForwardNestedPacketOrEmitBoundUpdateCalculator"),
                 {MakePacket<Packet>(MakePacket<int>(7)).At(Timestamp(1)),
                  MakePacket<Packet>().At(Timestamp(2))});
  SYNCLINE_ASSERT_OK(out.status());
  EXPECT_THAT(*out, StreamIs({{1, 7}}));

  out = RunGraph(Node("TimestampBoundReceiverCalculator"), {Int(3, 1)});
  SYNCLINE_ASSERT_OK(out.status());
  ASSERT_FALSE(out->empty());
  EXPECT_THAT((*out)[0], PacketIs<Timestamp>(1, Timestamp(1)));

  out = RunGraph(Node("SaverCalculator"), {Int(3, 1), Int(4, 2)});
  SYNCLINE_ASSERT_OK(out.status());
  ASSERT_EQ(out->size(), 1);
  EXPECT_THAT((*out)[0].Get<std::vector<Packet>>(), StreamIs({{1, 3}, {2, 4}}));

  out =
      RunGraph(R"pb(
                 node {
                   calculator: "SidePacketToOutputPacketCalculator"
                   input_side_packet: "side"
                   output_stream: "out"
                 }
                 node { calculator: "DummyTestCalculator" input_stream: "out" }
               )pb",
               {}, {{"side", MakePacket<int>(9)}});
  SYNCLINE_ASSERT_OK(out.status());
  EXPECT_THAT(*out, StreamIs({{Timestamp::PostStream(), 9}}));
}

TEST(TestServiceTest, TheCalculatorAddsWhatItsServicesSay) {
  CalculatorGraph graph;
  auto object =
      std::make_shared<TestServiceObject>(TestServiceObject{{"delta", 5}});
  SYNCLINE_ASSERT_OK(graph.SetServiceObject(kTestService, object));
  SYNCLINE_ASSERT_OK(
      graph.SetServiceObject(kAnotherService, std::make_shared<int>(100)));
  auto out = RunGraph(Node("TestServiceCalculator"), {Int(3, 1)}, {}, &graph);
  SYNCLINE_ASSERT_OK(out.status());
  EXPECT_THAT(*out, StreamIs({{1, 108}}));
  EXPECT_EQ((*object)["count"], 1);

  out = RunGraph(Node("TestServiceCalculator"), {Int(3, 1)});
  SYNCLINE_ASSERT_OK(out.status());
  EXPECT_THAT(*out, StreamIs({{1, 3}}));
}

TEST(SimulationClockTest, AGraphRunsInSimulatedTime) {
  auto executor = std::make_shared<SimulationClockExecutor>(2);
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.SetExecutor("", executor));
  auto out = RunGraph(Node("DoubleIntCalculator"), {Int(3, 1)}, {}, &graph);
  SYNCLINE_ASSERT_OK(out.status());
  EXPECT_THAT(*out, StreamIs({{1, 6}}));
  std::shared_ptr<SimulationClock> clock = executor->GetClock();
  EXPECT_EQ(clock->TimeNow(), absl::UnixEpoch());
}

}  // namespace
}  // namespace syncline
