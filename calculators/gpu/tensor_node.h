// What the calculators with tensors share: orders and numbers of options, and
// tensors in new memory.
//
// Thread rule: calls of a node may overlap.
// Tested by tensor_calculators_test.

#ifndef SYNCLINE_CALCULATORS_GPU_TENSOR_NODE_H_
#define SYNCLINE_CALCULATORS_GPU_TENSOR_NODE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "calculators/gpu/device_node.h"
#include "calculators/gpu/gpu_calculators.pb.h"
#include "gpu/device_tensor.h"
#include "gpu/kernels/tensor_plan.h"
#include "gpu/stream.h"
#include "gpu/tensor_transfer.h"

namespace syncline {

class TensorNode : public DeviceNode {
 protected:
  // A tensor without gaps in new device memory.
  absl::StatusOr<gpu::DeviceTensor> NewTensor(
      const gpu::Stream& stream, gpu::TensorElement element,
      const gpu::DeviceTensor::Sizes& shape, absl::string_view name) {
    SYNCLINE_ASSIGN_OR_RETURN(const std::size_t bytes,
                              gpu::DeviceTensor::BytesOf(element, shape));
    gpu::DeviceBuffer memory;
    if (bytes > 0) {
      SYNCLINE_ASSIGN_OR_RETURN(memory, NewMemory(stream, bytes, name));
    }
    return gpu::DeviceTensor::Make(std::move(memory), element, shape);
  }

  // The tensor itself if it is what kernels take: without gaps, at the
  // beginning of its memory. Else a copy that is.
  absl::StatusOr<gpu::DeviceTensor> Dense(const gpu::Stream& stream,
                                          const gpu::DeviceTensor& tensor) {
    if (tensor.is_dense() && tensor.byte_offset() == 0) return tensor;
    SYNCLINE_ASSIGN_OR_RETURN(
        gpu::DeviceTensor dense,
        NewTensor(stream, tensor.element(), tensor.shape(), "dense"));
    SYNCLINE_RETURN_IF_ERROR(gpu::CopyTensor(stream, tensor, dense));
    return dense;
  }
};

inline gpu::TensorOrder OrderOf(
    GpuImageToTensorCalculatorOptions::Order order) {
  return order == GpuImageToTensorCalculatorOptions::CHW
             ? gpu::TensorOrder::kChw
             : gpu::TensorOrder::kHwc;
}

// The numbers of an option, or the default.
template <typename Values>
std::vector<float> NumbersOr(const Values& values, float otherwise) {
  if (values.empty()) return {otherwise};
  return {values.begin(), values.end()};
}

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_GPU_TENSOR_NODE_H_
