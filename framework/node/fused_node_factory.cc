// The calculator "FusedNode" as the plan knows it.

#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "framework/base/hash_map.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/base/typed_registry.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/node/fused_node.h"
#include "framework/node/fused_parts.h"

namespace syncline {
namespace {

// Keeps the parts that the contract has found, for the calculators that are
// made later.
class FusedNodeFactory : public CalculatorBaseFactory {
 public:
  absl::Status GetContract(CalculatorContract* cc) const override {
    SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<const FusedParts> parts,
                              FusedParts::Make(*cc));
    SYNCLINE_RETURN_IF_ERROR(parts->Describe(cc));
    MutexLock lock(&mutex_);
    parts_[cc] = std::move(parts);
    return absl::OkStatus();
  }

  // The errors name the part, and which function of its class failed.
  std::string ContractMethodName() const override { return ""; }

  std::unique_ptr<CalculatorBase> CreateCalculator(
      CalculatorContext* cc) const override {
    return std::make_unique<FusedNodeCalculator>(PartsOf(cc->contract()));
  }

 private:
  std::shared_ptr<const FusedParts> PartsOf(
      const CalculatorContract& contract) const {
    MutexLock lock(&mutex_);
    const auto found = parts_.find(&contract);
    if (found != parts_.end()) return found->second;
    ReportMisuse(absl::FailedPreconditionError(
        "the factory that makes a FusedNode is not the one that was asked for "
        "its contract."));
  }

  mutable Mutex mutex_;
  // The key is a contract, which lives as long as its plan.
  mutable HashMap<const CalculatorContract*, std::shared_ptr<const FusedParts>>
      parts_ ABSL_GUARDED_BY(mutex_);
};

// The name is reserved.
REGISTER_FACTORY_FUNCTION_QUALIFIED(
    CalculatorBaseRegistry, calculator_registration, FusedNode,
    [] { return std::make_unique<FusedNodeFactory>(); });

}  // namespace
}  // namespace syncline
