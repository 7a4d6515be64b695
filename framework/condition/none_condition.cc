#include "framework/condition/none_condition.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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
    const absl::StatusOr<int> port = setup->Input("receivers", receiver);
    if (!port.ok()) return port.status();
  }
  for (const std::string& transmitter : options.transmitters()) {
    const absl::StatusOr<int> port = setup->Output("transmitters", transmitter);
    if (!port.ok()) return port.status();
  }
  return absl::OkStatus();
}

REGISTER_CONDITION(NoneCondition);
REGISTER_CONDITION_ALIAS(NoneCondition, kNone);

}  // namespace syncline
