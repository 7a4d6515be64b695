// TestCondition: a condition that says what it is told to say, and notes what
// it is asked. ConditionsUnderTest: the conditions of a node that does not
// exist.
//
// Thread rule: for one thread.

#ifndef SYNCLINE_FRAMEWORK_NODE_NODE_CONDITIONS_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_NODE_NODE_CONDITIONS_TEST_SUPPORT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/node/node_conditions.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/make_conditions.h"

namespace syncline {

class TestCondition final : public ConditionBase {
 public:
  absl::Status Start(const ConditionRun& run) override { return Note("Start"); }
  absl::Status UpdateState(const NodeFacts& facts) override {
    return Note(absl::StrCat("UpdateState ", facts.now_ns));
  }
  absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) override {
    if (absl::Status status = Note("Check"); !status.ok()) return status;
    return result;
  }
  absl::StatusOr<bool> OnDispatch(const NodeFacts& facts,
                                  const ConditionResult& answer) override {
    if (absl::Status status = Note("OnDispatch"); !status.ok()) return status;
    return is_there;
  }
  void OnDispatchUndone() override { (void)Note("OnDispatchUndone"); }
  void BeforeExecute() override { (void)Note("BeforeExecute"); }
  absl::Status OnExecute(std::int64_t now_ns) override {
    return Note(absl::StrCat("OnExecute ", now_ns));
  }
  void Stop() override { (void)Note("Stop"); }
  void Change() { Notify(); }

  ConditionResult result;
  bool is_there = true;
  // The function that fails, or "".
  std::string failing;
  std::vector<std::string> notes;

 private:
  absl::Status Note(const std::string& what) {
    notes.push_back(what);
    return !failing.empty() && absl::StartsWith(what, failing)
               ? absl::DataLossError("broken")
               : absl::OkStatus();
  }
};

// Conditions "c0", "c1", ... of node "n", all of which have to be ready, or any
// of which.
struct ConditionsUnderTest {
  explicit ConditionsUnderTest(int num_conditions, bool is_any = false) {
    plan.groups.resize(1);
    plan.groups[0].is_any = is_any;
    for (int i = 0; i < num_conditions; ++i) {
      plan.conditions.push_back({.name = absl::StrCat("c", i), .type = "T"});
      plan.groups[0].conditions.push_back(i);
      auto condition = std::make_shared<TestCondition>();
      conditions.push_back(condition.get());
      made.objects.push_back(std::move(condition));
      made.needs.emplace_back();
    }
  }
  std::unique_ptr<NodeConditions> Make() {
    return std::make_unique<NodeConditions>(plan, std::move(made), "\"n\"");
  }

  PlanConditions plan;
  MadeConditions made;
  std::vector<TestCondition*> conditions;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_NODE_CONDITIONS_TEST_SUPPORT_H_
