#include "framework/node/node_conditions.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/base/cache_lines.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_result.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/make_conditions.h"
#include "framework/stream/input_queue.h"
#include "glog/logging.h"

namespace syncline {

NodeConditions::NodeConditions(const PlanConditions& plan, MadeConditions made,
                               std::string node_text)
    : plan_(plan),
      made_(std::move(made)),
      node_text_(std::move(node_text)),
      results_(made_.objects.size()) {}

std::shared_ptr<ConditionBase> NodeConditions::Find(
    absl::string_view name) const {
  for (size_t i = 0; i < plan_.conditions.size(); ++i) {
    if (plan_.conditions[i].name == name) return made_.objects[i];
  }
  return nullptr;
}

absl::Status NodeConditions::Named(size_t condition,
                                   const absl::Status& status) const {
  return PrefixStatus(
      absl::StrCat("Node ", node_text_, ": ",
                   ConditionText(plan_.conditions[condition]), " failed: "),
      status);
}

template <typename Code>
absl::Status NodeConditions::Call(size_t condition, const Code& code) const {
  const absl::Status status =
      CallUserCode([&] { return code(*made_.objects[condition]); });
  return status.ok() ? status : Named(condition, status);
}

absl::Status NodeConditions::Start(const ConditionRun& run) {
  for (size_t i = 0; i < made_.objects.size(); ++i) {
    SYNCLINE_RETURN_IF_ERROR(Call(
        i, [&](ConditionBase& condition) { return condition.Start(run); }));
  }
  return absl::OkStatus();
}

void NodeConditions::Stop() {
  // Calls that were dispatched do not come after an error.
  while (dispatched_.load() > 0) UndoDispatch();
  for (size_t i = 0; i < made_.objects.size(); ++i) {
    made_.objects[i]->SetListener(nullptr);
    const absl::Status status =
        Call(i, [](ConditionBase& condition) { condition.Stop(); });
    if (!status.ok()) LOG(ERROR) << status;
  }
}

absl::StatusOr<ConditionResult> NodeConditions::Ask(const NodeFacts& facts) {
  for (size_t i = 0; i < made_.objects.size(); ++i) {
    SYNCLINE_RETURN_IF_ERROR(
        Call(i, [&](ConditionBase& condition) -> absl::Status {
          SYNCLINE_RETURN_IF_ERROR(condition.UpdateState(facts));
          SYNCLINE_ASSIGN_OR_RETURN(results_[i], condition.Check(facts));
          return absl::OkStatus();
        }));
    // A time that has come is no reason to wait.
    if (results_[i].state == ConditionState::kWaitTime &&
        results_[i].target_ns <= facts.now_ns) {
      results_[i] = ConditionResult::Ready();
    }
  }
  // One condition needs no combination.
  return results_.size() == 1 ? results_[0] : Combined(0);
}

ConditionResult NodeConditions::Combined(int group) const {
  const PlanConditionGroup& members = plan_.groups[group];
  ConditionResult all =
      members.is_any ? ConditionResult::Never("") : ConditionResult::Ready();
  const auto add = [&](const ConditionResult& one) {
    all = members.is_any ? AnyOf(all, one) : AllOf(all, one);
  };
  for (const int condition : members.conditions) add(results_[condition]);
  for (const int inner : members.groups) add(Combined(inner));
  return all;
}

bool NodeConditions::WaitForPackets(int group,
                                    absl::Span<const InputQueue> queues) const {
  const auto is_unmet = [&](const PacketNeed& need) {
    std::int64_t queued = 0;
    bool is_done = true;
    for (const int port : need.inputs) {
      queued += queues[port].size();
      is_done &= queues[port].bound() >= Timestamp::OneOverPostStream();
    }
    return queued < need.min_packets && !is_done;
  };
  const PlanConditionGroup& members = plan_.groups[group];
  int waiting = 0;
  for (const int condition : members.conditions) {
    const std::vector<PacketNeed>& needs = made_.needs[condition];
    if (std::any_of(needs.begin(), needs.end(), is_unmet)) ++waiting;
  }
  for (const int inner : members.groups) {
    if (WaitForPackets(inner, queues)) ++waiting;
  }
  if (!members.is_any) return waiting > 0;
  return waiting ==
         static_cast<int>(members.conditions.size() + members.groups.size());
}

absl::StatusOr<bool> NodeConditions::Dispatch(const NodeFacts& facts) {
  for (size_t i = 0; i < made_.objects.size(); ++i) {
    bool is_there = false;
    const absl::Status status =
        Call(i, [&](ConditionBase& condition) -> absl::Status {
          SYNCLINE_ASSIGN_OR_RETURN(is_there,
                                    condition.OnDispatch(facts, results_[i]));
          return absl::OkStatus();
        });
    if (status.ok() && is_there) continue;
    UndoFirst(i);
    if (!status.ok()) return status;
    return false;
  }
  dispatched_.fetch_add(1);
  return true;
}

void NodeConditions::UndoDispatch() {
  if (dispatched_.load() == 0) return;
  dispatched_.fetch_sub(1);
  UndoFirst(made_.objects.size());
}

void NodeConditions::UndoFirst(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const absl::Status status =
        Call(i, [](ConditionBase& condition) { condition.OnDispatchUndone(); });
    if (!status.ok()) LOG(ERROR) << status;
  }
}

void NodeConditions::FetchLists() const {
  FetchLines(made_.objects.data(), 1);
  FetchLines(results_.data(), 1);
}

void NodeConditions::FetchObjects() const {
  for (const std::shared_ptr<ConditionBase>& condition : made_.objects) {
    FetchLines(condition.get(), 2);
  }
}

absl::Status NodeConditions::BeforeExecute() {
  dispatched_.fetch_sub(1);
  size_t i = 0;
  const absl::Status status = CallUserCode([&] {
    for (; i < made_.objects.size(); ++i) made_.objects[i]->BeforeExecute();
  });
  return status.ok() ? status : Named(i, status);
}

absl::Status NodeConditions::OnExecute(std::int64_t now_ns) {
  for (size_t i = 0; i < made_.objects.size(); ++i) {
    SYNCLINE_RETURN_IF_ERROR(Call(i, [&](ConditionBase& condition) {
      return condition.OnExecute(now_ns);
    }));
  }
  return absl::OkStatus();
}

}  // namespace syncline
