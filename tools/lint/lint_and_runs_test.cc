// What the lint finds does stand still in a run, and the same graph with the
// remedy neither has the finding nor stands still.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/lint/lint_test_support.h"
#include "tools/lint/rules.h"

namespace syncline {

// Sends only odd numbers on. Without a promise it is silent for even ones.
class SilentOddCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const Packet& packet = cc->Inputs().Index(0).Value();
    if (packet.Get<int>() % 2 != 0) cc->Outputs().Index(0).AddPacket(packet);
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(SilentOddCalculator);

class PromisingOddCalculator : public SilentOddCalculator {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->SetTimestampOffset(TimestampDiff(0));
    return SilentOddCalculator::GetContract(cc);
  }
};
REGISTER_CALCULATOR(PromisingOddCalculator);

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct RunOutcome {
  // Packets of "out" before "in" was closed.
  std::vector<int> out;
  // How the run ended.
  absl::Status status;
};

// Gives the numbers to "in", each when nothing else can happen.
RunOutcome RunWith(const std::string& text, const std::vector<int>& numbers) {
  RunOutcome outcome;
  std::vector<int> out;
  CalculatorGraph graph;
  SYNCLINE_EXPECT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(text)));
  SYNCLINE_EXPECT_OK(
      graph.ObserveOutputStream("out", [&out](const Packet& packet) {
        out.push_back(packet.Get<int>());
        return absl::OkStatus();
      }));
  SYNCLINE_EXPECT_OK(graph.StartRun({}));
  std::int64_t time = 0;
  for (const int number : numbers) {
    // A run that has ended takes no more packets; its status says why.
    if (!graph
             .AddPacketToInputStream(
                 "in", MakePacket<int>(number).At(Timestamp(time++)))
             .ok() ||
        !graph.WaitUntilIdle().ok()) {
      break;
    }
  }
  outcome.out = out;
  graph.CloseAllInputStreams().IgnoreError();
  outcome.status = graph.WaitUntilDone();
  return outcome;
}

std::string OddJoin(absl::string_view odd) {
  return absl::StrCat(R"(input_stream: "in" output_stream: "out"
    node { calculator: ")",
                      odd, R"(" input_stream: "in" output_stream: "odd" }
    node { calculator: "PassThroughCalculator"
           input_stream: "in" input_stream: "odd"
           output_stream: "out" output_stream: "odd_out" })");
}

TEST(LintAndRunsTest, AnUnsettledJoinWaits) {
  const std::string silent = OddJoin("SilentOddCalculator");
  EXPECT_THAT(FoundBy(kUnsettledJoin, silent), SizeIs(1));
  EXPECT_THAT(RunWith(silent, {0, 2, 4}).out, IsEmpty());

  const std::string promising = OddJoin("PromisingOddCalculator");
  EXPECT_THAT(LintTextOf(promising), IsEmpty());
  EXPECT_THAT(RunWith(promising, {0, 2, 4}).out, ElementsAre(0, 2, 4));
}

std::string OddLoop(absl::string_view odd) {
  return absl::StrCat(R"(input_stream: "in" output_stream: "out"
    node { calculator: "FlowLimiterCalculator" input_stream: "in"
           input_stream: "FINISHED:odd"
           input_stream_info { tag_index: "FINISHED" back_edge: true }
           output_stream: "out" }
    node { calculator: ")",
                      odd, R"(" input_stream: "out" output_stream: "odd" })");
}

TEST(LintAndRunsTest, AnUnsettledLoopLetsOneFrameThrough) {
  const std::string silent = OddLoop("SilentOddCalculator");
  EXPECT_THAT(FoundBy(kUnsettledLoop, silent), SizeIs(1));
  EXPECT_THAT(RunWith(silent, {0, 2, 4}).out, ElementsAre(0));

  const std::string promising = OddLoop("PromisingOddCalculator");
  EXPECT_THAT(LintTextOf(promising), IsEmpty());
  EXPECT_THAT(RunWith(promising, {0, 2, 4}).out, ElementsAre(0, 2, 4));
}

std::string PassingLoop(absl::string_view handler) {
  return absl::StrCat(R"(input_stream: "in" output_stream: "out"
    node { calculator: "PassThroughCalculator"
           input_stream: "in" input_stream: "loop"
           input_stream_info { tag_index: ":1" back_edge: true }
           output_stream: "out" output_stream: "loop"
           input_stream_handler { input_stream_handler: ")",
                      handler, R"(" } })");
}

TEST(LintAndRunsTest, ALoopWithoutAStartLeavesItsPackets) {
  const std::string waiting = PassingLoop("DefaultInputStreamHandler");
  EXPECT_THAT(FoundBy(kBackEdgeWithoutStart, waiting), SizeIs(1));
  const RunOutcome outcome = RunWith(waiting, {0, 1});
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_TRUE(absl::IsUnavailable(outcome.status)) << outcome.status;

  const std::string going = PassingLoop("ImmediateInputStreamHandler");
  EXPECT_THAT(LintTextOf(going), IsEmpty());
  EXPECT_THAT(RunWith(going, {0, 1}).out, ElementsAre(0, 1));
}

std::string BatchJoin(int max_queue_size) {
  return absl::StrCat("max_queue_size: ", max_queue_size, R"(
    report_deadlock: true
    input_stream: "in" output_stream: "out"
    node { calculator: "PassThroughCalculator" input_stream: "in"
           output_stream: "packed" batch { max_size: 4 } }
    node { calculator: "PassThroughCalculator"
           input_stream: "in" input_stream: "packed"
           output_stream: "out" output_stream: "packed_out" })");
}

TEST(LintAndRunsTest, AQueueBelowTheNeedOfAJoinIsADeadlock) {
  EXPECT_THAT(FoundBy(kQueueLimitBelowNeed, BatchJoin(3)), SizeIs(1));
  EXPECT_FALSE(RunWith(BatchJoin(3), {0, 1, 2, 3, 4}).status.ok());

  EXPECT_THAT(LintTextOf(BatchJoin(4)), IsEmpty());
  SYNCLINE_EXPECT_OK(RunWith(BatchJoin(4), {0, 1, 2, 3, 4}).status);
}

std::string Switched(absl::string_view options) {
  return absl::StrCat(R"(input_stream: "in" output_stream: "out"
    node { calculator: "PassThroughCalculator" input_stream: "in"
           output_stream: "out"
           condition { type: "BooleanCondition" options {
             [syncline.BooleanConditionOptions.ext] { )",
                      options, " } } } }");
}

TEST(LintAndRunsTest, ANodeThatIsSwitchedOffAtTheStartIsNeverCalled) {
  EXPECT_THAT(FoundBy(kConditionNeverMet, Switched("enable_tick: false")),
              SizeIs(1));
  EXPECT_THAT(RunWith(Switched("enable_tick: false"), {0, 1}).out, IsEmpty());

  EXPECT_THAT(LintTextOf(Switched("enable_tick: true")), IsEmpty());
  EXPECT_THAT(RunWith(Switched("enable_tick: true"), {0, 1}).out,
              ElementsAre(0, 1));
}

std::string FewPackets(int trigger_queue_size) {
  return absl::StrCat(R"(input_stream: "in" output_stream: "out"
    node { calculator: "PassThroughCalculator" input_stream: "in"
           output_stream: "out"
           condition { type: "MessageAvailableCondition" options {
             [syncline.MessageAvailableConditionOptions.ext] { min_size: 3 } } }
           input_stream_handler {
             input_stream_handler: "FixedSizeInputStreamHandler"
             options { [syncline.FixedSizeInputStreamHandlerOptions.ext] {
               trigger_queue_size: )",
                      trigger_queue_size, " } } } }");
}

TEST(LintAndRunsTest, TooFewPacketsStayInAQueueThatIsKeptShort) {
  EXPECT_THAT(FoundBy(kConditionNeverMet, FewPackets(3)), SizeIs(1));
  EXPECT_THAT(RunWith(FewPackets(3), {0, 1, 2, 3, 4, 5}).out, IsEmpty());

  EXPECT_THAT(LintTextOf(FewPackets(4)), IsEmpty());
  EXPECT_FALSE(RunWith(FewPackets(4), {0, 1, 2, 3, 4, 5}).out.empty());
}

}  // namespace
}  // namespace syncline
