#include "framework/calculator/register_calculator.h"

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/base/name_registry.h"
#include "framework/base/source_location.h"
#include "framework/calculator/calculator_registry.h"

namespace syncline {

absl::StatusOr<RegistrationToken> CalculatorRegistration::Register(
    absl::string_view name, Make make, source_location location) {
  return CalculatorBaseRegistry::functions()->names().Register(
      name, CalculatorBaseRegistry::Function(make), location.ToString(),
      NameRegistry::Origin::kStatic, location.file_name());
}

}  // namespace syncline
