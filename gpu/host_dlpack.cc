#include "gpu/host_dlpack.h"

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "gpu/device_tensor.h"
#include "gpu/dlpack_elements.h"
#include "gpu/tensor_transfer.h"

namespace syncline::gpu {
namespace {

// What an exported tensor keeps until its deleter is called.
struct ExportedHost {
  explicit ExportedHost(Tensor given)
      : tensor(std::move(given)), view(tensor.GetCpuWriteView()) {}

  DLManagedTensor managed{};
  Tensor tensor;
  // Nobody else reads the numbers while another library may change them.
  Tensor::CpuWriteView view;
  DeviceTensor::Sizes shape;
  DeviceTensor::Sizes strides;
};

void DeleteExportedHost(DLManagedTensor* managed) {
  delete static_cast<ExportedHost*>(managed->manager_ctx);
}

absl::StatusOr<Tensor> CopyOf(const Tensor& tensor) {
  if (tensor.element_type() == Tensor::ElementType::kNone ||
      !tensor.ready_on_cpu()) {
    return absl::InvalidArgumentError(
        "A tensor that was never written cannot be exported to DLPack");
  }
  Tensor copy(tensor.element_type(), tensor.shape(),
              tensor.quantization_parameters());
  std::memcpy(copy.GetCpuWriteView().buffer<std::uint8_t>(),
              tensor.GetCpuReadView().buffer<std::uint8_t>(),
              static_cast<std::size_t>(tensor.bytes()));
  return copy;
}

absl::Status CheckPlace(const DLDevice& place) {
  for (const DLDeviceType host : {kDLCPU, kDLCUDAHost, kDLCUDAManaged}) {
    if (place.device_type == host) return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "a DLPack tensor is of device type ", static_cast<int>(place.device_type),
      ", number ", place.device_id,
      ", and not of the host; give it to FromDlpack() with that device"));
}

absl::StatusOr<Tensor::ElementType> HostTypeOf(TensorElement element) {
  using Type = Tensor::ElementType;
  for (const Type type : {Type::kFloat32, Type::kFloat16, Type::kUInt8,
                          Type::kInt8, Type::kInt32}) {
    const absl::StatusOr<TensorElement> same = ElementOf(type);
    if (same.ok() && *same == element) return type;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "a DLPack tensor has elements ", ElementName(element),
      ", which a Tensor of the host does not have; give float32, float16, "
      "uint8, int8 or int32"));
}

// A shape that a Tensor can have: all sizes, and all bytes, within an int.
// Those of an empty tensor too, but for the sizes of 0.
absl::StatusOr<Tensor::Shape> HostShapeOf(const DLTensor& tensor,
                                          std::size_t element_bytes) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  std::vector<int> sizes;
  auto bytes = static_cast<std::int64_t>(element_bytes);
  for (int d = 0; d < tensor.ndim; ++d) {
    const std::int64_t size = tensor.shape[d];
    if (size > 0 && bytes > kMax / size) {
      return absl::InvalidArgumentError(
          "a DLPack tensor has more than the 2 GiB of a Tensor of the host; "
          "take it in parts");
    }
    bytes *= std::max<std::int64_t>(size, 1);
    sizes.push_back(static_cast<int>(size));
  }
  return Tensor::Shape(sizes);
}

// Goes through all elements, the last dimension first.
void CopyStrided(const DLTensor& tensor, const DeviceTensor::Sizes& strides,
                 std::size_t element_bytes, std::int64_t num_elements,
                 std::uint8_t* to) {
  const auto bytes = static_cast<std::int64_t>(element_bytes);
  const auto* from = static_cast<const std::uint8_t*>(tensor.data) +
                     static_cast<std::ptrdiff_t>(tensor.byte_offset);
  std::vector<std::int64_t> place(static_cast<std::size_t>(tensor.ndim));
  for (std::int64_t i = 0; i < num_elements; ++i) {
    std::memcpy(to + i * bytes, from, element_bytes);
    for (int d = tensor.ndim - 1; d >= 0; --d) {
      // Nobody has looked at the stride of a single element.
      if (tensor.shape[d] == 1) continue;
      const auto dimension = static_cast<std::size_t>(d);
      from += strides[dimension] * bytes;
      if (++place[dimension] < tensor.shape[d]) break;
      from -= tensor.shape[d] * strides[dimension] * bytes;
      place[dimension] = 0;
    }
  }
}

}  // namespace

absl::StatusOr<DlpackTensor> HostTensorToDlpack(Tensor tensor) {
  SYNCLINE_ASSIGN_OR_RETURN(const TensorElement element,
                            ElementOf(tensor.element_type()));
  auto* const exported = new ExportedHost(std::move(tensor));
  exported->shape = ShapeOf(exported->tensor);
  exported->strides = DeviceTensor::DenseStrides(exported->shape);
  exported->managed.dl_tensor = {
      .data = exported->view.buffer<void>(),
      .device = {kDLCPU, 0},
      .ndim = static_cast<int>(exported->shape.size()),
      .dtype = internal::DlpackTypeOf(element),
      .shape = exported->shape.data(),
      .strides = exported->strides.data(),
      .byte_offset = 0};
  exported->managed.manager_ctx = exported;
  exported->managed.deleter = DeleteExportedHost;
  return DlpackTensor(&exported->managed);
}

absl::StatusOr<DlpackTensor> HostTensorToDlpack(Packet packet) {
  SYNCLINE_RETURN_IF_ERROR(packet.ValidateAsType<Tensor>());
  absl::StatusOr<std::unique_ptr<Tensor>> own = packet.Consume<Tensor>();
  if (own.ok()) return HostTensorToDlpack(std::move(**own));
  SYNCLINE_ASSIGN_OR_RETURN(Tensor copy, CopyOf(packet.Get<Tensor>()));
  return HostTensorToDlpack(std::move(copy));
}

absl::StatusOr<Tensor> HostTensorFromDlpack(DlpackTensor managed) {
  if (managed == nullptr) return internal::NoTensorError();
  const DLTensor& tensor = managed->dl_tensor;
  SYNCLINE_RETURN_IF_ERROR(CheckPlace(tensor.device));
  SYNCLINE_ASSIGN_OR_RETURN(const TensorElement element,
                            internal::ElementOf(tensor.dtype));
  SYNCLINE_ASSIGN_OR_RETURN(const Tensor::ElementType type,
                            HostTypeOf(element));
  SYNCLINE_ASSIGN_OR_RETURN(const internal::DlpackLayout layout,
                            internal::LayoutOf(tensor));
  SYNCLINE_ASSIGN_OR_RETURN(const Tensor::Shape shape,
                            HostShapeOf(tensor, ElementBytes(element)));
  Tensor copy(type, shape);
  CopyStrided(tensor, layout.strides, ElementBytes(element),
              shape.num_elements(),
              copy.GetCpuWriteView().buffer<std::uint8_t>());
  return copy;
}

}  // namespace syncline::gpu
