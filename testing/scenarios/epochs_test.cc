// Epochs of a graph with several executors: nodes of the default one are called
// by the thread that calls RunEpoch(), once for each node where there is no
// budget; the threads of the others go on beside it.

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/graph_clock.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_macros.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

constexpr int kPackets = 5;

// Calls of Process, by node; those of the pool come on another thread.
std::map<std::string, std::atomic<int>>& Calls() {
  static auto& calls = *new std::map<std::string, std::atomic<int>>;
  return calls;
}

// A clock that each call of a source moves by 1 ms; null: none does.
std::shared_ptr<SyntheticClock>& ClockOfSources() {
  static auto& clock = *new std::shared_ptr<SyntheticClock>;
  return clock;
}

// A source of five packets, or a node that sends on what it gets.
class EpochNode : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.Set<int>();
    for (PacketType& output : cc->Outputs()) output.Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const bool is_source = cc->Inputs().NumEntries() == 0;
    if (is_source && sent_ == kPackets) return tool::StatusStop();
    ++Calls().at(cc->NodeName());
    if (is_source && ClockOfSources() != nullptr) {
      SYNCLINE_RETURN_IF_ERROR(ClockOfSources()->AdvanceBy(1'000'000));
    }
    const Timestamp time = is_source ? Timestamp(sent_) : cc->InputTimestamp();
    for (OutputStreamShard& output : cc->Outputs()) {
      output.AddPacket(MakePacket<int>(sent_).At(time));
    }
    ++sent_;
    return absl::OkStatus();
  }

 private:
  int sent_ = 0;
};
REGISTER_CALCULATOR(EpochNode);

// The application's thread, and two pools, in a chain that goes to and fro.
constexpr char kGraph[] = R"pb(
  executor { type: "ApplicationThreadExecutor" }
  executor {
    name: "second"
    type: "ThreadPoolExecutor"
    options {
      [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 1 }
    }
  }
  executor {
    name: "pool"
    type: "ThreadPoolExecutor"
    options {
      [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 2 }
    }
  }
  node { name: "s1" calculator: "EpochNode" output_stream: "a" }
  node {
    name: "s2"
    calculator: "EpochNode"
    output_stream: "b"
    executor: "second"
  }
  node {
    name: "join"
    calculator: "EpochNode"
    input_stream: "a"
    input_stream: "b"
    output_stream: "c"
  }
  node {
    name: "after"
    calculator: "EpochNode"
    input_stream: "c"
    executor: "second"
  }
  node {
    name: "beside"
    calculator: "EpochNode"
    input_stream: "a"
    executor: "pool"
  }
)pb";

class EpochsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Calls().clear();
    for (const char* node : {"s1", "s2", "join", "after", "beside"}) {
      Calls()[node] = 0;
    }
    SYNCLINE_ASSERT_OK(
        graph_.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(kGraph)));
    SYNCLINE_ASSERT_OK(graph_.StartRun({}));
  }

  CalculatorGraph graph_;
};

TEST_F(EpochsTest,
       WithoutABudgetNoNodeOfTheThreadIsCalledTwiceWhateverOthersSendIt) {
  std::map<std::string, int> before;
  bool is_finished = false;
  int epochs = 0;
  for (; !is_finished && epochs < 1'000'000; ++epochs) {
    for (const auto& [node, calls] : Calls()) before[node] = calls;
    const absl::StatusOr<CalculatorGraph::EpochReport> report = graph_.RunEpoch(
        epochs % 2 == 0 ? absl::ZeroDuration() : -absl::Seconds(1));
    SYNCLINE_ASSERT_OK(report);
    for (const char* node : {"s1", "join"}) {
      EXPECT_LE(Calls()[node] - before[node], 1)
          << node << " in epoch " << epochs;
    }
    is_finished = report->is_finished;
  }
  SYNCLINE_EXPECT_OK(graph_.WaitUntilDone());
  EXPECT_GE(epochs, kPackets);
  for (const auto& [node, calls] : Calls()) EXPECT_EQ(calls, kPackets) << node;
}

TEST_F(EpochsTest, WithABudgetAllIsCalledThatOthersSend) {
  bool is_finished = false;
  for (int i = 0; i < 1'000'000 && !is_finished; ++i) {
    const auto report = graph_.RunEpoch(absl::Milliseconds(10));
    SYNCLINE_ASSERT_OK(report);
    is_finished = report->is_finished;
  }
  SYNCLINE_EXPECT_OK(graph_.WaitUntilDone());
  for (const auto& [node, calls] : Calls()) EXPECT_EQ(calls, kPackets) << node;
}

TEST(EpochBudgetTest, NoCallStartsOnceTheBudgetIsSpent) {
  Calls().clear();
  Calls()["source"] = 0;
  ClockOfSources() = std::make_shared<SyntheticClock>();
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.SetClock(ClockOfSources()));
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        executor { type: "ApplicationThreadExecutor" }
        node { name: "source" calculator: "EpochNode" output_stream: "a" }
      )pb")));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_ASSERT_OK(graph.RunEpoch(absl::ZeroDuration()));
  EXPECT_EQ(Calls()["source"], 1);
  auto report = graph.RunEpoch(absl::Microseconds(2500));
  SYNCLINE_ASSERT_OK(report);
  EXPECT_EQ(Calls()["source"], 4) << "the third of them ends after 3 ms";
  EXPECT_EQ(report->tasks, 3);
  EXPECT_EQ(report->overrun, absl::Microseconds(500));
  EXPECT_FALSE(report->is_finished);
  SYNCLINE_ASSERT_OK(graph.RunEpoch(absl::Milliseconds(1)));
  EXPECT_EQ(Calls()["source"], 5) << "a call that ends in time is the last too";
  report = graph.RunEpoch(absl::Seconds(1));
  SYNCLINE_ASSERT_OK(report);
  EXPECT_TRUE(report->is_finished);
  EXPECT_EQ(report->overrun, absl::ZeroDuration());
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
  ClockOfSources() = nullptr;
}

}  // namespace
}  // namespace syncline
