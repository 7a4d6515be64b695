// Nodes that wait for more than their inputs: for conditions, for a time, or
// for a batch that is gathered for a time.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/base/graph_clock.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/memory/allocator.h"
#include "framework/node/condition_gate.h"
#include "framework/node/effects.h"
#include "framework/node/node.h"
#include "framework/node/node_conditions.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/make_conditions.h"
#include "framework/policy/input_policy.h"
#include "framework/run/gated_nodes.h"
#include "framework/run/graph_run.h"
#include "framework/run/idle_decision.h"
#include "framework/run/run_timers.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_lane.h"

namespace syncline {
namespace {

bool IsGated(const PlanNode& node, const InputPolicyKind& policy) {
  return node.conditions != nullptr ||
         (policy.has_timeout && !node.inputs.empty()) ||
         (node.batch.max_size > 1 && node.batch.max_delay_ns > 0);
}

std::vector<std::string> NamesOf(
    const std::map<std::string, std::shared_ptr<Allocator>>& allocators) {
  std::vector<std::string> names;
  for (const auto& [name, allocator] : allocators) names.push_back(name);
  return names;
}

// The end of an error's text: it has "a", "b".
std::string ItHas(const std::vector<std::string>& names) {
  if (names.empty()) return "it has none.";
  return absl::StrCat("it has \"", absl::StrJoin(names, "\", \""), "\".");
}

}  // namespace

// Tells the run that a condition has changed, as long as the run exists.
class GraphRunConditionListener : public ConditionListener {
 public:
  explicit GraphRunConditionListener(std::function<void()> tell)
      : tell_(std::move(tell)) {}
  void OnConditionChanged() override { tell_(); }

 private:
  const std::function<void()> tell_;
};

// --- Before and after the run

void GraphRun::MakeGates() {
  const std::vector<std::string> allocators = NamesOf(setup_.allocators);
  for (const Node::Placed& node : nodes_) {
    const PlanNode& plan = node->plan();
    const InputPolicyKind& policy = setup_.policies[plan.id];
    if (!IsGated(plan, policy)) continue;
    ConditionGate::Setup gate = {
        .clock = setup_.clock.get(),
        .holds = &holds_,
        .time_passes_by_itself =
            setup_.clock->passing() == GraphClock::Passing::kByItself};
    if (plan.conditions != nullptr) {
      absl::StatusOr<MadeConditions> made =
          MakeConditions(*plan.conditions, *plan.contract, allocators);
      if (!made.ok()) {
        gated_nodes_.AddError(made.status());
        continue;
      }
      gated_nodes_.WatchRooms(node.get(), *made);
      gate.conditions = std::make_unique<NodeConditions>(
          *plan.conditions, *std::move(made), NodeText(*plan.contract));
    }
    node->SetGate(std::move(gate));
    gated_nodes_.Add(node.get(), policy.has_timeout);
  }
  if (gated_nodes_.empty()) return;
  timers_.SetUp(setup_.executors, static_cast<int>(nodes_.size()));
}

void GraphRun::StartGates(const std::shared_ptr<GraphRun>& self) {
  if (!gated_nodes_.status().ok()) RecordError(gated_nodes_.status());
  if (gated_nodes_.empty()) return;
  const ConditionRun run{.clock = setup_.clock.get(),
                         .allocator = [this](absl::string_view name) {
                           return FindAllocator(name).value_or(nullptr);
                         }};
  for (Node* const node : gated_nodes_) {
    if (node->conditions() == nullptr) continue;
    const absl::Status status = node->conditions()->Start(run);
    if (!status.ok()) RecordError(status);
    const auto listener = std::make_shared<GraphRunConditionListener>(
        [weak = std::weak_ptr<GraphRun>(self), id = node->plan().id] {
          const std::shared_ptr<GraphRun> run = weak.lock();
          if (run != nullptr) run->ConditionChanged(id);
        });
    for (const auto& condition : node->conditions()->made().objects) {
      condition->SetListener(listener);
    }
  }
}

// --- RunObjects

absl::StatusOr<std::shared_ptr<ConditionBase>> GraphRun::FindCondition(
    int node_id, absl::string_view name) const {
  absl::string_view of_node = name;  // the name without that of the node
  const size_t slash = name.rfind('/');
  if (slash != absl::string_view::npos) {
    node_id = plan().FindNode(name.substr(0, slash));
    of_node = name.substr(slash + 1);
    if (node_id < 0) {
      return absl::NotFoundError(
          absl::StrCat("There is no node \"", name.substr(0, slash),
                       "\" for the condition \"", name, "\"."));
    }
  }
  if (node_id < 0 || node_id >= static_cast<int>(nodes_.size())) {
    return absl::NotFoundError(absl::StrCat(
        "Which condition \"", name,
        "\"? A condition of a node is called \"NODE/CONDITION\"."));
  }
  const NodeConditions* const conditions = nodes_[node_id]->conditions();
  std::shared_ptr<ConditionBase> found;
  std::vector<std::string> names;
  if (conditions != nullptr) {
    found = conditions->Find(of_node);
    for (const PlanCondition& condition : conditions->plan().conditions) {
      names.push_back(condition.name);
    }
  }
  if (found != nullptr) return found;
  return absl::NotFoundError(
      absl::StrCat("Node ", NodeText(*plan().nodes()[node_id].contract),
                   " has no condition \"", of_node, "\"; ", ItHas(names)));
}

absl::StatusOr<std::shared_ptr<Allocator>> GraphRun::FindAllocator(
    absl::string_view name) const {
  return FindAllocatorIn(setup_.allocators, name);
}

absl::StatusOr<std::shared_ptr<Allocator>> FindAllocatorIn(
    const std::map<std::string, std::shared_ptr<Allocator>>& allocators,
    absl::string_view name) {
  const auto found = allocators.find(std::string(name));
  if (found != allocators.end()) return found->second;
  return absl::NotFoundError(absl::StrCat("The graph has no allocator \"", name,
                                          "\"; ", ItHas(NamesOf(allocators))));
}

// --- Asking

void GraphRun::ActOnGateFacts(Effects* effects) {
  using Kind = Effects::GateFact::Kind;
  // The loop body may add further facts.
  for (size_t i = 0; i < effects->gate_facts.size(); ++i) {
    const Effects::GateFact fact = effects->gate_facts[i];
    if (fact.kind == Kind::kRoom) {
      gated_nodes_.TellRoomWatchers(fact.stream, effects);
      continue;
    }
    Node* const node = nodes_[fact.node].get();
    switch (fact.kind) {
      case Kind::kAsk:
        AskConditions(node, effects);
        break;
      case Kind::kSourceMayRun:
        ReadySource(node, effects);
        break;
      case Kind::kUndo:
        node->conditions()->UndoDispatch();
        node->AbandonAsk(effects);
        break;
      case Kind::kBatchBegun:
        node->HoldBatch(SaturatingAddNs(setup_.clock->NowNs(),
                                        node->plan().batch.max_delay_ns),
                        effects);
        break;
      case Kind::kInputWaitBegun:
        node->BeginInputWait(setup_.clock->NowNs(), effects);
        break;
      case Kind::kTimer: {
        timers_.Set(node->plan().executor, node->plan().id, fact.target_ns);
        // The application may have moved the clock since the node asked for the
        // time.
        if (setup_.clock->passing() == GraphClock::Passing::kWhenTold &&
            setup_.clock->NowNs() >= fact.target_ns) {
          node->TimeHasCome(setup_.clock->NowNs(), effects);
        }
        break;
      }
      case Kind::kRoom:
        break;
    }
  }
  effects->gate_facts.clear();
}

void GraphRun::AskConditions(Node* node, Effects* effects) {
  if (has_error()) return node->AbandonAsk(effects);
  if (node->is_source() && (sources_.is_stopping() ||
                            sources_.IsPaused(node->plan().sources.position))) {
    node->AbandonAsk(effects);
    return ContinueSource(node, effects);
  }
  NodeFacts* const facts = node->BeginAsk(setup_.clock->NowNs());
  if (facts == nullptr) return;
  if (max_duration_.is_over()) {
    return node->FinishAsk(
        ConditionResult::Never("the run has lasted for max_duration"),
        /*is_dispatched=*/false, effects);
  }
  NodeConditions* const conditions = node->conditions();
  for (const auto& [port, min_room] : conditions->made().watched_rooms) {
    node->AskedOutputs()[port].room =
        nodes_.RoomBehind(node->outputs().stream(port));
  }
  absl::StatusOr<ConditionResult> result = conditions->Ask(*facts);
  bool is_dispatched = false;
  if (result.ok() && result->state == ConditionState::kReady &&
      facts->has_input_set) {
    const absl::StatusOr<bool> dispatched = conditions->Dispatch(*facts);
    if (!dispatched.ok()) {
      result = dispatched.status();
    } else if (*dispatched) {
      is_dispatched = true;
    } else {
      result = ConditionResult::Wait("something that another node took first");
    }
  }
  if (!result.ok()) {
    RecordError(result.status());
    result = ConditionResult::Wait("an error");
  }
  if (effects->trace != nullptr) {
    effects->trace->NoteNow(TraceKind::kCondition, node->plan().id,
                            result->target_ns,
                            static_cast<std::uint32_t>(result->state));
  }
  node->FinishAsk(*result, is_dispatched, effects);
  // Another thread may have stopped the sources just before this one was held,
  // and so have missed it.
  if (node->is_source() && sources_.is_stopping()) {
    node->ReleaseSource(effects);
  }
}

void GraphRun::ConditionChanged(int node) {
  ApplicationCall call(this);
  if (call.is_running()) nodes_[node]->ConditionChanged(&call.effects);
}

// --- When idle

void GraphRun::AddHolds(IdleState* state) {
  if (gated_nodes_.empty()) return;
  // These holds will keep the run busy once its last sources have started.
  if (holds_.any()) {
    state->waits_for_outside = true;
    return;
  }
  const std::int64_t next = gated_nodes_.NextTime(&timers_);
  // A node that waits for the time of a call without packets does not count,
  // unless that time has come.
  if (next != RunTimers::kNone &&
      (!gated_nodes_.has_timeouts() || next <= setup_.clock->NowNs() ||
       gated_nodes_.HoldForTime())) {
    const bool jumps =
        setup_.clock->passing() == GraphClock::Passing::kWhenIdle;
    (jumps ? state->waits_for_idle_time : state->waits_for_outside) = true;
    // The clock will jump, whatever else is held, so the other nodes need not
    // be looked at.
    if (jumps) return;
  }
  gated_nodes_.AddHeld(state);
}

}  // namespace syncline
