#include "gpu/tensor_transfer.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "gpu/kernels/image_layout.h"
#include "gpu/kernels/tensor_kernels.h"
#include "gpu/kernels/tensor_plan.h"

namespace syncline::gpu {
namespace {

using HostType = Tensor::ElementType;

constexpr std::pair<HostType, TensorElement> kElements[] = {
    {HostType::kFloat32, TensorElement::kFloat32},
    {HostType::kFloat16, TensorElement::kFloat16},
    {HostType::kUInt8, TensorElement::kUint8},
    {HostType::kInt8, TensorElement::kInt8},
    {HostType::kInt32, TensorElement::kInt32},
    {HostType::kBool, TensorElement::kBool},
    {HostType::kChar, TensorElement::kInt8},
};

absl::StatusOr<HostType> HostTypeOf(const DeviceTensor& tensor) {
  for (const auto& [type, element] : kElements) {
    if (element == tensor.element()) return type;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "Download of a tensor ", tensor.ToText(),
      ": the host's Tensor has no such elements; copy it to pinned memory "
      "(CopyTensor(), or TensorCopierCalculator with mode HOST) and look at it "
      "there"));
}

absl::StatusOr<Tensor> MakeHostTensor(const DeviceTensor& tensor) {
  SYNCLINE_ASSIGN_OR_RETURN(const HostType type, HostTypeOf(tensor));
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  bool is_small = tensor.bytes() <= std::size_t{kMax};
  std::vector<int> shape;
  for (const std::int64_t size : tensor.shape()) {
    is_small = is_small && size <= kMax;
    shape.push_back(static_cast<int>(size));
  }
  if (!is_small) {
    return absl::InvalidArgumentError(
        absl::StrCat("Download of a tensor ", tensor.ToText(),
                     ": the host's Tensor has at most 2 GiB"));
  }
  return Tensor(type, Tensor::Shape(shape));
}

absl::Status CheckDense(absl::string_view what, const DeviceTensor& tensor,
                        const DeviceBuffer& staging) {
  if (!tensor.is_dense()) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " of a tensor ", tensor.ToText(),
                     " with gaps or other orders of its dimensions; copy it by "
                     "CopyTensor() before"));
  }
  const std::size_t size = staging.is_null() ? 0 : staging.size();
  if (size < tensor.bytes()) {
    return absl::InvalidArgumentError(absl::StrCat(
        what, " of a tensor ", tensor.ToText(), ": the staging memory has ",
        size, " bytes; give ", tensor.bytes()));
  }
  return absl::OkStatus();
}

StridedTensor PlaceOf(const DeviceTensor& tensor) {
  return {.offset = static_cast<std::int64_t>(tensor.byte_offset() /
                                              ElementBytes(tensor.element())),
          .strides = tensor.strides(),
          .buffer_bytes = tensor.memory().size()};
}

}  // namespace

absl::StatusOr<TensorElement> ElementOf(Tensor::ElementType type) {
  for (const auto& [host_type, element] : kElements) {
    if (host_type == type) return element;
  }
  return absl::InvalidArgumentError(
      "A tensor without a type cannot go to a device; give it elements");
}

DeviceTensor::Sizes ShapeOf(const Tensor& tensor) {
  return {tensor.shape().dims.begin(), tensor.shape().dims.end()};
}

absl::Status Upload(const Stream& stream, const Tensor& tensor,
                    const DeviceBuffer& staging, const DeviceTensor& to) {
  if (tensor.element_type() == HostType::kNone ||
      static_cast<std::size_t>(tensor.bytes()) != to.bytes()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Upload of a tensor to ", to.ToText(),
        ", which has another number of bytes; give one of the same elements "
        "and shape"));
  }
  if (to.bytes() == 0) return absl::OkStatus();
  SYNCLINE_RETURN_IF_ERROR(CheckDense("Upload", to, staging));
  if (!tensor.ready_on_cpu()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Upload of a tensor to ", to.ToText(),
                     ": its numbers were never written"));
  }
  {
    SYNCLINE_ASSIGN_OR_RETURN(const HostView view, staging.ViewForWriting());
    std::memcpy(view.mutable_bytes().data(),
                tensor.GetCpuReadView().buffer<std::uint8_t>(), to.bytes());
  }
  return stream.Copy(Writes(to.memory()), Reads(staging),
                     {.to_offset = to.byte_offset(), .bytes = to.bytes()});
}

absl::StatusOr<Tensor> Download(const Stream& stream,
                                const DeviceTensor& tensor,
                                const DeviceBuffer& staging) {
  SYNCLINE_ASSIGN_OR_RETURN(Tensor result, MakeHostTensor(tensor));
  if (tensor.bytes() == 0) {
    static_cast<void>(result.GetCpuWriteView());
    return result;
  }
  SYNCLINE_RETURN_IF_ERROR(CheckDense("Download", tensor, staging));
  SYNCLINE_RETURN_IF_ERROR(stream.Copy(
      Writes(staging), Reads(tensor.memory()),
      {.from_offset = tensor.byte_offset(), .bytes = tensor.bytes()}));
  SYNCLINE_RETURN_IF_ERROR(stream.Synchronize());
  SYNCLINE_ASSIGN_OR_RETURN(const HostView view, staging.ViewForReading());
  std::memcpy(result.GetCpuWriteView().buffer<std::uint8_t>(),
              view.bytes().data(), tensor.bytes());
  return result;
}

absl::Status CopyTensor(const Stream& stream, const DeviceTensor& from,
                        const DeviceTensor& to) {
  if (from.element() != to.element() || from.shape() != to.shape()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Copy of a tensor ", from.ToText(), " to ", to.ToText(),
                     "; give one of the same elements and shape"));
  }
  if (from.num_elements() == 0) return absl::OkStatus();
  if (from.is_dense() && to.is_dense()) {
    return stream.Copy(Writes(to.memory()), Reads(from.memory()),
                       {.to_offset = to.byte_offset(),
                        .from_offset = from.byte_offset(),
                        .bytes = from.bytes()});
  }
  SYNCLINE_ASSIGN_OR_RETURN(
      const auto plan,
      PlanStridedCopy(static_cast<int>(ElementBytes(from.element())),
                      from.shape(), PlaceOf(from), PlaceOf(to)));
  return stream.Launch(*plan.kernel, plan.count, plan.parameters,
                       {Reads(from.memory()), Writes(to.memory())});
}

}  // namespace syncline::gpu
