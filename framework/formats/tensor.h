// Tensor: a block of numbers with a shape, as inference reads and writes it.
//
//   Tensor tensor(Tensor::ElementType::kFloat32,
//                 Tensor::Shape{1, 480, 640, 3});
//   {
//     Tensor::CpuWriteView view = tensor.GetCpuWriteView();
//     view.buffer<float>()[0] = 0.5f;
//   }
//   float first = tensor.GetCpuReadView().buffer<float>()[0];
//
// Numbers are reached through views: many may read at a time, or one may write.
// Keep views short: a thread that asks for a view to write while it holds
// another view waits for ever. The numbers are in the memory of the CPU. The
// first view allocates the memory and sets it to 0.
//
// These are a misuse: a shape with a negative size, one with more than 2 GiB of
// numbers, and a buffer of another type than the tensor's.
//
// Thread rule: views on any thread. While a tensor is moved, no other thread
// uses it and no view exists.
// Tested by tensor_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_TENSOR_H_
#define SYNCLINE_FRAMEWORK_FORMATS_TENSOR_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/formats/shared_access.h"
#include "framework/packet/payload_size.h"

namespace syncline {

class MemoryManager;

class Tensor {
 public:
  enum class ElementType {
    kNone,
    kFloat16,
    kFloat32,
    kUInt8,
    kInt8,
    kInt32,
    kChar,
    kBool,
  };

  // The size of each dimension; the last one varies fastest.
  struct Shape {
    Shape() = default;
    Shape(std::initializer_list<int> dimensions) : dims(dimensions) {}
    explicit Shape(const std::vector<int>& dimensions, bool dynamic = false)
        : dims(dimensions), is_dynamic(dynamic) {}
    template <typename Iterator,
              typename = typename std::iterator_traits<Iterator>::value_type>
    Shape(Iterator begin, Iterator end) : dims(begin, end) {}

    // The number of elements: the product of the sizes, 1 without a dimension.
    // A shape that no tensor can have is a misuse.
    int num_elements() const;

    friend bool operator==(const Shape&, const Shape&) = default;

    std::vector<int> dims;
    // Whether a model accepts other sizes too.
    bool is_dynamic = false;
  };

  // The real number that an integer stands for: scale * (integer - zero_point).
  struct QuantizationParameters {
    QuantizationParameters() = default;
    QuantizationParameters(float scale, int zero_point)
        : scale(scale), zero_point(zero_point) {}

    float scale = 1.0f;
    int zero_point = 0;
  };

  // The memory manager is not used by tensors on the CPU. `memory_alignment` is
  // a power of two, or 0 for any.
  Tensor(ElementType element_type, const Shape& shape,
         MemoryManager* memory_manager = nullptr, int memory_alignment = 0)
      : Tensor(element_type, shape, QuantizationParameters(), memory_manager,
               memory_alignment) {}
  Tensor(ElementType element_type, const Shape& shape,
         const QuantizationParameters& quantization_parameters,
         MemoryManager* memory_manager = nullptr, int memory_alignment = 0);
  // The tensor that was moved from has no numbers and no type.
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(Tensor&& other) noexcept;
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  ElementType element_type() const { return element_type_; }
  const Shape& shape() const { return shape_; }
  const QuantizationParameters& quantization_parameters() const {
    return quantization_parameters_;
  }
  // The bytes of one number, and of all numbers.
  int element_size() const;
  int bytes() const { return shape_.num_elements() * element_size(); }

  // Whether the numbers were written.
  bool ready_on_cpu() const {
    return storage_ != nullptr && storage_->is_written;
  }
  bool ready_on_gpu() const { return false; }

 private:
  template <bool kWrites>
  class CpuView {
   public:
    // The numbers. T is their type; or void, char or uint8_t for their bytes;
    // or a type of the caller's that is made of them. The pointer is valid as
    // long as the view and the tensor live.
    template <typename T>
    auto buffer() const {
      CheckType(element_type_, kHolds<std::remove_cv_t<T>>);
      using Result = std::conditional_t<kWrites, T, const T>;
      return static_cast<Result*>(data_);
    }

   private:
    friend class Tensor;
    using Data = std::conditional_t<kWrites, void*, const void*>;
    CpuView(Data data, ElementType element_type, ScopedAccess access)
        : data_(data),
          element_type_(element_type),
          access_(std::move(access)) {}

    Data data_;
    ElementType element_type_;
    ScopedAccess access_;
  };

 public:
  using CpuReadView = CpuView</*kWrites=*/false>;
  using CpuWriteView = CpuView</*kWrites=*/true>;

  // Reading a tensor that was never written is a misuse.
  CpuReadView GetCpuReadView() const;
  // Const, as in MediaPipe: writing changes the numbers, and not the type or
  // shape of the tensor.
  CpuWriteView GetCpuWriteView() const;

 private:
  // The types of numbers that a buffer of T may show: one bit for each
  // ElementType.
  static constexpr unsigned Bit(ElementType type) {
    return 1u << static_cast<unsigned>(type);
  }
  template <typename T>
  static constexpr unsigned kHolds =
      !std::is_arithmetic_v<T> || std::is_same_v<T, char> ||
              std::is_same_v<T, std::uint8_t>
          ? ~0u
      : std::is_same_v<T, float>         ? Bit(ElementType::kFloat32)
      : std::is_same_v<T, std::int8_t>   ? Bit(ElementType::kInt8)
      : std::is_same_v<T, std::int32_t>  ? Bit(ElementType::kInt32)
      : std::is_same_v<T, bool>          ? Bit(ElementType::kBool)
      : std::is_same_v<T, std::uint16_t> ? Bit(ElementType::kFloat16)
                                         : 0u;
  // Misuse unless the bit of the tensor's type is among `holds`.
  static void CheckType(ElementType element_type, unsigned holds);

  struct Storage {
    std::shared_ptr<SharedAccess> access = std::make_shared<SharedAccess>();
    // Null before the first view to write.
    std::unique_ptr<void, void (*)(void*)> data{nullptr, nullptr};
    std::atomic<bool> is_written = false;
  };

  // Misuse for a tensor that was moved from.
  Storage& CheckedStorage() const;

  ElementType element_type_;
  Shape shape_;
  QuantizationParameters quantization_parameters_;
  int memory_alignment_;
  // Never null, except in a tensor that was moved from.
  std::unique_ptr<Storage> storage_;
};

template <>
struct PayloadSize<Tensor> {
  static std::size_t Bytes(const Tensor& tensor) {
    return sizeof(tensor) + tensor.bytes();
  }
};

// The sizes of images in a tensor: batch, height, width and depth, in this
// order. A missing size counts as 1. A shape without a dimension is a misuse.
int BhwcBatchFromShape(const Tensor::Shape& shape);
int BhwcHeightFromShape(const Tensor::Shape& shape);
int BhwcWidthFromShape(const Tensor::Shape& shape);
int BhwcDepthFromShape(const Tensor::Shape& shape);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_TENSOR_H_
