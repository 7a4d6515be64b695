#include "examples/pedestrians/wrapped_calculators.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "framework/calculator/calculator_registry.h"

namespace syncline {
namespace {

class WrappedFactory : public CalculatorBaseFactory {
 public:
  WrappedFactory(std::unique_ptr<CalculatorBaseFactory> inner,
                 WrapCalculator wrap)
      : inner_(std::move(inner)), wrap_(std::move(wrap)) {}
  absl::Status GetContract(CalculatorContract* cc) const override {
    return inner_->GetContract(cc);
  }
  std::unique_ptr<CalculatorBase> CreateCalculator(
      CalculatorContext* cc) const override {
    return wrap_(inner_->CreateCalculator(cc));
  }

 private:
  const std::unique_ptr<CalculatorBaseFactory> inner_;
  const WrapCalculator wrap_;
};

}  // namespace

absl::StatusOr<std::string> RegisterWrapped(const std::string& prefix,
                                            const std::string& calculator,
                                            const WrapCalculator& wrap) {
  const std::string name = absl::StrCat(prefix, calculator);
  if (CalculatorBaseRegistry::IsRegistered(name)) return name;
  SYNCLINE_RETURN_IF_ERROR(
      CalculatorBaseRegistry::CreateByName(calculator).status());
  const auto make = [calculator,
                     wrap]() -> std::unique_ptr<CalculatorBaseFactory> {
    auto inner = CalculatorBaseRegistry::CreateByName(calculator);
    return std::make_unique<WrappedFactory>(*std::move(inner), wrap);
  };
  // Dropping the token without Unregister() keeps the registration.
  SYNCLINE_RETURN_IF_ERROR(
      CalculatorBaseRegistry::TryRegister(name, make).status());
  return name;
}

}  // namespace syncline
