#include "gpu/device_tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/base/status_macros.h"

SYNCLINE_REGISTER_DEVICE_WORK(syncline::gpu::DeviceTensor);
SYNCLINE_REGISTER_DEVICE_WORK(std::vector<syncline::gpu::DeviceTensor>);

namespace syncline::gpu {
namespace {

using Sizes = DeviceTensor::Sizes;

constexpr std::int64_t kMaxTensorBytes = std::int64_t{1} << 40;

std::string TensorText(TensorElement element, const Sizes& shape) {
  return absl::StrCat(ElementName(element), " [", absl::StrJoin(shape, ", "),
                      "]");
}

absl::Status Refuse(TensorElement element, const Sizes& shape,
                    absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("A DeviceTensor ", TensorText(element, shape), " ", why));
}

// The lowest and the highest element, counted from the first.
struct Reach {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};

absl::StatusOr<Reach> ReachOf(TensorElement element, const Sizes& shape,
                              const Sizes& strides) {
  Reach reach;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    // No product overflows: the other factor is a size of at most 2^40.
    if (strides[d] < -kMaxTensorBytes || strides[d] > kMaxTensorBytes ||
        (shape[d] > 1 &&
         std::abs(strides[d]) > kMaxTensorBytes / (shape[d] - 1))) {
      return Refuse(element, shape,
                    absl::StrCat("cannot have the strides [",
                                 absl::StrJoin(strides, ", "),
                                 "]: it would reach over more than 2^40 "
                                 "elements"));
    }
    const std::int64_t last = (shape[d] - 1) * strides[d];
    (last < 0 ? reach.lowest : reach.highest) += last;
  }
  return reach;
}

absl::Status CheckMemory(TensorElement element, const Sizes& shape,
                         const Sizes& strides, std::size_t byte_offset,
                         std::size_t size) {
  const std::int64_t bytes = static_cast<std::int64_t>(ElementBytes(element));
  if (byte_offset % bytes != 0 || byte_offset > size) {
    return Refuse(element, shape,
                  absl::StrCat("cannot begin at byte ", byte_offset, " of ",
                               size, "; give a multiple of ", bytes));
  }
  SYNCLINE_ASSIGN_OR_RETURN(const Reach reach,
                            ReachOf(element, shape, strides));
  const std::int64_t first = static_cast<std::int64_t>(byte_offset) / bytes;
  const std::int64_t room = static_cast<std::int64_t>(size) / bytes;
  if (first + reach.lowest < 0 || first + reach.highest >= room) {
    return Refuse(
        element, shape,
        absl::StrCat("with the strides [", absl::StrJoin(strides, ", "),
                     "] reaches from element ", first + reach.lowest, " to ",
                     first + reach.highest, " of its memory, which has ", room,
                     "; give larger memory or right strides"));
  }
  return absl::OkStatus();
}

}  // namespace

std::size_t ElementBytes(TensorElement element) {
  switch (element) {
    case TensorElement::kNone:
      return 0;
    case TensorElement::kBool:
    case TensorElement::kInt8:
    case TensorElement::kUint8:
      return 1;
    case TensorElement::kInt16:
    case TensorElement::kUint16:
    case TensorElement::kFloat16:
      return 2;
    case TensorElement::kInt32:
    case TensorElement::kUint32:
    case TensorElement::kFloat32:
      return 4;
    default:
      return 8;
  }
}

absl::string_view ElementName(TensorElement element) {
  static constexpr absl::string_view kNames[] = {
      "none",  "bool",   "int8",    "uint8", "int16",  "uint16", "float16",
      "int32", "uint32", "float32", "int64", "uint64", "float64"};
  return kNames[static_cast<int>(element)];
}

absl::StatusOr<std::size_t> DeviceTensor::BytesOf(TensorElement element,
                                                  const Sizes& shape) {
  if (element == TensorElement::kNone) {
    return Refuse(element, shape, "has no type; give the type of its elements");
  }
  std::int64_t bytes = static_cast<std::int64_t>(ElementBytes(element));
  bool is_empty = false;
  for (const std::int64_t size : shape) {
    if (size < 0 || size > kMaxTensorBytes) {
      return Refuse(element, shape, "has a size that is not from 0 to 2^40");
    }
    is_empty = is_empty || size == 0;
  }
  if (is_empty) return 0;
  for (const std::int64_t size : shape) {
    if (bytes > kMaxTensorBytes / size) {
      return Refuse(element, shape, "has more than 2^40 bytes");
    }
    bytes *= size;
  }
  return static_cast<std::size_t>(bytes);
}

Sizes DeviceTensor::DenseStrides(const Sizes& shape) {
  Sizes strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    strides[d] = stride;
    const std::int64_t size = std::max<std::int64_t>(shape[d], 1);
    stride = stride > kMaxTensorBytes / size ? kMaxTensorBytes : stride * size;
  }
  return strides;
}

absl::StatusOr<DeviceTensor> DeviceTensor::Make(
    DeviceBuffer memory, TensorElement element, Sizes shape,
    const absl::optional<Sizes>& strides, std::size_t byte_offset) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::size_t bytes, BytesOf(element, shape));
  if (strides.has_value() && strides->size() != shape.size()) {
    return Refuse(element, shape,
                  absl::StrCat("has ", strides->size(),
                               " strides; give one for each dimension"));
  }
  DeviceTensor tensor;
  tensor.element_ = element;
  // Of a tensor without elements, strides say nothing.
  tensor.strides_ =
      strides.has_value() && bytes > 0 ? *strides : DenseStrides(shape);
  tensor.shape_ = std::move(shape);
  tensor.byte_offset_ = byte_offset;
  if (bytes == 0) return tensor;
  SYNCLINE_RETURN_IF_ERROR(CheckMemory(element, tensor.shape_, tensor.strides_,
                                       byte_offset,
                                       memory.is_null() ? 0 : memory.size()));
  tensor.memory_ = std::move(memory);
  return tensor;
}

std::int64_t DeviceTensor::num_elements() const {
  if (!*this) return 0;
  // The other sizes may be anything then.
  if (std::find(shape_.begin(), shape_.end(), 0) != shape_.end()) return 0;
  std::int64_t number = 1;
  for (const std::int64_t size : shape_) number *= size;
  return number;
}

bool DeviceTensor::is_dense() const {
  const Sizes dense = DenseStrides(shape_);
  for (std::size_t d = 0; d < shape_.size(); ++d) {
    // The stride of one element is not looked at.
    if (shape_[d] > 1 && strides_[d] != dense[d]) return false;
  }
  return true;
}

std::string DeviceTensor::ToText() const {
  return *this ? TensorText(element_, shape_) : "no tensor";
}

}  // namespace syncline::gpu
