// Calculators that use the time use the clock of the graph: with a simulated
// clock they see its times, and a minute passes at once.

#include "framework/graph_clock.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/substitute.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "calculators/util/latency.pb.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

// A source whose packets contain the time of the clock, in microseconds.
class TickOfClockCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(0).At(Timestamp(cc->Clock()->NowNs() / 1000)));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(TickOfClockCalculator);

// Accepts packets, and never reports that it has finished one.
class NeverDoneCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(NeverDoneCalculator);

// A graph with a simulated clock, and `count` ticks that are `period` apart.
std::string Ticks(const std::string& period, int count) {
  return absl::Substitute(
      R"(clock { type: "ManualClock" }
         node { calculator: "TickOfClockCalculator" output_stream: "ticks"
                condition { type: "PeriodicCondition" options {
                  [syncline.PeriodicConditionOptions.ext] {
                    recess_period: "$0" } } }
                condition { type: "CountCondition" options {
                  [syncline.CountConditionOptions.ext] { count: $1 } } } } )",
      period, count);
}

// The packets of "out".
std::vector<Packet> PacketsOf(const std::string& text) {
  std::vector<Packet> packets;
  CalculatorGraph graph;
  SYNCLINE_EXPECT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(text)));
  SYNCLINE_EXPECT_OK(
      graph.ObserveOutputStream("out", [&](const Packet& packet) {
        packets.push_back(packet);
        return absl::OkStatus();
      }));
  SYNCLINE_EXPECT_OK(graph.Run());
  return packets;
}

std::vector<std::int64_t> Times(const std::vector<Packet>& packets) {
  std::vector<std::int64_t> times;
  for (const Packet& packet : packets) {
    times.push_back(packet.Timestamp().Value());
  }
  return times;
}

TEST(GraphClockTest, AFlowLimiterGivesAFrameUpAfterItsTimeInTheGraph) {
  const std::vector<Packet> packets = PacketsOf(Ticks("10ms", 6) + R"(
    node {
      calculator: "FlowLimiterCalculator"
      input_stream: "ticks"
      input_stream: "FINISHED:finished"
      input_stream_info { tag_index: "FINISHED" back_edge: true }
      output_stream: "out"
      options { [syncline.FlowLimiterCalculatorOptions.ext] {
        in_flight_timeout: 25000 } }
    }
    node { calculator: "NeverDoneCalculator"
           input_stream: "out" output_stream: "finished" })");
  EXPECT_THAT(Times(packets), ElementsAre(0, 30000));
}

TEST(GraphClockTest, APlayerMovesASimulatedClock) {
  const absl::Time start = absl::Now();
  const std::vector<Packet> packets = PacketsOf(Ticks("20s", 3) + R"(
    node { calculator: "PacedPlayerCalculator"
           input_stream: "ticks" output_stream: "played"
           options { [syncline.PacedPlayerCalculatorOptions.ext] {
             speed: 0.5 max_gap_us: 60000000 } } }
    node { calculator: "ClockTimestampCalculator"
           input_stream: "played" output_stream: "out" })");
  ASSERT_EQ(packets.size(), 3);
  EXPECT_EQ(packets[0].Get<absl::Time>(), absl::UnixEpoch());
  EXPECT_EQ(packets[1].Get<absl::Time>(),
            absl::UnixEpoch() + absl::Seconds(40));
  EXPECT_LT(absl::Now() - start, absl::Seconds(30));
}

TEST(GraphClockTest, LatencyIsThatOfTheGraphsTime) {
  std::vector<std::int64_t> latencies;
  for (const Packet& packet : PacketsOf(Ticks("10ms", 3) + R"(
         node { calculator: "PacketLatencyCalculator"
                input_stream: "ticks" input_stream: "REFERENCE_SIGNAL:ticks"
                output_stream: "out" })")) {
    latencies.push_back(packet.Get<PacketLatency>().current_latency_usec());
  }
  EXPECT_FALSE(latencies.empty());
  EXPECT_THAT(latencies, Each(0));
}

}  // namespace
}  // namespace syncline
