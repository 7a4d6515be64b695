#include "gpu/cuda_conditions.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "gpu/cuda_conditions.pb.h"
#include "gpu/device_event.h"
#include "gpu/device_work.h"

namespace syncline::gpu {

// --- CudaStreamCondition

absl::Status CudaStreamCondition::Initialize(ConditionSetup* setup) {
  return WatchReceiver(setup,
                       setup->Options<CudaStreamConditionOptions>().receiver());
}

absl::StatusOr<std::vector<WorkPoint>> CudaStreamCondition::PointsOf(
    const Packet& packet) const {
  return PendingWorkOf(packet).PointsBeforeReading();
}

// --- CudaEventCondition

absl::Status CudaEventCondition::Initialize(ConditionSetup* setup) {
  const auto& options = setup->Options<CudaEventConditionOptions>();
  event_name_ = options.event_name();
  return WatchReceiver(setup, options.receiver());
}

absl::StatusOr<std::vector<WorkPoint>> CudaEventCondition::PointsOf(
    const Packet& packet) const {
  SYNCLINE_ASSIGN_OR_RETURN(const DeviceEvent event,
                            FindEvent(packet, event_name_));
  SYNCLINE_ASSIGN_OR_RETURN(const WorkPoint point, event.Point());
  return std::vector<WorkPoint>{point};
}

// --- CudaBufferAvailableCondition

absl::Status CudaBufferAvailableCondition::Initialize(ConditionSetup* setup) {
  return WatchReceiver(
      setup, setup->Options<CudaBufferAvailableConditionOptions>().receiver());
}

absl::StatusOr<std::vector<WorkPoint>> CudaBufferAvailableCondition::PointsOf(
    const Packet& packet) const {
  const DeviceWork work = PendingWorkOf(packet);
  if (work.buffers().empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the packet ", packet.DebugString(),
        " has no DeviceBuffer. Send one, or use CudaStreamCondition."));
  }
  DeviceWork buffers;
  for (const DeviceBuffer& buffer : work.buffers()) buffers.Add(buffer);
  return buffers.PointsBeforeReading();
}

REGISTER_CONDITION(CudaStreamCondition);
REGISTER_CONDITION_ALIAS(CudaStreamCondition, CudaStreamSchedulingTerm);
REGISTER_CONDITION(CudaEventCondition);
REGISTER_CONDITION_ALIAS(CudaEventCondition, CudaEventSchedulingTerm);
REGISTER_CONDITION(CudaBufferAvailableCondition);
REGISTER_CONDITION_ALIAS(CudaBufferAvailableCondition,
                         CudaBufferAvailableSchedulingTerm);

}  // namespace syncline::gpu
