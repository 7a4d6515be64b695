// Rounding, dividing and clamping numbers without surprises.
//
// Thread rule: free functions.
// Tested by mathutil_test.

#ifndef SYNCLINE_FRAMEWORK_DEPS_MATHUTIL_H_
#define SYNCLINE_FRAMEWORK_DEPS_MATHUTIL_H_

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace syncline {

class MathUtil {
 public:
  MathUtil() = delete;

  // How many real roots a quadratic has.
  enum QuadraticRootType {
    kNoRealRoots = 0,
    // Both roots are equal, as far as floating point can tell.
    kAmbiguous = 1,
    kTwoRealRoots = 2,
  };
  // The real roots of a x² + b x + c. They are exact also if b² is much larger
  // than 4 a c. If a is 0, the only root is given twice; if the function is 0
  // nowhere, there is none.
  static QuadraticRootType RealRootsForQuadratic(long double a, long double b,
                                                 long double c, long double* r1,
                                                 long double* r2) {
    if (a == 0) {
      if (b == 0) return kNoRealRoots;
      *r1 = *r2 = -c / b;
      return kAmbiguous;
    }
    const long double discriminant = b * b - 4 * a * c;
    if (discriminant < 0) return kNoRealRoots;
    // Adds only numbers of the same sign, which loses no digits.
    const long double q = -(b + std::copysign(std::sqrt(discriminant), b)) / 2;
    *r1 = q / a;
    *r2 = q == 0 ? *r1 : c / q;
    return discriminant == 0 ? kAmbiguous : kTwoRealRoots;
  }

  // numerator / denominator, rounded up or down to an integer, for any signs.
  // REQUIRES: the denominator is not 0, and the result can be represented.
  template <typename Integer>
  static constexpr Integer CeilOfRatio(Integer numerator, Integer denominator) {
    const Integer quotient = numerator / denominator;
    const bool is_rounded_down =
        numerator % denominator != 0 && (numerator > 0) == (denominator > 0);
    return is_rounded_down ? quotient + 1 : quotient;
  }
  template <typename Integer>
  static constexpr Integer FloorOfRatio(Integer numerator,
                                        Integer denominator) {
    const Integer quotient = numerator / denominator;
    const bool is_rounded_up =
        numerator % denominator != 0 && (numerator > 0) != (denominator > 0);
    return is_rounded_up ? quotient - 1 : quotient;
  }

  // The remainder of `value` divided by `modulus`, never negative: at least 0
  // and less than `modulus`. REQUIRES: modulus > 0
  template <typename Integer>
  static constexpr Integer NonnegativeMod(Integer value, Integer modulus) {
    const Integer rest = value % modulus;
    return rest < 0 ? rest + modulus : rest;
  }

  // To the nearest integer; halves away from 0. REQUIRES: it can be
  // represented; SafeRound has no such requirement.
  template <typename IntOut, typename FloatIn>
  static IntOut Round(FloatIn value) {
    return static_cast<IntOut>(std::round(value));
  }
  // The same for all values: a value that is too large or too small becomes the
  // largest or smallest integer, and NaN becomes 0.
  template <typename IntOut, typename FloatIn>
  static IntOut SafeRound(FloatIn value) {
    return SafeCast<IntOut>(std::round(value));
  }
  // Rounds towards 0; otherwise as SafeRound.
  template <typename IntOut, typename FloatIn>
  static IntOut SafeCast(FloatIn value) {
    static_assert(std::is_floating_point_v<FloatIn>);
    using Limits = std::numeric_limits<IntOut>;
    if (std::isnan(value)) return 0;
    // A power of two, which floating point represents exactly.
    const FloatIn end = std::ldexp(FloatIn(1), Limits::digits);
    if (value >= end) return Limits::max();
    if (value <= static_cast<FloatIn>(Limits::min())) return Limits::min();
    return static_cast<IntOut>(value);
  }
  static std::int32_t FastIntRound(double value) {
    return SafeRound<std::int32_t>(value);
  }
  static std::int64_t FastInt64Round(double value) {
    return SafeRound<std::int64_t>(value);
  }

  // `value` if it lies between the ends, or the nearer end.
  template <typename T>
  static constexpr const T& Clamp(const T& low, const T& high, const T& value) {
    return value < low ? low : high < value ? high : value;
  }

  // base to the power of a non-negative exponent.
  template <typename T>
  static constexpr T IPow(T base, int exponent) {
    T result = 1;
    for (; exponent > 0; exponent /= 2) {
      if (exponent % 2 == 1) result *= base;
      if (exponent > 1) base *= base;
    }
    return result;
  }

  // Whether they differ by no more than `margin`; NaN differs from everything.
  template <typename T>
  static bool WithinMargin(T x, T y, T margin) {
    return x == y || std::abs(x - y) <= margin;
  }
  // Whether they differ by at most this fraction of the larger of the two.
  template <typename T>
  static bool WithinFraction(T x, T y, T fraction) {
    if (!std::isfinite(x) || !std::isfinite(y)) return x == y;
    return std::abs(x - y) <= fraction * std::fmax(std::abs(x), std::abs(y));
  }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_DEPS_MATHUTIL_H_
