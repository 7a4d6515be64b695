#include "gpu/dlpack_elements.h"

#include <cstdint>
#include <cstdlib>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

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

DeviceTensor::Sizes StridesOf(const DLTensor& tensor) {
  if (tensor.strides == nullptr) {
    return DeviceTensor::DenseStrides(
        {tensor.shape, tensor.shape + tensor.ndim});
  }
  return {tensor.strides, tensor.strides + tensor.ndim};
}

absl::Status CheckShape(const DLTensor& tensor,
                        const DeviceTensor::Sizes& strides) {
  constexpr std::int64_t kMax = std::int64_t{1} << 40;
  for (int d = 0; d < tensor.ndim; ++d) {
    if (tensor.shape[d] >= 0 && tensor.shape[d] <= kMax &&
        (tensor.shape[d] < 2 ||
         (strides[d] >= -kMax && strides[d] <= kMax &&
          std::abs(strides[d]) <= kMax / (tensor.shape[d] - 1)))) {
      continue;
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "a DLPack tensor has size ", tensor.shape[d], " and stride ",
        strides[d], " in dimension ", d, "; it may reach over 2^40 elements"));
  }
  return absl::OkStatus();
}

}  // namespace syncline::gpu::internal
