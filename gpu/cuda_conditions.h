// Conditions on the work of devices, by the names of Holoscan and GXF.
//
//   condition                     waits until the device has done
//   CudaStreamCondition           all work that the packets wait for
//   CudaEventCondition            the work before a named DeviceEvent
//   CudaBufferAvailableCondition  the last writes of the packets' buffers
//
// A node whose work is on streams needs none of them: its streams wait on the
// device. They are for nodes that use values on the host, and for those that
// hold a thread while they do so.
//
//   node {
//     calculator: "WriteVideoCalculator" input_stream: "frames"
//     condition { type: "CudaStreamCondition" }
//   }
//
// Thread rule: as ConditionBase.
// Tested by cuda_conditions_test and device_conditions_graph_test.

#ifndef SYNCLINE_GPU_CUDA_CONDITIONS_H_
#define SYNCLINE_GPU_CUDA_CONDITIONS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/condition/condition.h"
#include "framework/packet/packet.h"
#include "gpu/device_work_condition.h"
#include "gpu/work_point.h"

namespace syncline::gpu {

class CudaStreamCondition : public DeviceWorkCondition {
 public:
  absl::Status Initialize(ConditionSetup* setup) override;

 protected:
  absl::StatusOr<std::vector<WorkPoint>> PointsOf(
      const Packet& packet) const override;
};

class CudaEventCondition : public DeviceWorkCondition {
 public:
  absl::Status Initialize(ConditionSetup* setup) override;

 protected:
  // An error for a packet without the event, and for one that was destroyed.
  absl::StatusOr<std::vector<WorkPoint>> PointsOf(
      const Packet& packet) const override;

 private:
  std::string event_name_;
};

class CudaBufferAvailableCondition : public DeviceWorkCondition {
 public:
  absl::Status Initialize(ConditionSetup* setup) override;

 protected:
  // An error for a packet without buffers.
  absl::StatusOr<std::vector<WorkPoint>> PointsOf(
      const Packet& packet) const override;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_CUDA_CONDITIONS_H_
