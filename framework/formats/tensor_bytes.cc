// The bytes of a tensor, in this order: the type of the numbers, the number of
// dimensions, and the size of each, four bytes each; scale and zero point; one
// byte for whether the shape is dynamic, one for whether the tensor was
// written; and the numbers, if it was written.
//
// Thread rule: pure functions.
// Tested by format_bytes_test.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/formats/tensor.h"
#include "framework/packet/type_map.h"
#include "framework/packet/value_bytes.h"

namespace syncline {
namespace {

using packet_internal::AppendNumber;
using packet_internal::TakeNumber;

absl::Status NoTensor(absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("these are not the bytes of a tensor: ", why));
}

// Whether a tensor may have this shape: the same rule as in its constructor,
// but without a misuse.
bool HasRoom(const Tensor::Shape& shape, std::int64_t element_size) {
  std::int64_t bytes = element_size;
  bool is_empty = false;
  for (const int n : shape.dims) {
    if (n < 0) return false;
    is_empty = is_empty || n == 0;
  }
  for (const int n : shape.dims) {
    if (is_empty) break;
    bytes *= n;
    if (bytes > std::numeric_limits<std::int32_t>::max()) return false;
  }
  return true;
}

bool TakeFlag(absl::string_view* bytes, bool* flag) {
  char value = 0;
  if (!TakeNumber(bytes, &value) || (value != 0 && value != 1)) return false;
  *flag = value == 1;
  return true;
}

}  // namespace

template <>
struct ValueBytes<Tensor> {
  static void Append(const Tensor& tensor, std::string* bytes) {
    const Tensor::Shape& shape = tensor.shape();
    AppendNumber(static_cast<std::int32_t>(tensor.element_type()), bytes);
    AppendNumber(static_cast<std::int32_t>(shape.dims.size()), bytes);
    for (const int n : shape.dims) AppendNumber<std::int32_t>(n, bytes);
    AppendNumber(tensor.quantization_parameters().scale, bytes);
    AppendNumber<std::int32_t>(tensor.quantization_parameters().zero_point,
                               bytes);
    const bool is_written = tensor.ready_on_cpu();
    AppendNumber(shape.is_dynamic, bytes);
    AppendNumber(is_written, bytes);
    if (!is_written) return;
    const Tensor::CpuReadView view = tensor.GetCpuReadView();
    bytes->append(view.buffer<char>(),
                  static_cast<std::size_t>(tensor.bytes()));
  }

  static absl::StatusOr<Tensor> Read(absl::string_view bytes) {
    std::int32_t type = 0;
    std::int32_t dims = 0;
    if (!TakeNumber(&bytes, &type) || !TakeNumber(&bytes, &dims)) {
      return NoTensor("they end too early");
    }
    if (type < 0 ||
        type > static_cast<std::int32_t>(Tensor::ElementType::kBool)) {
      return NoTensor(absl::StrCat("no numbers have type ", type));
    }
    if (dims < 0 ||
        static_cast<std::size_t>(dims) > bytes.size() / sizeof(dims)) {
      return NoTensor(absl::StrCat("there is no room for ", dims, " sizes"));
    }
    Tensor::Shape shape;
    shape.dims.resize(static_cast<std::size_t>(dims));
    for (int& n : shape.dims) TakeNumber(&bytes, &n);
    Tensor::QuantizationParameters quantization;
    bool is_written = false;
    if (!TakeNumber(&bytes, &quantization.scale) ||
        !TakeNumber(&bytes, &quantization.zero_point) ||
        !TakeFlag(&bytes, &shape.is_dynamic) ||
        !TakeFlag(&bytes, &is_written)) {
      return NoTensor("they end too early");
    }
    const auto element_type = static_cast<Tensor::ElementType>(type);
    const int element_size =
        Tensor(element_type, Tensor::Shape{0}).element_size();
    if (!HasRoom(shape, std::max(element_size, 1))) {
      return NoTensor("no tensor has so many numbers");
    }
    Tensor tensor(element_type, shape, quantization);
    const auto size = static_cast<std::size_t>(tensor.bytes());
    if (bytes.size() != (is_written ? size : 0)) {
      return NoTensor(absl::StrCat("the numbers take ", size, " bytes, not ",
                                   bytes.size()));
    }
    const auto is_bool = [](char byte) { return byte == 0 || byte == 1; };
    if (element_type == Tensor::ElementType::kBool &&
        !std::all_of(bytes.begin(), bytes.end(), is_bool)) {
      return NoTensor("a bool is 0 or 1");
    }
    if (is_written) {
      const Tensor::CpuWriteView view = tensor.GetCpuWriteView();
      if (size > 0) std::memcpy(view.buffer<char>(), bytes.data(), size);
    }
    return tensor;
  }
};

namespace {

using Tensors = std::vector<Tensor>;

SYNCLINE_REGISTER_TYPE(Tensor, "::syncline::Tensor", WriteValueBytes<Tensor>,
                       ReadValueBytes<Tensor>);
SYNCLINE_REGISTER_TYPE(Tensors, "::std::vector<::syncline::Tensor>",
                       WriteValueBytes<Tensors>, ReadValueBytes<Tensors>);

}  // namespace
}  // namespace syncline
