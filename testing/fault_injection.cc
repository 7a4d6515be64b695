#include "testing/fault_injection.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "framework/base/clock.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/call.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "testing/fault_calculator.h"

namespace syncline {

FaultInjection::FaultInjection() : orders_(std::make_shared<FaultOrders>()) {}

FaultInjection::~FaultInjection() = default;

absl::StatusOr<std::unique_ptr<FaultInjection>> FaultInjection::Create(
    const CalculatorGraphConfig& config) {
  SYNCLINE_ASSIGN_OR_RETURN(const GraphPlan plan, Compile(config));
  std::unique_ptr<FaultInjection> faults(new FaultInjection());
  for (const PlanNode& node : plan.nodes()) {
    faults->nodes_.emplace_back(node.name);
  }
  SYNCLINE_RETURN_IF_ERROR(faults->Wrap(plan.Config()));
  return faults;
}

absl::Status FaultInjection::Wrap(CalculatorGraphConfig config) {
  static std::atomic<int> types_made{0};
  config_ = std::move(config);
  for (int i = 0; i < config_.node_size(); ++i) {
    CalculatorGraphConfig::Node* const node = config_.mutable_node(i);
    const std::string real_type = node->calculator();
    const std::string type =
        absl::StrCat(absl::StrReplaceAll(real_type, {{".", "_"}, {"::", "_"}}),
                     "WithFaults", ++types_made);
    const auto make = [real_type, package = config_.package(), name = nodes_[i],
                       orders = orders_] {
      return WrapForFaults(
          name,
          // Registered: the plan has found it.
          *CalculatorBaseRegistry::CreateByNameInNamespace(package, real_type),
          orders);
    };
    SYNCLINE_ASSIGN_OR_RETURN(RegistrationToken token,
                              CalculatorBaseRegistry::TryRegister(type, make));
    registrations_.emplace_back(std::move(token));
    node->set_name(nodes_[i]);
    node->set_calculator(type);
  }
  return absl::OkStatus();
}

void FaultInjection::SetClock(Clock* clock) { orders_->SetClock(clock); }
void FaultInjection::SetGraph(CalculatorGraph* graph) {
  orders_->SetGraph(graph);
}

absl::Status FaultInjection::Add(Fault fault) {
  if (std::find(nodes_.begin(), nodes_.end(), fault.node) == nodes_.end()) {
    return absl::NotFoundError(
        absl::StrCat(FaultText(fault),
                     ": the graph has no such node. Nodes without a name go by "
                     "their type, those of subgraphs by \"subgraph__node\"; "
                     "see nodes()."));
  }
  if (fault.call == CallPhase::kNone || fault.number < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        FaultText(fault), ": calls are Open, Process from 1 on, and Close"));
  }
  return orders_->Add(std::move(fault));
}

void FaultInjection::Clear() { orders_->Clear(); }

Fault FaultInjection::RandomFault(std::uint64_t seed) const {
  std::mt19937_64 random(seed);
  Fault fault;
  if (!nodes_.empty()) fault.node = nodes_[random() % nodes_.size()];
  constexpr FaultKind kKinds[] = {
      FaultKind::kError,        FaultKind::kRuntimeError, FaultKind::kBadAlloc,
      FaultKind::kBlock,        FaultKind::kDelay,        FaultKind::kCancel,
      FaultKind::kLateTimestamp};
  fault.kind = kKinds[random() % std::size(kKinds)];
  // Most calls are calls of Process.
  const std::uint64_t call = random() % 8;
  fault.call = call == 0   ? CallPhase::kOpen
               : call == 1 ? CallPhase::kClose
                           : CallPhase::kProcess;
  fault.number = 1 + static_cast<int>(random() % 8);
  fault.delay = absl::Microseconds(random() % 500);
  return fault;
}

bool FaultInjection::WaitUntilBlocked() { return orders_->WaitUntilBlocked(); }
void FaultInjection::Release() { orders_->Release(); }

std::vector<std::string> FaultInjection::happened() const {
  return orders_->happened();
}

}  // namespace syncline
