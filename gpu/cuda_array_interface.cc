#include "gpu/cuda_array_interface.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"

namespace syncline::gpu {
namespace {

// The kind of a number in a type string of NumPy.
char KindOfNumber(TensorElement element) {
  switch (element) {
    case TensorElement::kBool:
      return 'b';
    case TensorElement::kUint8:
    case TensorElement::kUint16:
    case TensorElement::kUint32:
    case TensorElement::kUint64:
      return 'u';
    case TensorElement::kFloat16:
    case TensorElement::kFloat32:
    case TensorElement::kFloat64:
      return 'f';
    default:
      return 'i';
  }
}

}  // namespace

absl::StatusOr<CudaArrayInterface> ToCudaArrayInterface(
    const DeviceTensor& tensor, const Stream& stream) {
  if (!tensor) {
    return absl::InvalidArgumentError(
        "No tensor has no __cuda_array_interface__");
  }
  CudaArrayInterface array;
  array.shape = tensor.shape();
  const std::size_t bytes = ElementBytes(tensor.element());
  for (const std::int64_t stride : tensor.strides()) {
    array.strides.push_back(stride * static_cast<std::int64_t>(bytes));
  }
  array.typestr =
      absl::StrCat(bytes == 1 ? "|" : "<",
                   std::string(1, KindOfNumber(tensor.element())), bytes);
  // 0 is not allowed there, and 1 is the default stream.
  const auto handle = reinterpret_cast<std::uintptr_t>(stream.handle());
  array.stream = handle == 0 ? 1 : handle;
  if (tensor.memory().is_null()) return array;
  SYNCLINE_RETURN_IF_ERROR(stream.WaitFor(Reads(tensor.memory())));
  array.data = reinterpret_cast<std::uintptr_t>(tensor.memory().address()) +
               tensor.byte_offset();
  return array;
}

}  // namespace syncline::gpu
