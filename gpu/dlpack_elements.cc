#include "gpu/dlpack_elements.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"

namespace syncline::gpu::internal {
namespace {

struct ElementCode {
  TensorElement element;
  DLDataTypeCode code;
  std::uint8_t bits;
};

// DLPack 0.6 has no type for bool; libraries of its time send it as uint8.
constexpr ElementCode kCodes[] = {
    {TensorElement::kUint8, kDLUInt, 8},
    {TensorElement::kBool, kDLUInt, 8},
    {TensorElement::kInt8, kDLInt, 8},
    {TensorElement::kInt16, kDLInt, 16},
    {TensorElement::kUint16, kDLUInt, 16},
    {TensorElement::kFloat16, kDLFloat, 16},
    {TensorElement::kInt32, kDLInt, 32},
    {TensorElement::kUint32, kDLUInt, 32},
    {TensorElement::kFloat32, kDLFloat, 32},
    {TensorElement::kInt64, kDLInt, 64},
    {TensorElement::kUint64, kDLUInt, 64},
    {TensorElement::kFloat64, kDLFloat, 64},
};

constexpr int kMaxDimensions = 64;
// In elements.
constexpr std::int64_t kMaxReach = std::int64_t{1} << 40;

absl::Status ReachError(const DLTensor& tensor, int dimension,
                        std::int64_t stride) {
  return absl::InvalidArgumentError(absl::StrCat(
      "a DLPack tensor has size ", tensor.shape[dimension], " and stride ",
      stride, " in dimension ", dimension,
      "; sizes are 0 or more, and it may reach over 2^40 elements"));
}

absl::Status CheckReachOf(const DLTensor& tensor, const DlpackLayout& layout) {
  for (int d = 0; d < tensor.ndim; ++d) {
    const std::int64_t size = tensor.shape[d];
    const std::int64_t stride = layout.strides[static_cast<std::size_t>(d)];
    // The stride of a dimension of one element is not used.
    if (size < 2 || (stride >= -kMaxReach && stride <= kMaxReach &&
                     std::abs(stride) <= kMaxReach / (size - 1))) {
      continue;
    }
    return ReachError(tensor, d, stride);
  }
  return absl::OkStatus();
}

// 64 dimensions of 2^40 elements of 8 bytes reach over 2^49 bytes.
absl::Status CheckAddress(const DLTensor& tensor) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 49;
  const auto data = reinterpret_cast<std::uintptr_t>(tensor.data);
  const std::uint64_t element_bytes = std::max(tensor.dtype.bits / 8, 1);
  if (data != 0 && tensor.byte_offset < kMaxBytes &&
      data <= std::numeric_limits<std::uintptr_t>::max() - 2 * kMaxBytes &&
      (data + tensor.byte_offset) % element_bytes == 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("a DLPack tensor has its elements at byte ",
                   tensor.byte_offset, " of address ", data,
                   "; give the address of its memory, a multiple of its "
                   "elements' size"));
}

}  // namespace

DLDataType DlpackTypeOf(TensorElement element) {
  for (const ElementCode& code : kCodes) {
    if (code.element == element) return {code.code, code.bits, 1};
  }
  return {};
}

absl::StatusOr<TensorElement> ElementOf(const DLDataType& type) {
  for (const ElementCode& code : kCodes) {
    if (code.code == type.code && code.bits == type.bits && type.lanes == 1) {
      return code.element;
    }
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "a DLPack tensor has elements of code ", type.code, " with ", type.bits,
      " bits and ", type.lanes,
      " lanes; there are integers of 8 to 64 bits and floats of 16 to 64, with "
      "one lane"));
}

absl::Status NoTensorError() {
  return absl::InvalidArgumentError(
      "a DLPack tensor is a null pointer; give what a library exported");
}

absl::StatusOr<DlpackLayout> LayoutOf(const DLTensor& tensor) {
  if (tensor.ndim < 0 || tensor.ndim > kMaxDimensions ||
      (tensor.ndim > 0 && tensor.shape == nullptr)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a DLPack tensor has ", tensor.ndim, " dimensions and ",
        tensor.shape == nullptr ? "no" : "a", " list of sizes; there may be 0 ",
        "to ", kMaxDimensions, " dimensions, with a size for each"));
  }
  DlpackLayout layout;
  layout.shape.assign(tensor.shape, tensor.shape + tensor.ndim);
  layout.has_elements = true;
  for (int d = 0; d < tensor.ndim; ++d) {
    const std::int64_t size = tensor.shape[d];
    if (size < 0 || size > kMaxReach) return ReachError(tensor, d, 0);
    layout.has_elements = layout.has_elements && size > 0;
  }
  if (tensor.strides == nullptr) {
    layout.strides = DeviceTensor::DenseStrides(layout.shape);
  } else {
    layout.strides.assign(tensor.strides, tensor.strides + tensor.ndim);
  }
  SYNCLINE_RETURN_IF_ERROR(CheckReachOf(tensor, layout));
  if (layout.has_elements) SYNCLINE_RETURN_IF_ERROR(CheckAddress(tensor));
  return layout;
}

}  // namespace syncline::gpu::internal
