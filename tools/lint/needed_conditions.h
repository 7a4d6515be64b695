// The conditions of a node as objects, and which of them every call needs.
//
//   condition a, any_of { b, c }    a call needs a; b or c may be missing
//
// Thread rule: made by one thread, constant afterwards.
// Tested by needed_conditions_test.

#ifndef SYNCLINE_TOOLS_LINT_NEEDED_CONDITIONS_H_
#define SYNCLINE_TOOLS_LINT_NEEDED_CONDITIONS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/optional.h"
#include "framework/condition/condition.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

class NeededConditions {
 public:
  NeededConditions() = default;
  // Empty for a node without conditions. The plan is borrowed.
  NeededConditions(const GraphPlan& plan, const PlanNode& node);

  // A number of packets that has to wait for every call, and which condition
  // says so.
  struct Need {
    PacketNeed packets;
    const PlanCondition* condition = nullptr;
  };
  const std::vector<Need>& needs() const { return needs_; }

  // Why no call can come, and what to do.
  struct NeverMet {
    std::string reason;
    std::string remedy;
  };
  // Says it of one condition; nothing if the condition may be ready some time.
  using Judge = absl::FunctionRef<absl::optional<NeverMet>(
      const PlanCondition&, const ConditionBase&)>;

  // What `judge` says of a condition that every call needs, or, where it says
  // something of all members of a group, of the first of them.
  absl::optional<NeverMet> FindNeverMet(Judge judge) const;

 private:
  void AddNeeds(int group, const std::vector<std::vector<PacketNeed>>& needs);
  absl::optional<NeverMet> FindIn(int group, Judge judge) const;

  const PlanConditions* plan_ = nullptr;
  // In the order of the plan.
  std::vector<std::shared_ptr<ConditionBase>> objects_;
  std::vector<Need> needs_;
};

// One for each node.
std::vector<NeededConditions> FindNeededConditions(const GraphPlan& plan);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_LINT_NEEDED_CONDITIONS_H_
