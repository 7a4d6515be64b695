// How calculators are found by the name that a graph gives.
//
// REGISTER_CALCULATOR(Name) at namespace scope, once for each class, with the
// class's own name or its full one (::my_project::Name). Rules of lookup and of
// shared libraries: base/name_registry.h.
//
// Thread rule: safe from any thread.
// Tested by calculator_base_test.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_CALCULATOR_REGISTRY_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_CALCULATOR_REGISTRY_H_

#include <concepts>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "framework/base/registry.h"
#include "framework/base/type_id.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/contract.h"

namespace syncline {

// Makes calculators of one class and asks the class for its contract.
class CalculatorBaseFactory {
 public:
  virtual ~CalculatorBaseFactory() = default;
  virtual absl::Status GetContract(CalculatorContract* cc) const = 0;
  virtual std::unique_ptr<CalculatorBase> CreateCalculator(
      CalculatorContext* cc) const = 0;
  // The C++ class, for messages.
  virtual std::string ClassName() const = 0;
};

template <typename T>
concept HasGetContract = requires(CalculatorContract* cc) {
  { T::GetContract(cc) } -> std::convertible_to<absl::Status>;
};

template <typename T>
class CalculatorBaseFactoryFor : public CalculatorBaseFactory {
  static_assert(std::derived_from<T, CalculatorBase>,
                "a calculator derives from CalculatorBase");
  static_assert(HasGetContract<T>,
                "a calculator has a public "
                "`static absl::Status GetContract(CalculatorContract* cc)`");

 public:
  absl::Status GetContract(CalculatorContract* cc) const override {
    return T::GetContract(cc);
  }
  std::unique_ptr<CalculatorBase> CreateCalculator(
      CalculatorContext* cc) const override {
    return std::make_unique<T>();
  }
  std::string ClassName() const override { return TypeIdOf<T>().name(); }
};

using CalculatorBaseRegistry =
    GlobalFactoryRegistry<std::unique_ptr<CalculatorBaseFactory>>;

#define REGISTER_CALCULATOR(name)                                        \
  REGISTER_FACTORY_FUNCTION_QUALIFIED(                                   \
      ::syncline::CalculatorBaseRegistry, calculator_registration, name, \
      std::make_unique<::syncline::CalculatorBaseFactoryFor<name>>)

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_CALCULATOR_REGISTRY_H_
