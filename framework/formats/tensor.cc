#include "framework/formats/tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/base/aligned_memory.h"
#include "framework/base/misuse.h"
#include "framework/formats/shared_access.h"

namespace syncline {
namespace {

using ElementType = Tensor::ElementType;

int SizeOf(ElementType type) {
  switch (type) {
    case ElementType::kNone:
      return 0;
    case ElementType::kFloat16:
      return 2;
    case ElementType::kFloat32:
    case ElementType::kInt32:
      return 4;
    case ElementType::kUInt8:
    case ElementType::kInt8:
    case ElementType::kChar:
    case ElementType::kBool:
      return 1;
  }
  return 0;
}

const char* NameOf(ElementType type) {
  switch (type) {
    case ElementType::kNone:
      return "kNone";
    case ElementType::kFloat16:
      return "kFloat16";
    case ElementType::kFloat32:
      return "kFloat32";
    case ElementType::kUInt8:
      return "kUInt8";
    case ElementType::kInt8:
      return "kInt8";
    case ElementType::kInt32:
      return "kInt32";
    case ElementType::kChar:
      return "kChar";
    case ElementType::kBool:
      return "kBool";
  }
  return "of no known type";
}

std::string Described(const Tensor::Shape& shape) {
  return absl::StrCat("[", absl::StrJoin(shape.dims, ", "), "]");
}

[[noreturn]] void Reject(const std::string& what) {
  ReportMisuse(absl::InvalidArgumentError(what));
}

// The number of elements. More than `max` is a misuse.
int CheckedElements(const Tensor::Shape& shape, std::int64_t max) {
  const auto& dims = shape.dims;
  if (std::any_of(dims.begin(), dims.end(), [](int n) { return n < 0; })) {
    Reject(absl::StrCat("The sizes of a tensor are 0 or more; these are ",
                        Described(shape), "."));
  }
  // A shape with a 0 has no elements, even where the product of the others
  // would overflow.
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return 0;
  std::int64_t elements = 1;
  for (const int n : dims) {
    elements *= n;
    if (elements > max) {
      Reject(absl::StrCat("A tensor has at most 2 GiB of numbers, and one of ",
                          "shape ", Described(shape), " has more."));
    }
  }
  return static_cast<int>(elements);
}

const std::vector<int>& CheckedBhwc(const Tensor::Shape& shape) {
  if (shape.dims.empty()) {
    Reject(
        "A tensor of images has a size for each of batch, height, width and "
        "depth; this one has none.");
  }
  return shape.dims;
}

// The size at `place`, counted from the last dimension; 1 where the shape has
// fewer dimensions.
int SizeFromEnd(const Tensor::Shape& shape, std::size_t place) {
  const std::vector<int>& dims = CheckedBhwc(shape);
  return dims.size() <= place ? 1 : dims[dims.size() - place];
}

}  // namespace

int Tensor::Shape::num_elements() const {
  return CheckedElements(*this, std::numeric_limits<int>::max());
}

Tensor::Tensor(ElementType element_type, const Shape& shape,
               const QuantizationParameters& quantization_parameters,
               MemoryManager* /*memory_manager*/, int memory_alignment)
    : element_type_(element_type),
      shape_(shape),
      quantization_parameters_(quantization_parameters),
      memory_alignment_(memory_alignment),
      storage_(std::make_unique<Storage>()) {
  CheckedElements(shape, std::numeric_limits<int>::max() /
                             std::max(SizeOf(element_type), 1));
  if (memory_alignment < 0 ||
      (memory_alignment & (memory_alignment - 1)) != 0) {
    Reject(
        absl::StrCat("The alignment of a tensor is a power of two or 0, and "
                     "not ",
                     memory_alignment, "."));
  }
}

Tensor::Tensor(Tensor&& other) noexcept
    : element_type_(ElementType::kNone), memory_alignment_(0) {
  *this = std::move(other);
}

Tensor& Tensor::operator=(Tensor&& other) noexcept {
  if (this == &other) return *this;
  element_type_ = std::exchange(other.element_type_, ElementType::kNone);
  shape_ = std::exchange(other.shape_, Shape());
  quantization_parameters_ =
      std::exchange(other.quantization_parameters_, QuantizationParameters());
  memory_alignment_ = std::exchange(other.memory_alignment_, 0);
  storage_ = std::move(other.storage_);
  return *this;
}

int Tensor::element_size() const { return SizeOf(element_type_); }

Tensor::Storage& Tensor::CheckedStorage() const {
  if (storage_ == nullptr) Reject("A tensor that was moved away has no views.");
  return *storage_;
}

Tensor::CpuReadView Tensor::GetCpuReadView() const {
  Storage& storage = CheckedStorage();
  ScopedAccess access = ScopedAccess::Read(storage.access);
  if (!storage.is_written) {
    Reject(absl::StrCat(
        "A tensor must be written before it is read; this one, "
        "of ",
        NameOf(element_type_), " ", Described(shape_), ", was not."));
  }
  return CpuReadView(storage.data.get(), element_type_, std::move(access));
}

Tensor::CpuWriteView Tensor::GetCpuWriteView() const {
  Storage& storage = CheckedStorage();
  ScopedAccess access = ScopedAccess::Write(storage.access);
  if (storage.data == nullptr) {
    const std::size_t size = std::max(bytes(), 1);
    void* data = AllocateAligned(size, std::max(memory_alignment_, 1));
    if (data == nullptr) {
      ReportMisuse(absl::ResourceExhaustedError(
          absl::StrCat("There is no memory for a tensor of ",
                       NameOf(element_type_), " ", Described(shape_), ".")));
    }
    std::memset(data, 0, size);
    storage.data = {data, FreeAligned};
  }
  storage.is_written = true;
  return CpuWriteView(storage.data.get(), element_type_, std::move(access));
}

void Tensor::CheckType(ElementType element_type, unsigned holds) {
  if ((holds & Bit(element_type)) != 0) return;
  Reject(absl::StrCat("A tensor of ", NameOf(element_type),
                      " has no buffer of another type of number: ask for the "
                      "type that it has, or for its bytes."));
}

int BhwcBatchFromShape(const Tensor::Shape& shape) {
  return CheckedBhwc(shape).front();
}

int BhwcHeightFromShape(const Tensor::Shape& shape) {
  return SizeFromEnd(shape, 3);
}

int BhwcWidthFromShape(const Tensor::Shape& shape) {
  return SizeFromEnd(shape, 2);
}

int BhwcDepthFromShape(const Tensor::Shape& shape) {
  return SizeFromEnd(shape, 1);
}

}  // namespace syncline
