// Safe integers: StrongInts (strong_int.h) that let nothing overflow.
//
//   SYNCLINE_DEFINE_SAFE_INT_TYPE(ByteCount, int32_t, intops::LogFatalOnError);
//
//   ByteCount n = ByteCount(1 << 30) * 4;  // a misuse: "1073741824 * 4"
//
// Every operation is checked before it is done: a result that the type cannot
// hold, division by zero, a shift by more bits than the type has. The policy
// decides what happens then.
//
// Thread rule: values.
// Tested by safe_int_test.

#ifndef SYNCLINE_FRAMEWORK_DEPS_SAFE_INT_H_
#define SYNCLINE_FRAMEWORK_DEPS_SAFE_INT_H_

#include <cmath>
#include <limits>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/deps/strong_int.h"

namespace syncline {
namespace intops {

// The only policy so far: an overflow is a misuse. It ends the process, or the
// call of the calculator in which it happens.
struct LogFatalOnError {
  template <typename T, typename U>
  static void Error(absl::string_view error, T a, absl::string_view op, U b) {
    ReportMisuse(absl::OutOfRangeError(absl::StrCat("Safe integer: ", error,
                                                    " in ", Printable(a), " ",
                                                    op, " ", Printable(b))));
  }

 private:
  // A char as a number; what StrCat does not take, in the type next to it.
  template <typename T>
  static auto Printable(T value) {
    if constexpr (std::is_same_v<T, long double>) {
      return static_cast<double>(value);
    } else {
      return +value;
    }
  }
};

template <typename ErrorPolicy>
class SafeIntStrongIntValidator {
 public:
  template <typename T, typename U>
  static constexpr void ValidateInit(U value) {
    if (!Holds<T>(value)) Overflow(value, "as a value", T());
  }
  template <typename T>
  static constexpr void ValidateNegate(T value) {
    ValidateSubtract<T>(0, value);
  }
  template <typename T>
  static constexpr void ValidateBitNot(T) {}
  template <typename T>
  static constexpr void ValidateAdd(T a, T b) {
    T result;
    if (__builtin_add_overflow(a, b, &result)) Overflow(a, "+", b);
  }
  template <typename T>
  static constexpr void ValidateSubtract(T a, T b) {
    T result;
    if (__builtin_sub_overflow(a, b, &result)) Overflow(a, "-", b);
  }
  template <typename T>
  static constexpr void ValidateBitAnd(T, T) {}
  template <typename T>
  static constexpr void ValidateBitOr(T, T) {}
  template <typename T>
  static constexpr void ValidateBitXor(T, T) {}
  template <typename T, typename U>
  static constexpr void ValidateMultiply(T a, U b) {
    if constexpr (std::is_integral_v<U>) {
      T result;
      if (__builtin_mul_overflow(a, b, &result)) Overflow(a, "*", b);
    } else if (!Holds<T>(a * b)) {
      Overflow(a, "*", b);
    }
  }
  template <typename T, typename U>
  static constexpr void ValidateDivide(T a, U b) {
    if (b == 0) {
      ErrorPolicy::Error("division by zero", a, "/", b);
    } else if constexpr (!std::is_integral_v<U>) {
      if (!Holds<T>(a / b)) Overflow(a, "/", b);
    } else if (std::is_signed_v<T> && IsMinusOne(b)) {
      T result;
      if (__builtin_sub_overflow(T(0), a, &result)) Overflow(a, "/", b);
    } else if (std::is_unsigned_v<T> && IsNegative(b) && a != 0) {
      ErrorPolicy::Error("mixed signs", a, "/", b);
    }
  }
  template <typename T, typename U>
  static constexpr void ValidateModulo(T a, U b) {
    if (b == 0) {
      ErrorPolicy::Error("division by zero", a, "%", b);
    } else if (std::is_signed_v<T> && IsMinusOne(b) &&
               a == std::numeric_limits<T>::min()) {
      Overflow(a, "%", b);
    } else if (std::is_unsigned_v<T> && IsNegative(b) && a != 0) {
      ErrorPolicy::Error("mixed signs", a, "%", b);
    }
  }
  template <typename T, typename U>
  static constexpr void ValidateLeftShift(T a, U b) {
    ValidateShift(a, "<<", b);
    if (IsNegative(a) || a > (std::numeric_limits<T>::max() >> b)) {
      Overflow(a, "<<", b);
    }
  }
  template <typename T, typename U>
  static constexpr void ValidateRightShift(T a, U b) {
    ValidateShift(a, ">>", b);
  }

 private:
  template <typename T>
  static constexpr bool IsNegative(T value) {
    return value < T(0);
  }
  template <typename T>
  static constexpr bool IsMinusOne(T value) {
    return std::is_signed_v<T> && value == T(-1);
  }

  template <typename T, typename U>
  static constexpr bool Holds(U value) {
    if constexpr (std::is_integral_v<U>) {
      T result;
      return !__builtin_add_overflow(value, U(0), &result);
    } else {
      // A power of two, which floating point represents exactly. A NaN compares
      // as false.
      const U end = std::ldexp(U(1), std::numeric_limits<T>::digits);
      const U whole = std::trunc(value);
      return whole >= (std::is_signed_v<T> ? -end : U(0)) && whole < end;
    }
  }
  template <typename T, typename U>
  static constexpr void ValidateShift(T a, absl::string_view op, U b) {
    constexpr int kBits =
        std::numeric_limits<T>::digits + (std::is_signed_v<T> ? 1 : 0);
    if (IsNegative(b) || b >= U(kBits)) {
      ErrorPolicy::Error("a shift out of range", a, op, b);
    }
  }
  template <typename T, typename U>
  static constexpr void Overflow(T a, absl::string_view op, U b) {
    ErrorPolicy::Error("overflow", a, op, b);
  }
};

}  // namespace intops
}  // namespace syncline

#define SYNCLINE_DEFINE_SAFE_INT_TYPE(type_name, value_type, policy_type) \
  struct type_name##_safe_int_tag_ {                                      \
    static constexpr absl::string_view TypeName() { return #type_name; }  \
  };                                                                      \
  using type_name = ::syncline::intops::StrongInt<                        \
      type_name##_safe_int_tag_, value_type,                              \
      ::syncline::intops::SafeIntStrongIntValidator<policy_type>>

#endif  // SYNCLINE_FRAMEWORK_DEPS_SAFE_INT_H_
