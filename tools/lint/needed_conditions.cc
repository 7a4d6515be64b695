#include "tools/lint/needed_conditions.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "framework/config/calculator.pb.h"
#include "framework/plan/make_conditions.h"

namespace syncline {

NeededConditions::NeededConditions(const GraphPlan& plan,
                                   const PlanNode& node) {
  if (node.conditions == nullptr || node.conditions->groups.empty()) return;
  std::vector<std::string> allocators;
  for (const AllocatorConfig& allocator : plan.GraphFields().allocator()) {
    allocators.push_back(allocator.name());
  }
  absl::StatusOr<MadeConditions> made =
      MakeConditions(*node.conditions, *node.contract, allocators);
  // Compile has made them once. Where that does not work again, there is
  // nothing to say of them.
  if (!made.ok()) return;
  plan_ = node.conditions;
  objects_ = std::move(made->objects);
  AddNeeds(0, made->needs);
}

void NeededConditions::AddNeeds(
    int group, const std::vector<std::vector<PacketNeed>>& needs) {
  const PlanConditionGroup& members = plan_->groups[group];
  if (members.is_any && members.conditions.size() + members.groups.size() > 1) {
    return;
  }
  for (const int condition : members.conditions) {
    for (const PacketNeed& need : needs[condition]) {
      needs_.push_back({need, &plan_->conditions[condition]});
    }
  }
  for (const int inner : members.groups) AddNeeds(inner, needs);
}

absl::optional<NeededConditions::NeverMet> NeededConditions::FindIn(
    int group, Judge judge) const {
  const PlanConditionGroup& members = plan_->groups[group];
  absl::optional<NeverMet> first;
  std::size_t never = 0;
  const auto add = [&](absl::optional<NeverMet> why) {
    if (!why.has_value()) return;
    ++never;
    if (!first.has_value()) first = std::move(why);
  };
  for (const int condition : members.conditions) {
    add(judge(plan_->conditions[condition], *objects_[condition]));
  }
  for (const int inner : members.groups) add(FindIn(inner, judge));
  const std::size_t enough =
      members.is_any ? members.conditions.size() + members.groups.size() : 1;
  return never >= enough ? first : absl::nullopt;
}

absl::optional<NeededConditions::NeverMet> NeededConditions::FindNeverMet(
    Judge judge) const {
  return plan_ == nullptr ? absl::nullopt : FindIn(0, judge);
}

std::vector<NeededConditions> FindNeededConditions(const GraphPlan& plan) {
  std::vector<NeededConditions> conditions;
  conditions.reserve(plan.nodes().size());
  for (const PlanNode& node : plan.nodes()) conditions.emplace_back(plan, node);
  return conditions;
}

}  // namespace syncline
