// TensorCopierCalculator: brings tensors to the device, to pinned memory of the
// host, or to the host.
//
//   node {
//     calculator: "TensorCopierCalculator"
//     input_stream: "tensors"     # gpu::DeviceTensor, or Tensor
//     output_stream: "copies"     # mode DEVICE, HOST: gpu::DeviceTensor
//                                 # mode SYSTEM: Tensor
//     options { [syncline.TensorCopierCalculatorOptions.ext] { mode: SYSTEM } }
//   }
//
// Copies are without gaps. With SYSTEM the host waits for the device; else
// nobody does, and who reads pinned memory waits for the tensor first. A tensor
// that is already where it should be, and without gaps, is passed on. A tensor
// of another device comes to that of the node.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: calls may overlap.
// Tested by tensor_calculators_test.
#include <utility>

#include "calculators/gpu/gpu_calculators.pb.h"
#include "calculators/gpu/tensor_node.h"
#include "framework/calculator_framework.h"
#include "framework/formats/tensor.h"
#include "gpu/device_tensor.h"
#include "gpu/tensor_transfer.h"

namespace syncline {

class TensorCopierCalculator : public TensorNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetOneOf<gpu::DeviceTensor, Tensor>();
    if (cc->Options<TensorCopierCalculatorOptions>().mode() ==
        TensorCopierCalculatorOptions::SYSTEM) {
      cc->Outputs().Index(0).Set<Tensor>();
    } else {
      cc->Outputs().Index(0).Set<gpu::DeviceTensor>();
    }
    return UseDevice(cc);
  }

 protected:
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               gpu::CallStreams& streams) override {
    const Packet& packet = cc->Inputs().Index(0).Value();
    if (packet.IsEmpty()) return absl::OkStatus();
    const auto mode = cc->Options<TensorCopierCalculatorOptions>().mode();
    const bool to_system = mode == TensorCopierCalculatorOptions::SYSTEM;
    const bool is_from_host = packet.ValidateAsType<Tensor>().ok();
    if (to_system && is_from_host) {
      cc->Outputs().Index(0).AddPacket(packet);
      return absl::OkStatus();
    }
    SYNCLINE_ASSIGN_OR_RETURN(
        const gpu::Stream stream,
        is_from_host ? OwnStream(cc, streams, "") : StreamOf(cc, streams, ""));
    if (to_system) {
      SYNCLINE_ASSIGN_OR_RETURN(Tensor tensor,
                                ToHost(stream, packet.Get<gpu::DeviceTensor>()),
                                _.SetPrepend() << Where(cc));
      cc->Outputs().Index(0).AddPacket(
          MakePacket<Tensor>(std::move(tensor)).At(cc->InputTimestamp()));
      return absl::OkStatus();
    }
    const bool is_pinned = mode == TensorCopierCalculatorOptions::HOST;
    SYNCLINE_ASSIGN_OR_RETURN(
        const gpu::DeviceTensor copy,
        is_from_host
            ? FromHost(stream, packet.Get<Tensor>(), is_pinned)
            : ToMemory(stream, packet.Get<gpu::DeviceTensor>(), is_pinned),
        _.SetPrepend() << Where(cc));
    return streams.Send("", copy);
  }

 private:
  absl::StatusOr<gpu::DeviceTensor> NewTarget(
      const gpu::Stream& stream, gpu::TensorElement element,
      const gpu::DeviceTensor::Sizes& shape, bool is_pinned) {
    if (!is_pinned) return NewTensor(stream, element, shape, "tensor");
    SYNCLINE_ASSIGN_OR_RETURN(const std::size_t bytes,
                              gpu::DeviceTensor::BytesOf(element, shape));
    gpu::DeviceBuffer memory;
    if (bytes > 0) {
      SYNCLINE_ASSIGN_OR_RETURN(memory, NewPinned(stream, bytes, "tensor"));
    }
    return gpu::DeviceTensor::Make(std::move(memory), element, shape);
  }

  absl::StatusOr<gpu::DeviceTensor> FromHost(const gpu::Stream& stream,
                                             const Tensor& tensor,
                                             bool is_pinned) {
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::TensorElement element,
                              gpu::ElementOf(tensor.element_type()));
    SYNCLINE_ASSIGN_OR_RETURN(
        const gpu::DeviceTensor target,
        NewTarget(stream, element, gpu::ShapeOf(tensor), is_pinned));
    if (target.bytes() == 0) return target;
    SYNCLINE_ASSIGN_OR_RETURN(
        const gpu::DeviceBuffer staging,
        NewPinnedForHost(stream, target.bytes(), "upload"));
    SYNCLINE_RETURN_IF_ERROR(gpu::Upload(stream, tensor, staging, target));
    return target;
  }

  absl::StatusOr<gpu::DeviceTensor> ToMemory(const gpu::Stream& stream,
                                             const gpu::DeviceTensor& tensor,
                                             bool is_pinned) {
    if (!tensor) return NoTensor();
    if (tensor.num_elements() == 0) return tensor;
    const MemoryStorageType kind =
        is_pinned ? MemoryStorageType::kHost : MemoryStorageType::kDevice;
    const bool is_here = tensor.memory().device() == stream.device();
    if (is_here && tensor.memory().kind() == kind && tensor.is_dense()) {
      return tensor;
    }
    if (!is_here && !tensor.is_dense()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the tensor ", tensor.ToText(), " has gaps and lies on ",
          tensor.memory().device()->name(),
          "; put a TensorCopierCalculator on that device before this one"));
    }
    SYNCLINE_ASSIGN_OR_RETURN(
        const gpu::DeviceTensor target,
        NewTarget(stream, tensor.element(), tensor.shape(), is_pinned));
    SYNCLINE_RETURN_IF_ERROR(gpu::CopyTensor(stream, tensor, target));
    return target;
  }

  absl::StatusOr<Tensor> ToHost(const gpu::Stream& stream,
                                const gpu::DeviceTensor& tensor) {
    if (!tensor) return NoTensor();
    gpu::DeviceTensor dense = tensor;
    if (!tensor.is_dense()) {
      SYNCLINE_ASSIGN_OR_RETURN(dense, Dense(stream, tensor));
    }
    gpu::DeviceBuffer staging;
    if (dense.bytes() > 0) {
      SYNCLINE_ASSIGN_OR_RETURN(staging,
                                NewPinned(stream, dense.bytes(), "download"));
    }
    return gpu::Download(stream, dense, staging);
  }

  static absl::Status NoTensor() {
    return absl::InvalidArgumentError(
        "the packet is a DeviceTensor without a tensor; make it by "
        "DeviceTensor::Make()");
  }
};
REGISTER_CALCULATOR(TensorCopierCalculator);

}  // namespace syncline
