#include "framework/condition/none_condition.h"

#include <string>

#include "absl/status/status.h"
#include "framework/base/status_macros.h"
#include "framework/condition/condition.h"
#include "framework/config/conditions.pb.h"

namespace syncline {

absl::Status NoneCondition::Initialize(ConditionSetup* setup) {
  const auto& options = setup->Options<NoneConditionOptions>();
  if (options.receivers().empty() && options.transmitters().empty()) {
    return absl::InvalidArgumentError(
        "Neither receivers nor transmitters is set; name the ports that have "
        "no condition.");
  }
  for (const std::string& receiver : options.receivers()) {
    SYNCLINE_RETURN_IF_ERROR(setup->Input("receivers", receiver));
  }
  for (const std::string& transmitter : options.transmitters()) {
    SYNCLINE_RETURN_IF_ERROR(setup->Output("transmitters", transmitter));
  }
  return absl::OkStatus();
}

REGISTER_CONDITION(NoneCondition);
REGISTER_CONDITION_ALIAS(NoneCondition, kNone);

}  // namespace syncline
