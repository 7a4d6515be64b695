// Which calculators that are called for bounds, or by arrival, send the same
// packets in every schedule, and so are welcome in a graph with
// `deterministic: true`; and of those that are refused, that they do not.
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "calculators/core/begin_loop_calculator.h"
#include "calculators/core/end_loop_calculator.h"
#include "framework/calculator_framework.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/explore_schedules.h"
#include "testing/graph_harness.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using Packets = std::vector<Packet>;

// --- Contained nodes: what a switch has to wait for in different ways

// Sends x * 10 at the time of its input, and x * 10 + 1 three later; says
// nothing of the time in between.
class EchoWithoutOffset : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const int value = cc->Inputs().Index(0).Get<int>() * 10;
    for (int i = 0; i < 2; ++i) {
      cc->Outputs().Index(0).AddPacket(
          MakePacket<int>(value + i).At(cc->InputTimestamp() + 3 * i));
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(EchoWithoutOffset);

// The same with an offset.
class EchoWithOffset : public EchoWithoutOffset {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->SetTimestampOffset(TimestampDiff(0));
    return EchoWithoutOffset::GetContract(cc);
  }
};
REGISTER_CALCULATOR(EchoWithOffset);

// -x, five later.
class FiveLater : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetTimestampOffset(TimestampDiff(5));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(-cc->Inputs().Index(0).Get<int>())
            .At(cc->InputTimestamp() + 5));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(FiveLater);

// --- Graphs

std::string Switch(const std::string& options) {
  return absl::StrCat(R"(
    deterministic: true
    input_stream: "in"
    input_stream: "select"
    output_stream: "out"
    node {
      calculator: "SwitchContainer"
      input_stream: "SELECT:select"
      input_stream: "in"
      output_stream: "out"
      options {
        [syncline.SwitchContainerOptions.ext] {
          contained_node { calculator: "EchoWithoutOffset" }
          contained_node { calculator: "FiveLater" }
          contained_node { calculator: "EchoWithOffset" }
          )",
                      options, R"(
        }
      }
    })");
}

constexpr char kLoopback[] = R"pb(
  deterministic: true
  input_stream: "in"
  output_stream: "previous"
  node {
    calculator: "PreviousLoopbackCalculator"
    input_stream: "MAIN:in"
    input_stream: "LOOP:later"
    input_stream_info { tag_index: "LOOP" back_edge: true }
    output_stream: "PREV_LOOP:previous"
  }
  node {
    calculator: "EchoWithOffset"
    input_stream: "in"
    output_stream: "later"
  }
)pb";

// Not only packets: bounds come in other pieces in every schedule.
Packets WithBounds(int count, int step) {
  Packets packets;
  for (int i = 0; i < count; ++i) {
    const int time = step * i;
    packets.push_back(MakePacket<int>(i).At(Timestamp(time)));
    packets.push_back(Packet().At(Timestamp(time + step / 3)));
    packets.push_back(Packet().At(Timestamp(time + step / 2)));
  }
  return packets;
}

Packets Selections() {
  Packets packets;
  for (int i = 0; i < 12; ++i) {
    packets.push_back(MakePacket<int>(i * 7 % 3).At(Timestamp(i * 17)));
    packets.push_back(Packet().At(Timestamp(i * 17 + 4)));
  }
  return packets;
}

absl::Status Explored(const std::string& text, const ScheduleInputs& inputs,
                      ExploreOptions options = {}) {
  options.schedules = 400;
  return ExploreSchedules(ParseTextProtoOrDie<CalculatorGraphConfig>(text),
                          inputs, options);
}

// --- Independent

TEST(OrderIndependenceTest, ASwitchSendsTheSameInEverySchedule) {
  const ScheduleInputs inputs = {
      .streams = {{"in", WithBounds(20, 10)}, {"select", Selections()}}};
  for (const char* options :
       {"", "synchronize_io: true", "tick_input_stream: ':0'"}) {
    SYNCLINE_EXPECT_OK(Explored(Switch(options), inputs)) << options;
  }
}

TEST(OrderIndependenceTest, APreviousLoopSendsTheSameInEverySchedule) {
  SYNCLINE_EXPECT_OK(
      Explored(kLoopback, {.streams = {{"in", WithBounds(20, 10)}}}));
}

class SwitchThreadsTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(SwitchThreadsTest);

// All of what the selected node sent at its times.
TEST_P(SwitchThreadsTest, ASwitchSendsTheSameWithAnyNumberOfThreads) {
  GraphHarness graph(Switch(""), GetParam());
  graph.Feed("in", {{10, 1}, {20, 2}, {30, 3}, {40, 4}, {50, 5}, {60, 6}});
  graph.Feed("select", {{0, 0}, {24, 1}, {36, 2}, {42, 0}, {58, 1}});
  SYNCLINE_ASSERT_OK(graph.Run());
  graph.Expect("out", {{10, 10},
                       {13, 11},
                       {20, 20},
                       {23, 21},
                       {35, -3},
                       {40, 40},
                       {50, 50},
                       {53, 51},
                       {65, -6}});
}

// --- Dependent

// Inside a loop time counts the calls, those for bounds too.
using BeginLoopNumbersCalculator = BeginLoopCalculator<std::vector<int>>;
REGISTER_CALCULATOR(BeginLoopNumbersCalculator);
using EndLoopNumbersCalculator = EndLoopCalculator<std::vector<int>>;
REGISTER_CALCULATOR(EndLoopNumbersCalculator);

std::string Loop(const std::string& output) {
  return absl::StrCat(R"(
    input_stream: "in"
    output_stream: ")",
                      output, R"("
    node {
      calculator: "BeginLoopNumbersCalculator"
      input_stream: "ITERABLE:in"
      output_stream: "ITEM:item"
      output_stream: "BATCH_END:end"
    }
    node {
      calculator: "EndLoopNumbersCalculator"
      input_stream: "ITEM:item"
      input_stream: "BATCH_END:end"
      output_stream: "ITERABLE:collected"
    })");
}

constexpr char kPresence[] = R"pb(
  input_stream: "in"
  output_stream: "presence"
  node {
    calculator: "PacketPresenceCalculator"
    input_stream: "PACKET:in"
    output_stream: "PRESENCE:presence"
  }
)pb";

TEST(OrderIndependenceTest, TimeInsideALoopDependsOnTheSchedule) {
  ScheduleInputs inputs;
  for (int i = 0; i < 10; ++i) {
    Packets& in = inputs.streams["in"];
    in.push_back(MakePacket<std::vector<int>>(2, i).At(Timestamp(10 * i)));
    in.push_back(Packet().At(Timestamp(10 * i + 5)));
  }
  EXPECT_THAT(Explored(Loop("item"), inputs),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("of stream \"item\"")));
  // Outside it is not seen.
  SYNCLINE_EXPECT_OK(
      Explored(Loop("collected"), inputs, {.print = [](const Packet& packet) {
                 const auto& numbers = packet.Get<std::vector<int>>();
                 return absl::StrCat(numbers.size(), " of ", numbers.front());
               }}));
  EXPECT_THAT(GraphHarness("deterministic: true" + Loop("item")).Initialize(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("it is called for bounds")));
}

// By itself a cloner joins its inputs, and is independent. A handler that the
// graph gives it makes it take what is there.
TEST(OrderIndependenceTest, APromiseDoesNotHoldForAHandlerOfTheGraph) {
  const auto initialize = [](const char* handler) {
    return GraphHarness(absl::StrCat(R"(
      deterministic: true
      input_stream: "in"
      input_stream: "tick"
      node {
        calculator: "PacketClonerCalculator"
        input_stream: "in"
        input_stream: "TICK:tick"
        output_stream: "out"
        )",
                                     handler, "}"))
        .Initialize();
  };
  SYNCLINE_EXPECT_OK(initialize(""));
  EXPECT_THAT(initialize("input_stream_handler { input_stream_handler: "
                         "'ImmediateInputStreamHandler' }"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("depends on which packet comes first")));
  EXPECT_THAT(initialize(R"(input_stream_handler {
        input_stream_handler: 'SyncSetInputStreamHandler'
        options { [syncline.SyncSetInputStreamHandlerOptions.ext] {
          sync_set { tag_index: ':0' } sync_set { tag_index: 'TICK' } } } })"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("called in no fixed order")));
}

TEST(OrderIndependenceTest, HowOftenAPacketIsAbsentDependsOnTheSchedule) {
  EXPECT_THAT(Explored(kPresence, {.streams = {{"in", WithBounds(10, 10)}}}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("of stream \"presence\"")));
  EXPECT_THAT(
      GraphHarness(absl::StrCat("deterministic: true", kPresence)).Initialize(),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("it is called for bounds")));
}

}  // namespace
}  // namespace syncline
