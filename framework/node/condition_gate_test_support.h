// ConditionGateTest: a gate by itself, made as for a node with two inputs.
// There is no such node.
//
// Thread rule: for one thread.

#ifndef SYNCLINE_FRAMEWORK_NODE_CONDITION_GATE_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_NODE_CONDITION_GATE_TEST_SUPPORT_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "framework/base/graph_clock.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/condition_gate.h"
#include "framework/node/effects.h"
#include "framework/node/holds.h"
#include "framework/node/node_conditions_test_support.h"
#include "framework/plan/graph_plan.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/timeout_policy.h"
#include "framework/stream/input_queue.h"
#include "gtest/gtest.h"

namespace syncline {

class TestClock final : public GraphClock {
 public:
  std::int64_t NowNs() override { return 77; }
  Passing passing() const override { return Passing::kByItself; }
  std::int64_t SteadyNsOf(std::int64_t target_ns) override { return target_ns; }

 protected:
  void WaitUntilNs(std::int64_t target_ns) override {}
};

// The gate of a node with two inputs.
class ConditionGateTest : public ::testing::Test {
 protected:
  using Answer = ConditionGate::Answer;
  using Decision = ConditionGate::Decision;
  using State = Readiness::State;
  static constexpr std::int64_t kNone = ConditionResult::kNoTarget;

  // `num_conditions`: -1 for a gate without.
  void Make(int num_conditions, int max_batch_size = 1,
            TimeoutPolicy* timeout = nullptr, bool time_passes = true) {
    ConditionGate::Setup setup = {.clock = &clock_,
                                  .holds = &holds_,
                                  .time_passes_by_itself = time_passes};
    if (num_conditions >= 0) {
      conditions_.emplace(num_conditions);
      conditions_->made.watched_arrivals = watched_arrivals_;
      conditions_->made.watched_fronts = watched_fronts_;
      setup.conditions = conditions_->Make();
    }
    plan_.id = 5;
    plan_.inputs = inputs_;
    plan_.outputs = outputs_;
    plan_.batch.max_size = max_batch_size;
    gate_ = std::make_unique<ConditionGate>(std::move(setup), plan_, timeout);
  }
  // What was told since this was last asked. Times: "timer 50".
  std::vector<std::string> Told() {
    std::vector<std::string> told;
    using Kind = Effects::GateFact::Kind;
    for (const Effects::GateFact& fact : effects_.gate_facts) {
      EXPECT_EQ(fact.node, plan_.id);
      switch (fact.kind) {
        case Kind::kAsk:
          told.push_back("ask");
          break;
        case Kind::kSourceMayRun:
          told.push_back("source");
          break;
        case Kind::kUndo:
          told.push_back("undo");
          break;
        case Kind::kBatchBegun:
          told.push_back("batch");
          break;
        case Kind::kInputWaitBegun:
          told.push_back("wait");
          break;
        case Kind::kTimer:
          told.push_back("timer " + std::to_string(fact.target_ns));
          break;
        case Kind::kRoom:
          told.push_back("room");
          break;
      }
    }
    effects_.gate_facts.clear();
    return told;
  }

  Decision Look(State state, bool is_batch = false) {
    return gate_->Look(is_batch, state, &effects_);
  }
  // The conditions are asked, and come to `result`.
  Answer Ask(const ConditionResult& result, bool has_input_set = true,
             bool is_dispatched = false) {
    if (gate_->is_at_rest() || gate_->is_held()) gate_->Ask(&effects_);
    NodeFacts* const facts = gate_->BeginAsk(/*is_open=*/true, 5, queues_);
    EXPECT_NE(facts, nullptr);
    facts->has_input_set = has_input_set;
    return gate_->FinishAsk(result, is_dispatched, /*is_open=*/true, &effects_);
  }
  Answer AskReady() {
    return Ask(ConditionResult::Ready(), true, /*is_dispatched=*/true);
  }

  TestClock clock_;
  Holds holds_;
  std::vector<int> watched_arrivals_;
  std::vector<int> watched_fronts_;
  absl::optional<ConditionsUnderTest> conditions_;
  std::array<PlanInput, 2> inputs_;
  std::array<PlanOutput, 3> outputs_;
  PlanNode plan_;
  std::array<InputQueue, 2> queues_;
  Effects effects_;
  std::unique_ptr<ConditionGate> gate_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_CONDITION_GATE_TEST_SUPPORT_H_
