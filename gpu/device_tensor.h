// DeviceTensor: numbers with a shape in memory that a device uses, passed by
// value.
//
//   SYNCLINE_ASSIGN_OR_RETURN(
//       const DeviceTensor tensor,
//       DeviceTensor::Make(memory, TensorElement::kFloat32, {1, 480, 640, 3}));
//
// It is a handle: copies share the numbers, and views of them (Transposed by
// strides, a part by an offset) do, too. The memory lives as long as one of
// them, and knows the work that is pending on it, so a packet with a tensor
// carries its stream. It is device memory, or pinned or managed memory, of
// which the host may have a view.
//
// The host's own tensor is framework/formats/tensor.h; tensor_transfer.h copies
// between them. Other libraries get and give tensors by gpu/dlpack.h and
// gpu/cuda_array_interface.h.
//
// A tensor without elements has no memory.
//
// Thread rule: a value.
// Tested by device_tensor_test.

#ifndef SYNCLINE_GPU_DEVICE_TENSOR_H_
#define SYNCLINE_GPU_DEVICE_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "gpu/device_buffer.h"
#include "gpu/device_work.h"

namespace syncline::gpu {

enum class TensorElement {
  kNone,
  kBool,
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kFloat16,
  kInt32,
  kUint32,
  kFloat32,
  kInt64,
  kUint64,
  kFloat64,
};

// In bytes; 0 for kNone.
std::size_t ElementBytes(TensorElement element);
// "float32"; "none".
absl::string_view ElementName(TensorElement element);

class DeviceTensor {
 public:
  using Sizes = std::vector<std::int64_t>;

  // No tensor: no elements, no shape.
  DeviceTensor() = default;

  // The tensor in `memory`, whose first element is at byte `byte_offset`, which
  // is a multiple of the element's size. `strides` are in elements, one for
  // each dimension, and may be 0 or negative; without them the last dimension
  // varies fastest and there are no gaps. INVALID_ARGUMENT for kNone, negative
  // sizes, more than 2^40 bytes, and elements outside of the memory.
  static absl::StatusOr<DeviceTensor> Make(
      DeviceBuffer memory, TensorElement element, Sizes shape,
      const absl::optional<Sizes>& strides = absl::nullopt,
      std::size_t byte_offset = 0);

  // What a tensor without gaps takes. INVALID_ARGUMENT as above.
  static absl::StatusOr<std::size_t> BytesOf(TensorElement element,
                                             const Sizes& shape);
  // Of a tensor without gaps, in elements. None is greater than 2^40: of a
  // shape that has no elements they say nothing.
  static Sizes DenseStrides(const Sizes& shape);

  TensorElement element() const { return element_; }
  const Sizes& shape() const { return shape_; }
  // In elements.
  const Sizes& strides() const { return strides_; }
  std::size_t byte_offset() const { return byte_offset_; }
  // 1 for a tensor without dimensions.
  std::int64_t num_elements() const;
  // Without gaps.
  std::size_t bytes() const { return num_elements() * ElementBytes(element_); }
  // Whether the last dimension varies fastest and there are no gaps.
  bool is_dense() const;

  // Null if there are no elements.
  const DeviceBuffer& memory() const { return memory_; }

  // Whether it is a tensor.
  explicit operator bool() const { return element_ != TensorElement::kNone; }
  // For messages: `float32 [1, 480, 640, 3]`.
  std::string ToText() const;

 private:
  TensorElement element_ = TensorElement::kNone;
  Sizes shape_;
  Sizes strides_;
  std::size_t byte_offset_ = 0;
  DeviceBuffer memory_;
};

template <>
struct DeviceWorkOf<DeviceTensor> {
  static void Add(const DeviceTensor& tensor, DeviceWork* work) {
    work->Add(tensor.memory());
  }
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_DEVICE_TENSOR_H_
