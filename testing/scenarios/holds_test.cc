// A run does not end before its time where a node that was held is let go while
// the thread that held it is still on its way.

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/calculator_framework.h"
#include "framework/conditions.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

// Longer than anything takes; only a test that fails waits for it.
constexpr absl::Duration kLong = absl::Seconds(10);
// In which a run that is taken for idle ends.
constexpr absl::Duration kAWhile = absl::Milliseconds(20);

// What the steps of the test wait for.
struct Steps {
  absl::Notification has_fed;
  absl::Notification is_asked;
  absl::Notification is_let_go;
  std::atomic<int> calls{0};
  std::vector<std::thread> answers;
};
Steps* steps = nullptr;

// Sends its first packet when all others wait behind it.
class FirstWaitsCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    steps->has_fed.WaitForNotificationWithTimeout(kLong);
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(FirstWaitsCalculator);

// Is not called again before its answer has come.
class AskingCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->AddCondition("AsynchronousCondition", "answer");
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    steps->calls.fetch_add(1);
    auto answer = cc->Condition<AsynchronousCondition>("answer");
    SYNCLINE_RETURN_IF_ERROR(
        answer->event_state(AsynchronousEventState::EVENT_WAITING));
    steps->answers.emplace_back([answer] {
      absl::SleepFor(2 * kAWhile);
      answer->event_state(AsynchronousEventState::EVENT_DONE).IgnoreError();
    });
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(AskingCalculator);

// Stays in its first answer, on the thread that has just held the other node.
class StayingCondition : public ConditionBase {
 public:
  absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) override {
    if (facts.has_input_set && !steps->is_asked.HasBeenNotified()) {
      steps->is_asked.Notify();
      steps->is_let_go.WaitForNotificationWithTimeout(kLong);
      absl::SleepFor(kAWhile);
    }
    return ConditionResult::Ready();
  }
};
REGISTER_CONDITION(StayingCondition);

class StayingSinkCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(StayingSinkCalculator);

class HoldsTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(HoldsTest);

TEST_P(HoldsTest, AHoldThatEndsBeforeItIsHeardOfDoesNotEndTheRun) {
  Steps shared_steps;
  steps = &shared_steps;
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "in"
        node {
          calculator: "FirstWaitsCalculator"
          input_stream: "in"
          output_stream: "out"
        }
        node { calculator: "AskingCalculator" name: "asks" input_stream: "out" }
        node {
          calculator: "StayingSinkCalculator"
          input_stream: "out"
          condition { type: "StayingCondition" }
        })pb")));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  const auto answer = graph.GetCondition<AsynchronousCondition>("asks/answer");
  SYNCLINE_ASSERT_OK(answer);
  SYNCLINE_ASSERT_OK(
      (*answer)->event_state(AsynchronousEventState::EVENT_WAITING));
  for (int i = 0; i < 3; ++i) {
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "in", MakePacket<int>(i).At(Timestamp(i))));
  }
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  shared_steps.has_fed.Notify();
  std::thread lets_go([&] {
    shared_steps.is_asked.WaitForNotificationWithTimeout(kLong);
    SYNCLINE_EXPECT_OK(
        (*answer)->event_state(AsynchronousEventState::EVENT_DONE));
    shared_steps.is_let_go.Notify();
  });
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
  lets_go.join();
  for (std::thread& thread : shared_steps.answers) thread.join();
  EXPECT_EQ(shared_steps.calls.load(), 3);
}

}  // namespace
}  // namespace syncline
