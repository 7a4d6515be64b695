// Tensor: a block of numbers with a shape, for inference and what is around it.
//
//   Tensor tensor(Tensor::ElementType::kFloat32, Tensor::Shape{1, 480, 640,
//   3});
//   {
//     Tensor::CpuWriteView view = tensor.GetCpuWriteView();
//     view.buffer<float>()[0] = 0.5f;
//   }
//   float first = tensor.GetCpuReadView().buffer<float>()[0];
//
// Numbers are reached through views: many may read at a time, or one may write.
// A view of a calculator lasts as short as can be; a thread that asks for a
// view to write while it holds another waits for ever. The numbers are in the
// memory of the CPU, which is allocated, and set to 0, for the first view; a
// GPU's memory has its place behind the same interface.
//
// A shape with a negative size or more than 2 GiB of numbers, and a buffer of
// another type than the tensor's, are a misuse.
//
// Thread rule: views on any thread; moving a tensor needs it for itself,
// without views.
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

  // How many numbers there are in each direction, the slowest first.
  struct Shape {
    Shape() = default;
    Shape(std::initializer_list<int> dimensions) : dims(dimensions) {}
    explicit Shape(const std::vector<int>& dimensions, bool dynamic = false)
        : dims(dimensions), is_dynamic(dynamic) {}
    template <typename Iterator,
              typename = typename std::iterator_traits<Iterator>::value_type>
    Shape(Iterator begin, Iterator end) : dims(begin, end) {}

    // All of them: the product, 1 without a dimension. The product of what no
    // tensor can have is a misuse.
    int num_elements() const;

    friend bool operator==(const Shape&, const Shape&) = default;

    std::vector<int> dims;
    // Whether a model takes other sizes too.
    bool is_dynamic = false;
  };

  // What an integer stands for: scale * (integer - zero_point).
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
  // Leaves the other without numbers and without a type.
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(Tensor&& other) noexcept;
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  ElementType element_type() const { return element_type_; }
  const Shape& shape() const { return shape_; }
  const QuantizationParameters& quantization_parameters() const {
    return quantization_parameters_;
  }
  // In bytes: of one number, and of all.
  int element_size() const;
  int bytes() const { return shape_.num_elements() * element_size(); }

  // Whether there are numbers that were written.
  bool ready_on_cpu() const {
    return storage_ != nullptr && storage_->is_written;
  }
  bool ready_on_gpu() const { return false; }

 private:
  template <bool kWrites>
  class CpuView {
   public:
    // The numbers: T has their type, or is void, char or uint8_t for their
    // bytes, or a type of one's own made of them. Valid as long as the view and
    // the tensor live.
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
  // Const, as it is for MediaPipe's users: what a tensor is does not change,
  // only its numbers.
  CpuWriteView GetCpuWriteView() const;

 private:
  // Which numbers a buffer of T may show: a bit for each ElementType.
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
  // Misuse unless the bit of the type is among `holds`.
  static void CheckType(ElementType element_type, unsigned holds);

  struct Storage {
    std::shared_ptr<SharedAccess> access = std::make_shared<SharedAccess>();
    // Null until there is a view to write.
    std::unique_ptr<void, void (*)(void*)> data{nullptr, nullptr};
    std::atomic<bool> is_written = false;
  };

  // Misuse in a tensor that was moved from.
  Storage& CheckedStorage() const;

  ElementType element_type_;
  Shape shape_;
  QuantizationParameters quantization_parameters_;
  int memory_alignment_;
  // Never null, but in a tensor that was moved from.
  std::unique_ptr<Storage> storage_;
};

template <>
struct PayloadSize<Tensor> {
  static std::size_t Bytes(const Tensor& tensor) {
    return sizeof(tensor) + tensor.bytes();
  }
};

// The sizes of images in a tensor: batch, height, width and depth, in this
// order, where those that are missing are 1. A shape without a dimension is a
// misuse.
int BhwcBatchFromShape(const Tensor::Shape& shape);
int BhwcHeightFromShape(const Tensor::Shape& shape);
int BhwcWidthFromShape(const Tensor::Shape& shape);
int BhwcDepthFromShape(const Tensor::Shape& shape);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_TENSOR_H_
