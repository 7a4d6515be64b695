#include "testing/explored_devices.h"

#include <algorithm>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/plan/graph_plan.h"
#include "gpu/known_names.h"
#include "testing/schedule_chooser.h"

namespace syncline {

bool ExploredDevices::AreUsedBy(const GraphPlan& plan) {
  return std::any_of(plan.services().begin(), plan.services().end(),
                     [](const PlanService& service) {
                       return service.key == gpu::kDeviceServiceKey;
                     });
}

absl::StatusOr<std::unique_ptr<ExploredDevices>> ExploredDevices::Make(
    const GraphPlan& plan, ScheduleChooser* chooser) {
  if (ExploredDeviceKinds::IsRegistered(kExploredDevices)) {
    return ExploredDeviceKinds::CreateByName(kExploredDevices, plan, chooser);
  }
  return absl::FailedPreconditionError(
      "nodes of this graph use devices, and the program is built without those "
      "whose order of work can be chosen: add //testing:explore_schedules to "
      "its deps");
}

}  // namespace syncline
