// The conditions of each node: those of its contract and its config in one
// list, their types found and their options accepted.
//
// Runs after DescribeNodes; fills NodeDraft::conditions and
// PlanTables::conditions.
//
// Tested by check_conditions_test.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/base/hash_map.h"
#include "framework/base/name_registry.h"
#include "framework/calculator/contract.h"
#include "framework/condition/condition.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/default_conditions.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/make_conditions.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_tables.h"

namespace syncline {
namespace {

// The conditions of one node.
class NodeConditionsCheck {
 public:
  NodeConditionsCheck(int node, CompileState* state)
      : index_(node), state_(*state), node_(state->node(node)) {}

  // Null if there are none, or if something is wrong with them.
  std::unique_ptr<PlanConditions> Run() {
    plan_->groups.emplace_back();
    for (const ConditionConfig& condition : Contract().GetConditions()) {
      if (OfTheNode(condition) == nullptr) AddCondition(condition, 0);
    }
    is_contract_ = true;
    for (const ConditionGroup& group : Contract().GetAnyOf()) {
      AddGroup(group, /*is_any=*/true, 0);
    }
    is_contract_ = false;
    for (const ConditionConfig& condition : node_.condition()) {
      if (!placed_.contains(&condition)) AddCondition(condition, 0);
    }
    for (const ConditionGroup& group : node_.any_of()) {
      AddGroup(group, /*is_any=*/true, 0);
    }
    if (!is_fine_) return nullptr;
    if (node_.gxf_defaults()) AddDefaults();
    if (!is_fine_ || plan_->conditions.empty()) return nullptr;
    CheckObjects();
    return is_fine_ ? std::move(plan_) : nullptr;
  }

 private:
  const CalculatorContract& Contract() const {
    return *state_.drafts[index_].contract;
  }

  void Error(const absl::Status& error) {
    is_fine_ = false;
    state_.NodeError(index_, error);
  }

  static const std::string& NameOf(const ConditionConfig& condition) {
    return condition.name().empty() ? condition.type() : condition.name();
  }

  // The type without the namespaces that GXF and Holoscan have, unless somebody
  // has registered one with them.
  static std::string TypeOf(const ConditionConfig& config,
                            const NameRegistry& names,
                            const std::string& package) {
    if (names.IsRegistered(package, config.type())) return config.type();
    absl::string_view type = config.type();
    for (const absl::string_view prefix :
         {"nvidia::gxf::", "holoscan::", "syncline::"}) {
      if (absl::ConsumePrefix(&type, prefix)) break;
    }
    return std::string(type);
  }

  // The condition of the node, outside of groups, with the name of `declared`,
  // which the contract declares: it replaces that one. Null if there is none.
  const ConditionConfig* OfTheNode(const ConditionConfig& declared) const {
    for (const ConditionConfig& own : node_.condition()) {
      if (NameOf(own) == NameOf(declared)) return &own;
    }
    return nullptr;
  }

  void AddCondition(const ConditionConfig& config, int group) {
    const NameRegistry& names = ConditionRegistry::functions()->names();
    const std::string& package = state_.config().package();
    if (config.type().empty()) {
      return Error(absl::InvalidArgumentError(
          "a condition has no type; the node needs `condition { type: "
          "\"...\" }`."));
    }
    const std::string type = TypeOf(config, names, package);
    if (!names.IsRegistered(package, type)) {
      return Error(absl::NotFoundError(absl::StrCat(
          "there is no condition of type ", Quoted(config.type()), ".",
          state_.DidYouMeanOrKnown(type, ConditionRegistry::Names()),
          " Its library may not be linked in.")));
    }
    if (!names_.insert(NameOf(config)).second) {
      return Error(absl::InvalidArgumentError(absl::StrCat(
          "it has more than one condition ", Quoted(NameOf(config)),
          "; give each a name of its own.")));
    }
    const int id = static_cast<int>(plan_->conditions.size());
    plan_->conditions.push_back({.name = NameOf(config),
                                 .type = names.FullName(package, type),
                                 .options = &config.options()});
    plan_->groups[group].conditions.push_back(id);
  }

  // In a group of the contract, the node's own stands where it replaces one.
  void AddMember(const ConditionConfig& config, int group) {
    const ConditionConfig* const own =
        is_contract_ ? OfTheNode(config) : nullptr;
    if (own == nullptr) return AddCondition(config, group);
    placed_.insert(own);
    AddCondition(*own, group);
  }

  void AddGroup(const ConditionGroup& config, bool is_any, int parent) {
    if (config.condition().empty() && config.any_of().empty() &&
        config.all_of().empty()) {
      return Error(absl::InvalidArgumentError(
          absl::StrCat(is_any ? "any_of" : "all_of",
                       " has no members; it would never be ready.")));
    }
    const int group = static_cast<int>(plan_->groups.size());
    plan_->groups.emplace_back().is_any = is_any;
    plan_->groups[parent].groups.push_back(group);
    for (const ConditionConfig& condition : config.condition()) {
      AddMember(condition, group);
    }
    for (const ConditionGroup& inner : config.any_of()) {
      AddGroup(inner, /*is_any=*/true, group);
    }
    for (const ConditionGroup& inner : config.all_of()) {
      AddGroup(inner, /*is_any=*/false, group);
    }
  }

  void AddDefaults() {
    const absl::StatusOr<MadeConditions> made = Make();
    if (!made.ok()) return Error(made.status());
    for (const ConditionConfig& config : DefaultConditions(Contract(), *made)) {
      const size_t before = plan_->conditions.size();
      AddCondition(config, 0);
      if (plan_->conditions.size() == before) continue;
      // The graph's config does not hold these options, so the plan does.
      auto options = std::make_unique<SynclineOptions>(config.options());
      plan_->conditions.back().options = options.get();
      state_.tables->owned.options.push_back(std::move(options));
    }
  }

  absl::StatusOr<MadeConditions> Make() const {
    std::vector<std::string> allocators;
    for (const AllocatorConfig& allocator : state_.config().allocator()) {
      allocators.push_back(allocator.name());
    }
    return MakeConditions(*plan_, Contract(), allocators);
  }

  void CheckObjects() {
    const absl::StatusOr<MadeConditions> made = Make();
    if (!made.ok()) return Error(made.status());
    for (size_t i = 0; i < made->watched_rooms.size(); ++i) {
      const auto& [port, min_room] = made->watched_rooms[i];
      state_.watched_rooms.push_back(
          {.producer = {index_, port},
           .min_room = min_room,
           .condition =
               ConditionText(plan_->conditions[made->room_watchers[i]])});
    }
    for (size_t i = 0; i < made->objects.size(); ++i) {
      for (const PacketNeed& need : made->needs[i]) {
        CheckNeed(plan_->conditions[i], need);
      }
    }
    if (!state_.config().deterministic()) return;
    for (size_t i = 0; i < made->objects.size(); ++i) {
      CheckDeterministic(plan_->conditions[i], made->objects[i]->DependsOn());
    }
  }

  // A queue that drops packets holds no more than it should; one that does not
  // can grow.
  void CheckNeed(const PlanCondition& condition, const PacketNeed& need) {
    std::int64_t room = 0;
    std::string queues;
    for (const int port : need.inputs) {
      const InputDraft& input = state_.drafts[index_].inputs[port];
      if (input.queue_policy == InputStreamInfo::BLOCK) return;
      room += input.max_queue_size;
      absl::StrAppend(
          &queues, queues.empty() ? "" : ", and ", "input_stream ",
          Quoted(Contract().Inputs().layout().Names()[port]),
          " (max_queue_size: ", input.max_queue_size, " queue_policy: ",
          InputStreamInfo::QueuePolicy_Name(input.queue_policy), ")");
    }
    if (need.min_packets <= room) return;
    Error(absl::InvalidArgumentError(absl::StrCat(
        ConditionText(condition), " waits for ", need.min_packets, " packets (",
        need.option, ") at ", queues, ", where no more than ", room,
        " ever wait: it would not be ready before the end of what it waits "
        "for. Set its ",
        need.option, " to ", room, " or less, or a greater max_queue_size.")));
  }

  void CheckDeterministic(const PlanCondition& condition,
                          ConditionDependence dependence) {
    if (dependence == ConditionDependence::kPackets) return;
    const std::string& clock = state_.config().clock().type();
    const bool is_simulated = clock == "ManualClock";
    if (dependence == ConditionDependence::kClock && is_simulated) return;
    Error(absl::InvalidArgumentError(absl::StrCat(
        "cannot promise what deterministic: true asks for: its ",
        ConditionText(condition),
        dependence == ConditionDependence::kClock
            ? " depends on the clock. With `clock { type: \"ManualClock\" }` "
              "every run has the same time."
            : " depends on what happens outside of the graph, or on how fast "
              "it runs. Do without it, or without deterministic.")));
  }

  const int index_;
  CompileState& state_;
  const CalculatorGraphConfig::Node& node_;
  std::unique_ptr<PlanConditions> plan_ = std::make_unique<PlanConditions>();
  HashSet<std::string> names_;
  // While groups of the contract are added.
  bool is_contract_ = false;
  // The conditions of the node that stand in a group of the contract.
  HashSet<const ConditionConfig*> placed_;
  bool is_fine_ = true;
};

// Most nodes have none.
bool HasNone(int node, const CompileState& state) {
  const CalculatorGraphConfig::Node& config = state.node(node);
  return config.condition().empty() && config.any_of().empty() &&
         !config.gxf_defaults() &&
         !state.drafts[node].contract->HasConditions();
}

}  // namespace

void CheckConditions(CompileState* state) {
  for (int i = 0; i < static_cast<int>(state->drafts.size()); ++i) {
    if (state->errors.full()) return;
    if (!state->drafts[i].described || HasNone(i, *state)) continue;
    std::unique_ptr<PlanConditions> conditions =
        NodeConditionsCheck(i, state).Run();
    if (conditions == nullptr) continue;
    state->drafts[i].conditions = conditions.get();
    state->tables->owned.conditions.push_back(std::move(conditions));
  }
}

}  // namespace syncline
