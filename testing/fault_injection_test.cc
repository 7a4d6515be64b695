// Whatever goes wrong in a call: the run ends, its error names the node, the
// call and the fault, nothing is left over, and the same graph runs again as if
// nothing had been.
#include "testing/fault_injection.h"

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/lifetimes.h"
#include "testing/simulated_clock.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr char kTwoNodes[] = R"pb(
  input_stream: "in"
  node {
    name: "first"
    calculator: "SumCalculator"
    input_stream: "in"
    output_stream: "mid"
  }
  node {
    name: "second"
    calculator: "SumCalculator"
    input_stream: "mid"
    input_stream: "in"
    output_stream: "out"
  }
)pb";

std::unique_ptr<FaultInjection> FaultsOf(const std::string& graph_text) {
  absl::StatusOr<std::unique_ptr<FaultInjection>> faults =
      FaultInjection::Create(
          ParseTextProtoOrDie<CalculatorGraphConfig>(graph_text));
  EXPECT_TRUE(faults.ok()) << faults.status();
  return *std::move(faults);
}

class FaultInjectionTest : public WorkersTest {
 protected:
  FaultInjectionTest()
      : faults_(FaultsOf(kTwoNodes)),
        graph_(std::make_unique<GraphHarness>(faults_->config(), GetParam())) {
    graph_->Feed("in", {{0, 1}, {10, 2}, {20, 3}, {30, 4}, {40, 5}});
  }

  void TearDown() override {
    graph_ = nullptr;
    WorkersTest::TearDown();
  }

  // A run with this fault; afterwards only what the harness keeps is there.
  absl::Status RunWith(const Fault& fault) {
    faults_->Clear();
    SYNCLINE_EXPECT_OK(faults_->Add(fault));
    absl::Status status = graph_->Run();
    ExpectNothingLeft();
    return status;
  }
  void ExpectNothingLeft() {
    EXPECT_EQ(Lifetimes::live_calculators, 0);
    EXPECT_EQ(Lifetimes::live_packets,
              5 + graph_->Count("mid") + graph_->Count("out"));
  }
  // The outputs are those of a run without faults.
  void ExpectAllOutputs() {
    graph_->Expect("mid", {{0, 1}, {10, 2}, {20, 3}, {30, 4}, {40, 5}});
    graph_->Expect("out", {{0, 2}, {10, 4}, {20, 6}, {30, 8}, {40, 10}});
  }
  void ExpectItRunsAgain() {
    faults_->Clear();
    SYNCLINE_EXPECT_OK(graph_->Run());
    ExpectAllOutputs();
    ExpectNothingLeft();
    EXPECT_THAT(faults_->happened(), IsEmpty());
  }

  const std::unique_ptr<FaultInjection> faults_;
  std::unique_ptr<GraphHarness> graph_;
};
SYNCLINE_TEST_WITH_ALL_WORKERS(FaultInjectionTest);

constexpr CallPhase kCalls[] = {CallPhase::kOpen, CallPhase::kProcess,
                                CallPhase::kClose};

TEST_P(FaultInjectionTest, WithoutFaultsNothingChanges) {
  EXPECT_THAT(faults_->nodes(), UnorderedElementsAre("first", "second"));
  ExpectItRunsAgain();
}

TEST_P(FaultInjectionTest, AnErrorNamesNodeCallAndFault) {
  for (const CallPhase call : kCalls) {
    const Fault fault = {.node = "second",
                         .kind = FaultKind::kError,
                         .call = call,
                         .number = 3,
                         .code = absl::StatusCode::kDataLoss};
    SCOPED_TRACE(FaultText(fault));
    const absl::Status status = RunWith(fault);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(status.ToString(), HasSubstr(FaultText(fault)));
    EXPECT_THAT(faults_->happened(), ElementsAre(FaultText(fault)));
    if (call == CallPhase::kOpen) {
      EXPECT_EQ(graph_->Count("out"), 0);
    }
    if (call == CallPhase::kProcess) {
      EXPECT_THAT(status.ToString(),
                  HasSubstr("injected fault: an error in Process 3 of node "
                            "\"second\""));
      graph_->Expect("out", {{0, 2}, {10, 4}});
    }
    if (call == CallPhase::kClose) ExpectAllOutputs();
    ExpectItRunsAgain();
  }
}

TEST_P(FaultInjectionTest, AnExceptionNamesNodeCallAndFault) {
  for (const FaultKind kind :
       {FaultKind::kRuntimeError, FaultKind::kBadAlloc}) {
    for (const CallPhase call : kCalls) {
      const Fault fault = {
          .node = "first", .kind = kind, .call = call, .number = 2};
      SCOPED_TRACE(FaultText(fault));
      const absl::Status status = RunWith(fault);
      EXPECT_EQ(status.code(), kind == FaultKind::kBadAlloc
                                   ? absl::StatusCode::kResourceExhausted
                                   : absl::StatusCode::kInternal);
      EXPECT_THAT(status.ToString(), HasSubstr(FaultText(fault)));
      EXPECT_THAT(faults_->happened(), ElementsAre(FaultText(fault)));
      ExpectItRunsAgain();
    }
  }
}

TEST_P(FaultInjectionTest, ABlockedCallHoldsUpTheRunUntilItIsReleased) {
  for (const CallPhase call : kCalls) {
    const Fault fault = {
        .node = "first", .kind = FaultKind::kBlock, .call = call};
    SCOPED_TRACE(FaultText(fault));
    bool has_blocked = false;
    // The run may need this thread.
    std::thread releaser([&] {
      has_blocked = faults_->WaitUntilBlocked();
      faults_->Release();
    });
    SYNCLINE_EXPECT_OK(RunWith(fault));
    releaser.join();
    EXPECT_TRUE(has_blocked);
    EXPECT_THAT(faults_->happened(), ElementsAre(FaultText(fault)));
    ExpectAllOutputs();
    ExpectItRunsAgain();
  }
}

TEST_P(FaultInjectionTest, ARunCanBeCancelledWhileACallBlocks) {
  const Fault fault = {.node = "first", .kind = FaultKind::kBlock, .number = 2};
  CalculatorGraph& graph = graph_->graph();
  std::thread canceller([&] {
    EXPECT_TRUE(faults_->WaitUntilBlocked());
    graph.Cancel();
    faults_->Release();
  });
  EXPECT_EQ(RunWith(fault).code(), absl::StatusCode::kCancelled);
  canceller.join();
  ExpectItRunsAgain();
}

TEST_P(FaultInjectionTest, ADelayPassesTimeOfTheClock) {
  for (const CallPhase call : kCalls) {
    const Fault fault = {.node = "second",
                         .kind = FaultKind::kDelay,
                         .call = call,
                         .delay = absl::Hours(3)};
    SCOPED_TRACE(FaultText(fault));
    SimulatedClock clock;
    faults_->SetClock(&clock);
    SYNCLINE_EXPECT_OK(RunWith(fault));
    EXPECT_EQ(clock.TimeNow(), absl::UnixEpoch() + absl::Hours(3));
    ExpectAllOutputs();
    ExpectItRunsAgain();
    EXPECT_EQ(clock.TimeNow(), absl::UnixEpoch() + absl::Hours(3));
  }
}

TEST_P(FaultInjectionTest, ALateTimestampNamesNodeAndStream) {
  const Fault fault = {
      .node = "first", .kind = FaultKind::kLateTimestamp, .number = 2};
  const absl::Status status = RunWith(fault);
  EXPECT_THAT(status.ToString(), HasSubstr("\"first\""));
  EXPECT_THAT(status.ToString(), HasSubstr("\"mid\""));
  EXPECT_THAT(status.ToString(),
              HasSubstr("expected timestamp is 11 but received 9"));
  EXPECT_THAT(faults_->happened(), ElementsAre(FaultText(fault)));
  ExpectItRunsAgain();
}

TEST_P(FaultInjectionTest, ACancelEndsTheRun) {
  faults_->SetGraph(&graph_->graph());
  for (const CallPhase call : {CallPhase::kOpen, CallPhase::kProcess}) {
    const Fault fault = {
        .node = "first", .kind = FaultKind::kCancel, .call = call, .number = 2};
    SCOPED_TRACE(FaultText(fault));
    EXPECT_EQ(RunWith(fault).code(), absl::StatusCode::kCancelled);
    EXPECT_THAT(faults_->happened(), ElementsAre(FaultText(fault)));
    ExpectItRunsAgain();
  }
}

TEST_P(FaultInjectionTest, SeveralFaultsInOneRunAndTheFirstErrorCounts) {
  const Fault first = {
      .node = "first", .kind = FaultKind::kRuntimeError, .number = 2};
  faults_->Clear();
  SYNCLINE_ASSERT_OK(faults_->Add(first));
  SYNCLINE_ASSERT_OK(
      faults_->Add({.node = "first", .kind = FaultKind::kError, .number = 4}));
  SYNCLINE_ASSERT_OK(faults_->Add({.node = "second",
                                   .kind = FaultKind::kError,
                                   .call = CallPhase::kClose}));
  const absl::Status status = graph_->Run();
  EXPECT_THAT(status.ToString(), HasSubstr(FaultText(first)));
  ExpectNothingLeft();
  ExpectItRunsAgain();
}

// Options, side packets, sources, overlapping calls, nodes without a name.
TEST_P(FaultInjectionTest, NodesStayWhatTheyAre) {
  const auto faults = FaultsOf(R"pb(
    node {
      calculator: "NumberSourceCalculator"
      output_stream: "numbers"
      options {
        [syncline.TestCalculatorOptions.ext] { count: 20 period: 5 }
      }
    }
    node {
      calculator: "DelayCalculator"
      input_stream: "numbers"
      output_stream: "delayed"
      options {
        [syncline.TestCalculatorOptions.ext] { shift: 1 promise_offset: true }
      }
    }
    node {
      calculator: "SumCalculator"
      input_stream: "delayed"
      output_stream: "sums"
      max_in_flight: 4
    }
  )pb");
  EXPECT_THAT(faults->nodes(),
              UnorderedElementsAre("NumberSourceCalculator", "DelayCalculator",
                                   "SumCalculator"));
  GraphHarness graph(faults->config(), GetParam());
  SYNCLINE_ASSERT_OK(graph.Run());
  const std::vector<Packet> sums = graph.Packets("sums");
  ASSERT_EQ(sums.size(), 20u);
  EXPECT_EQ(sums[19].Timestamp(), Timestamp(19 * 5 + 1));
  for (const std::string& node : faults->nodes()) {
    for (const FaultKind kind :
         {FaultKind::kError, FaultKind::kBadAlloc, FaultKind::kLateTimestamp}) {
      const Fault fault = {.node = node, .kind = kind, .number = 15};
      SCOPED_TRACE(FaultText(fault));
      SYNCLINE_ASSERT_OK(faults->Add(fault));
      const absl::Status status = graph.Run();
      EXPECT_FALSE(status.ok());
      EXPECT_THAT(status.ToString(), HasSubstr(node));
      EXPECT_THAT(faults->happened(), ElementsAre(FaultText(fault)));
      faults->Clear();
      SYNCLINE_ASSERT_OK(graph.Run());
      EXPECT_EQ(graph.Count("sums"), 20);
    }
  }
}

// --- What cannot be ordered

TEST(FaultInjectionOrdersTest, BadOrdersAreRefused) {
  const auto faults = FaultsOf(kTwoNodes);
  EXPECT_THAT(faults->Add({.node = "third"}).ToString(),
              HasSubstr("NOT_FOUND: injected fault: an error in Process 1 of "
                        "node \"third\": the graph has no such node"));
  EXPECT_THAT(faults->Add({.node = "first", .number = 0}).ToString(),
              HasSubstr("INVALID_ARGUMENT"));
  EXPECT_THAT(
      faults->Add({.node = "first", .kind = FaultKind::kCancel}).ToString(),
      HasSubstr("FAILED_PRECONDITION"));
  EXPECT_FALSE(FaultInjection::Create(
                   ParseTextProtoOrDie<CalculatorGraphConfig>(
                       R"pb(node { calculator: "NoSuchCalculator" })pb"))
                   .ok());
}

TEST(FaultInjectionOrdersTest, ASeedGivesTheSameFaultAndSeedsGiveAllKinds) {
  const auto faults = FaultsOf(kTwoNodes);
  std::vector<int> kinds(7);
  std::vector<int> calls(4);
  for (int seed = 0; seed < 1000; ++seed) {
    const Fault fault = faults->RandomFault(seed);
    EXPECT_EQ(FaultText(fault), FaultText(faults->RandomFault(seed)));
    ++kinds[static_cast<int>(fault.kind)];
    ++calls[static_cast<int>(fault.call)];
  }
  for (const int count : kinds) EXPECT_GT(count, 50);
  EXPECT_THAT(calls, ElementsAre(0, testing::Gt(50), testing::Gt(500),
                                 testing::Gt(50)));
}

}  // namespace
}  // namespace syncline
