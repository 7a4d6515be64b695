#include "testing/fault_calculator.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/call.h"
#include "framework/calculator/output_stream.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "testing/lifetimes.h"

namespace syncline {
namespace {

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

// The calculator of a wrapped node in one run. Its calls may overlap if those
// of the real one may.
class WrappedCalculator : public CountedCalculator {
 public:
  WrappedCalculator(std::unique_ptr<CalculatorBase> real,
                    std::vector<Fault> faults,
                    std::shared_ptr<FaultOrders> orders)
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
  const std::shared_ptr<FaultOrders> orders_;
  std::atomic<int> calls_{0};
};

class WrappingFactory : public CalculatorBaseFactory {
 public:
  WrappingFactory(std::string node, std::unique_ptr<CalculatorBaseFactory> real,
                  std::shared_ptr<FaultOrders> orders)
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
    return std::make_unique<WrappedCalculator>(std::move(real),
                                               orders_->Of(node_), orders_);
  }
  std::string ContractMethodName() const override {
    return real_->ContractMethodName();
  }

 private:
  const std::string node_;
  const std::unique_ptr<CalculatorBaseFactory> real_;
  const std::shared_ptr<FaultOrders> orders_;
};

}  // namespace

std::unique_ptr<CalculatorBaseFactory> WrapForFaults(
    std::string node, std::unique_ptr<CalculatorBaseFactory> real,
    std::shared_ptr<FaultOrders> orders) {
  return std::make_unique<WrappingFactory>(std::move(node), std::move(real),
                                           std::move(orders));
}

}  // namespace syncline
