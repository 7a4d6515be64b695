// REGISTER_CALCULATOR: makes a class known by its name, as a config writes it
// in `calculator: "X"`.
//
//   REGISTER_CALCULATOR(MyCalculator);                 in the class's namespace
//   REGISTER_CALCULATOR(::my_project::MyCalculator);   anywhere
//
// The first form makes the class known under its plain name, the second under
// its full one, which a config finds as "my_project.MyCalculator" or through
// `package`. base/name_registry.h has the rules of names, of duplicates and of
// shared libraries.
//
// What is registered is a factory. It answers for the class (GetContract) and
// makes its objects. calculator_registry.h finds factories by name.
//
// Thread rule: factories are immutable.
// Tested by calculator_registry_test and calculator_plugin_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_REGISTER_CALCULATOR_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_REGISTER_CALCULATOR_H_

#include <concepts>
#include <memory>
#include <string>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/registration.h"
#include "framework/base/source_location.h"
#include "framework/calculator/calculator_base.h"

namespace syncline {

class CalculatorBaseFactory {
 public:
  virtual ~CalculatorBaseFactory() = default;
  virtual absl::Status GetContract(CalculatorContract* cc) const = 0;
  virtual std::unique_ptr<CalculatorBase> CreateCalculator(
      CalculatorContext* cc) const = 0;
  // For errors: which function of the class failed. "" if the errors name the
  // function by themselves.
  virtual std::string ContractMethodName() const { return "GetContract"; }
};

template <typename T>
concept HasGetContract = requires(CalculatorContract* cc) {
  { T::GetContract(cc) } -> std::convertible_to<absl::Status>;
};

// An object of T, which has a default constructor, or one that takes a
// CalculatorContext*.
template <typename T>
std::unique_ptr<CalculatorBase> MakeCalculator(CalculatorContext* cc) {
  if constexpr (std::is_constructible_v<T, CalculatorContext*>) {
    return std::make_unique<T>(cc);
  } else {
    return std::make_unique<T>();
  }
}

// The factory of T, see MakeCalculator.
template <typename T>
class CalculatorBaseFactoryFor : public CalculatorBaseFactory {
  static_assert(std::is_base_of_v<CalculatorBase, T>,
                "a calculator derives from syncline::CalculatorBase");
  static_assert(HasGetContract<T>,
                "a calculator has a public function "
                "static absl::Status GetContract(CalculatorContract* cc)");
  static_assert(!std::is_abstract_v<T>,
                "a calculator that is registered overrides Process");

 public:
  absl::Status GetContract(CalculatorContract* cc) const override {
    return T::GetContract(cc);
  }
  std::unique_ptr<CalculatorBase> CreateCalculator(
      CalculatorContext* cc) const override {
    return MakeCalculator<T>(cc);
  }
};

// The names of older code.
namespace internal {
using ::syncline::CalculatorBaseFactory;
using ::syncline::CalculatorBaseFactoryFor;
}  // namespace internal

// What REGISTER_CALCULATOR registers with. The table is out of line.
class CalculatorRegistration {
 public:
  using Make = std::unique_ptr<CalculatorBaseFactory> (*)();

  static RegistrationToken RegisterStatic(absl::string_view name, Make make,
                                          source_location location) {
    return TokenOrReport(Register(name, make, location));
  }

 private:
  static absl::StatusOr<RegistrationToken> Register(absl::string_view name,
                                                    Make make,
                                                    source_location location);
};

}  // namespace syncline

#define REGISTER_CALCULATOR(name)                                             \
  REGISTER_FACTORY_FUNCTION_QUALIFIED(                                        \
      ::syncline::CalculatorRegistration, calculator_registration, name, [] { \
        return std::unique_ptr<::syncline::CalculatorBaseFactory>(            \
            std::make_unique<::syncline::CalculatorBaseFactoryFor<name>>());  \
      })

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_REGISTER_CALCULATOR_H_
