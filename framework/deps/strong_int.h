// StrongInt: integer types that the compiler does not mix up.
//
//   SYNCLINE_DEFINE_STRONG_INT_TYPE(FrameIndex, int64_t);
//   SYNCLINE_DEFINE_STRONG_INT_TYPE(TrackId, int64_t);
//
//   FrameIndex frame(7);
//   ++frame;
//   frame += FrameIndex(2);
//   frame = frame * 3;
//   TrackId track(frame);   // does not compile
//   int64_t raw = frame.value();
//
// Two numbers of one type can be added, subtracted, compared and combined bit
// by bit. A number can be multiplied, divided and shifted by plain numbers. All
// of this costs no more than with plain integers. A validator may check every
// operation before it is done: safe_int.h has one against overflow.
//
// Thread rule: values.
// Tested by strong_int_test.

#ifndef SYNCLINE_FRAMEWORK_DEPS_STRONG_INT_H_
#define SYNCLINE_FRAMEWORK_DEPS_STRONG_INT_H_

#include <cstddef>
#include <functional>
#include <limits>
#include <ostream>
#include <type_traits>
#include <utility>

#include "absl/strings/string_view.h"

namespace syncline {
namespace intops {

// The validator that allows everything. Every validator has these functions.
// Each is called with the operands of an operation on values of type T.
struct NullStrongIntValidator {
  template <typename T, typename U>
  static constexpr void ValidateInit(U) {}
  template <typename T>
  static constexpr void ValidateNegate(T) {}
  template <typename T>
  static constexpr void ValidateBitNot(T) {}
  template <typename T>
  static constexpr void ValidateAdd(T, T) {}
  template <typename T>
  static constexpr void ValidateSubtract(T, T) {}
  template <typename T>
  static constexpr void ValidateBitAnd(T, T) {}
  template <typename T>
  static constexpr void ValidateBitOr(T, T) {}
  template <typename T>
  static constexpr void ValidateBitXor(T, T) {}
  template <typename T, typename U>
  static constexpr void ValidateMultiply(T, U) {}
  template <typename T, typename U>
  static constexpr void ValidateDivide(T, U) {}
  template <typename T, typename U>
  static constexpr void ValidateModulo(T, U) {}
  template <typename T, typename U>
  static constexpr void ValidateLeftShift(T, U) {}
  template <typename T, typename U>
  static constexpr void ValidateRightShift(T, U) {}
};

// The type in which a T and a U are multiplied and divided: the usual one of
// C++, unless that would read a negative number as a huge one.
template <typename T, typename U>
struct OperandOf {
  using type = std::common_type_t<decltype(+T()), decltype(+U())>;
};
template <typename T, typename U>
requires(std::is_integral_v<U>&& std::is_signed_v<T> !=
         std::is_signed_v<U>) struct OperandOf<T, U> {
  __extension__ using type = __int128;
};
template <typename T, typename U>
using Operand = typename OperandOf<T, U>::type;

// `TagType` makes the type different from others, and gives its name by
// TypeName().
template <typename TagType, typename NativeType,
          typename ValidatorType = NullStrongIntValidator>
class StrongInt {
 public:
  using ValueType = NativeType;
  using Validator = ValidatorType;

  static constexpr absl::string_view TypeName() { return TagType::TypeName(); }

  struct Hasher {
    std::size_t operator()(const StrongInt& x) const {
      return std::hash<NativeType>()(x.value());
    }
  };

  constexpr StrongInt() = default;
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  explicit constexpr StrongInt(T value)
      : value_((ValidatorType::template ValidateInit<NativeType, T>(value),
                static_cast<NativeType>(value))) {}
  constexpr StrongInt& operator=(NativeType value) {
    return *this = StrongInt(value);
  }

  constexpr NativeType value() const { return value_; }
  template <typename T>
  constexpr T value() const {
    return static_cast<T>(value_);
  }
  static constexpr StrongInt Max() {
    return StrongInt(std::numeric_limits<NativeType>::max());
  }
  static constexpr StrongInt Min() {
    return StrongInt(std::numeric_limits<NativeType>::min());
  }

  constexpr bool operator!() const { return value_ == 0; }
  constexpr StrongInt operator+() const { return *this; }
  constexpr StrongInt operator-() const {
    ValidatorType::template ValidateNegate<NativeType>(value_);
    return StrongInt(static_cast<NativeType>(-value_));
  }
  constexpr StrongInt operator~() const {
    ValidatorType::template ValidateBitNot<NativeType>(value_);
    return StrongInt(static_cast<NativeType>(~value_));
  }

  constexpr StrongInt& operator++() { return *this += StrongInt(1); }
  constexpr StrongInt& operator--() { return *this -= StrongInt(1); }
  constexpr StrongInt operator++(int) {
    const StrongInt before = *this;
    ++*this;
    return before;
  }
  constexpr StrongInt operator--(int) {
    const StrongInt before = *this;
    --*this;
    return before;
  }

// Operations with another value of the same type.
#define SYNCLINE_STRONG_INT_OPERATOR_(op, Validate)                     \
  constexpr StrongInt& operator op##=(StrongInt other) {                \
    ValidatorType::template Validate<NativeType>(value_, other.value_); \
    value_ = static_cast<NativeType>(value_ op other.value_);           \
    return *this;                                                       \
  }                                                                     \
  friend constexpr StrongInt operator op(StrongInt a, StrongInt b) {    \
    return a op## = b;                                                  \
  }
  SYNCLINE_STRONG_INT_OPERATOR_(+, ValidateAdd)
  SYNCLINE_STRONG_INT_OPERATOR_(-, ValidateSubtract)
  SYNCLINE_STRONG_INT_OPERATOR_(&, ValidateBitAnd)
  SYNCLINE_STRONG_INT_OPERATOR_(|, ValidateBitOr)
  SYNCLINE_STRONG_INT_OPERATOR_(^, ValidateBitXor)
#undef SYNCLINE_STRONG_INT_OPERATOR_

// Operations with a plain number. The operands are of a type that holds both,
// so that -9 / 3u is -3.
#define SYNCLINE_STRONG_INT_OPERATOR_(op, Validate)                           \
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>> \
  constexpr StrongInt& operator op##=(T number) {                             \
    ValidatorType::template Validate<NativeType, T>(value_, number);          \
    using Operand = intops::Operand<NativeType, T>;                           \
    value_ = static_cast<NativeType>(Operand(value_) op Operand(number));     \
    return *this;                                                             \
  }                                                                           \
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>> \
  friend constexpr StrongInt operator op(StrongInt a, T number) {             \
    return a op## = number;                                                   \
  }
  SYNCLINE_STRONG_INT_OPERATOR_(*, ValidateMultiply)
  SYNCLINE_STRONG_INT_OPERATOR_(/, ValidateDivide)
  SYNCLINE_STRONG_INT_OPERATOR_(%, ValidateModulo)
  SYNCLINE_STRONG_INT_OPERATOR_(<<, ValidateLeftShift)
  SYNCLINE_STRONG_INT_OPERATOR_(>>, ValidateRightShift)
#undef SYNCLINE_STRONG_INT_OPERATOR_
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  friend constexpr StrongInt operator*(T number, StrongInt a) {
    return a *= number;
  }

  friend constexpr bool operator==(StrongInt, StrongInt) = default;
  friend constexpr auto operator<=>(StrongInt, StrongInt) = default;
  friend constexpr bool operator==(StrongInt a, NativeType b) {
    return a.value_ == b;
  }
  friend constexpr auto operator<=>(StrongInt a, NativeType b) {
    return a.value_ <=> b;
  }

  template <typename H>
  friend H AbslHashValue(H h, StrongInt x) {
    return H::combine(std::move(h), x.value_);
  }
  friend std::ostream& operator<<(std::ostream& out, StrongInt x) {
    return out << +x.value_;  // prints a number, also for a char
  }

 private:
  NativeType value_ = 0;
};

template <typename T>
struct IsStrongInt : std::false_type {};
template <typename TagType, typename NativeType, typename ValidatorType>
struct IsStrongInt<StrongInt<TagType, NativeType, ValidatorType>>
    : std::true_type {};

}  // namespace intops
}  // namespace syncline

template <typename TagType, typename NativeType, typename ValidatorType>
struct std::hash<
    syncline::intops::StrongInt<TagType, NativeType, ValidatorType>>
    : syncline::intops::StrongInt<TagType, NativeType, ValidatorType>::Hasher {
};

#define SYNCLINE_DEFINE_STRONG_INT_TYPE(type_name, value_type)           \
  struct type_name##_strong_int_tag_ {                                   \
    static constexpr absl::string_view TypeName() { return #type_name; } \
  };                                                                     \
  using type_name =                                                      \
      ::syncline::intops::StrongInt<type_name##_strong_int_tag_, value_type>

#endif  // SYNCLINE_FRAMEWORK_DEPS_STRONG_INT_H_
