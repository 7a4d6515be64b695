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
    // Both are the same, as far as the numbers can tell.
    kAmbiguous = 1,
    kTwoRealRoots = 2,
  };
  // The real roots of a x² + b x + c, exact also where b² is much more than
  // 4 a c. A line (a is 0) has the root twice, and what is nowhere 0 none.
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
    // Adds numbers of one sign only.
    const long double q = -(b + std::copysign(std::sqrt(discriminant), b)) / 2;
    *r1 = q / a;
    *r2 = q == 0 ? *r1 : c / q;
    return discriminant == 0 ? kAmbiguous : kTwoRealRoots;
  }

  // numerator / denominator, up and down to an integer, for any signs.
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

  // What is left of `value` when multiples of `modulus` are taken away: from 0
  // to modulus, not included. REQUIRES: modulus > 0
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
  // The same; what is too large or small becomes the largest or smallest
  // integer, and NaN 0.
  template <typename IntOut, typename FloatIn>
  static IntOut SafeRound(FloatIn value) {
    return SafeCast<IntOut>(std::round(value));
  }
  // Cuts off what is behind the point; otherwise as SafeRound.
  template <typename IntOut, typename FloatIn>
  static IntOut SafeCast(FloatIn value) {
    static_assert(std::is_floating_point_v<FloatIn>);
    using Limits = std::numeric_limits<IntOut>;
    if (std::isnan(value)) return 0;
    // A power of two: floating point has it exactly.
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

  // `value`, or the nearer of the two ends.
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
  // Whether they differ by no more than a part of the greater of both.
  template <typename T>
  static bool WithinFraction(T x, T y, T fraction) {
    if (!std::isfinite(x) || !std::isfinite(y)) return x == y;
    return std::abs(x - y) <= fraction * std::fmax(std::abs(x), std::abs(y));
  }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_DEPS_MATHUTIL_H_
