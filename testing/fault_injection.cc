#include "testing/fault_injection.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/base/clock.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/call.h"
#include "framework/calculator/output_stream.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "testing/lifetimes.h"

namespace syncline {
namespace {

absl::string_view KindText(FaultKind kind) {
  switch (kind) {
    case FaultKind::kError:
      return "an error";
    case FaultKind::kRuntimeError:
      return "a runtime_error";
    case FaultKind::kBadAlloc:
      return "a bad_alloc";
    case FaultKind::kBlock:
      return "a block";
    case FaultKind::kDelay:
      return "a delay";
    case FaultKind::kCancel:
      return "a cancel";
    case FaultKind::kLateTimestamp:
      return "a late timestamp";
  }
  return "a fault";
}

class InjectedBadAlloc : public std::bad_alloc {
 public:
  explicit InjectedBadAlloc(std::string text)
      : text_(std::make_shared<const std::string>(std::move(text))) {}
  const char* what() const noexcept override { return text_->c_str(); }

 private:
  // Copies must not throw.
  std::shared_ptr<const std::string> text_;
};

// Sends the last packet of this call again, a little earlier. False if the call
// sends none.
bool SendLate(CalculatorContext* cc) {
  for (OutputStream& output : cc->Outputs()) {
    if (output.packets().empty() || output.IsClosed()) continue;
    const Packet& last = output.packets().back();
    const Timestamp time = last.Timestamp();
    const bool has_earlier = time.IsRangeValue() && time > Timestamp::Min();
    output.AddPacket(last.At(has_earlier ? time - TimestampDiff(1) : time));
    return true;
  }
  return false;
}

}  // namespace

std::string FaultText(const Fault& fault) {
  std::string call;
  switch (fault.call) {
    case CallPhase::kOpen:
      call = "Open";
      break;
    case CallPhase::kClose:
      call = "Close";
      break;
    default:
      call = absl::StrCat("Process ", fault.number);
  }
  return absl::StrCat("injected fault: ", KindText(fault.kind), " in ", call,
                      " of node \"", fault.node, "\"");
}

// What is to happen, and what has happened.
class FaultInjection::Orders {
 public:
  void SetClock(Clock* clock) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    clock_ = clock;
  }
  void SetGraph(CalculatorGraph* graph) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    graph_ = graph;
  }
  absl::Status Add(Fault fault) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    if (fault.kind == FaultKind::kCancel && graph_ == nullptr) {
      return absl::FailedPreconditionError(absl::StrCat(
          FaultText(fault), ": call SetGraph() first, with what to cancel"));
    }
    faults_.push_back(std::move(fault));
    return absl::OkStatus();
  }
  void Clear() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    faults_.clear();
    happened_.clear();
    is_released_ = false;
  }

  // The faults of a node.
  std::vector<Fault> Of(const std::string& node) const
      ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    std::vector<Fault> faults;
    for (const Fault& fault : faults_) {
      if (fault.node == node) faults.push_back(fault);
    }
    return faults;
  }
  void NoteThatItHappens(const Fault& fault) ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    happened_.push_back(FaultText(fault));
  }
  std::vector<std::string> happened() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return happened_;
  }

  void Block() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    ++blocked_;
    changed_.SignalAll();
    while (!is_released_) changed_.Wait(&mutex_);
    --blocked_;
  }
  bool WaitUntilBlocked() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    while (blocked_ == 0 && !is_released_) changed_.Wait(&mutex_);
    return !is_released_;
  }
  void Release() ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    is_released_ = true;
    changed_.SignalAll();
  }

  Clock* clock() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return clock_;
  }
  CalculatorGraph* graph() const ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(&mutex_);
    return graph_;
  }

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  Clock* clock_ ABSL_GUARDED_BY(mutex_) = Clock::RealClock();
  CalculatorGraph* graph_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::vector<Fault> faults_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> happened_ ABSL_GUARDED_BY(mutex_);
  int blocked_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_released_ ABSL_GUARDED_BY(mutex_) = false;
};

// The calculator of a wrapped node in one run. Its calls may overlap if those
// of the real one may.
class FaultInjection::Calculator : public CountedCalculator {
 public:
  Calculator(std::unique_ptr<CalculatorBase> real, std::vector<Fault> faults,
             std::shared_ptr<Orders> orders)
      : real_(std::move(real)),
        faults_(std::move(faults)),
        is_over_(faults_.size()),
        orders_(std::move(orders)) {}

  absl::Status Open(CalculatorContext* cc) override {
    return Call(CallPhase::kOpen, 0, cc, &CalculatorBase::Open);
  }
  absl::Status Process(CalculatorContext* cc) override {
    return Call(CallPhase::kProcess, ++calls_, cc, &CalculatorBase::Process);
  }
  absl::Status Close(CalculatorContext* cc) override {
    return Call(CallPhase::kClose, 0, cc, &CalculatorBase::Close);
  }
  Timestamp SourceProcessOrder(const CalculatorContext* cc) const override {
    return real_->SourceProcessOrder(cc);
  }

 private:
  absl::Status Call(CallPhase phase, int number, CalculatorContext* cc,
                    absl::Status (CalculatorBase::*real)(CalculatorContext*)) {
    for (const Fault& fault : faults_) {
      const bool is_its_call =
          fault.call == phase &&
          (phase != CallPhase::kProcess || fault.number == number);
      if (!is_its_call || fault.kind == FaultKind::kLateTimestamp) continue;
      SYNCLINE_RETURN_IF_ERROR(Happen(fault));
    }
    absl::Status status = (real_.get()->*real)(cc);
    if (!status.ok()) return status;
    for (std::size_t i = 0; i < faults_.size(); ++i) {
      const Fault& fault = faults_[i];
      if (fault.kind != FaultKind::kLateTimestamp || fault.call != phase ||
          (phase == CallPhase::kProcess && number < fault.number)) {
        continue;
      }
      // Calls may overlap.
      if (is_over_[i].exchange(true)) continue;
      if (SendLate(cc)) {
        orders_->NoteThatItHappens(fault);
      } else {
        is_over_[i] = false;
      }
    }
    return status;
  }

  absl::Status Happen(const Fault& fault) {
    orders_->NoteThatItHappens(fault);
    switch (fault.kind) {
      case FaultKind::kError:
        return absl::Status(fault.code, FaultText(fault));
      case FaultKind::kRuntimeError:
        throw std::runtime_error(FaultText(fault));
      case FaultKind::kBadAlloc:
        throw InjectedBadAlloc(FaultText(fault));
      case FaultKind::kBlock:
        orders_->Block();
        break;
      case FaultKind::kDelay:
        orders_->clock()->Sleep(fault.delay);
        break;
      case FaultKind::kCancel:
        orders_->graph()->Cancel();
        break;
      case FaultKind::kLateTimestamp:
        break;
    }
    return absl::OkStatus();
  }

  const std::unique_ptr<CalculatorBase> real_;
  const std::vector<Fault> faults_;
  std::vector<std::atomic<bool>> is_over_;  // for each of faults_
  const std::shared_ptr<Orders> orders_;
  std::atomic<int> calls_{0};
};

class FaultInjection::Factory : public CalculatorBaseFactory {
 public:
  Factory(std::string node, std::unique_ptr<CalculatorBaseFactory> real,
          std::shared_ptr<Orders> orders)
      : node_(std::move(node)),
        real_(std::move(real)),
        orders_(std::move(orders)) {}

  absl::Status GetContract(CalculatorContract* cc) const override {
    return real_->GetContract(cc);
  }
  std::unique_ptr<CalculatorBase> CreateCalculator(
      CalculatorContext* cc) const override {
    std::unique_ptr<CalculatorBase> real = real_->CreateCalculator(cc);
    if (real == nullptr) return nullptr;
    return std::make_unique<Calculator>(std::move(real), orders_->Of(node_),
                                        orders_);
  }
  std::string ContractMethodName() const override {
    return real_->ContractMethodName();
  }

 private:
  const std::string node_;
  const std::unique_ptr<CalculatorBaseFactory> real_;
  const std::shared_ptr<Orders> orders_;
};

FaultInjection::FaultInjection() : orders_(std::make_shared<Orders>()) {}

FaultInjection::~FaultInjection() = default;

absl::StatusOr<std::unique_ptr<FaultInjection>> FaultInjection::Create(
    const CalculatorGraphConfig& config) {
  SYNCLINE_ASSIGN_OR_RETURN(const GraphPlan plan, Compile(config));
  std::unique_ptr<FaultInjection> faults(new FaultInjection());
  for (const PlanNode& node : plan.nodes()) {
    faults->nodes_.push_back(node.name);
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
      return std::make_unique<Factory>(
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
