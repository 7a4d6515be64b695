// Vector2, Vector3, Vector4: small vectors of numbers, as geometry code uses
// them.
//
// Thread rule: values.
// Tested by vector_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_VECTOR_H_
#define SYNCLINE_FRAMEWORK_FORMATS_VECTOR_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <ostream>

namespace syncline {

namespace vector_internal {

// What vectors of every size have. `Self` is the vector.
template <typename Self, typename T, std::size_t kSize>
class Vector {
 public:
  using ScalarType = T;

  static constexpr int Size() { return static_cast<int>(kSize); }

  constexpr T& operator[](int i) { return values_[i]; }
  constexpr T operator[](int i) const { return values_[i]; }
  T* Data() { return values_.data(); }
  const T* Data() const { return values_.data(); }

  constexpr Self& operator+=(const Self& other) {
    for (std::size_t i = 0; i < kSize; ++i) values_[i] += other.values_[i];
    return self();
  }
  constexpr Self& operator-=(const Self& other) {
    for (std::size_t i = 0; i < kSize; ++i) values_[i] -= other.values_[i];
    return self();
  }
  constexpr Self& operator*=(T factor) {
    for (T& value : values_) value *= factor;
    return self();
  }
  constexpr Self& operator/=(T divisor) {
    for (T& value : values_) value /= divisor;
    return self();
  }
  friend constexpr Self operator+(Self a, const Self& b) { return a += b; }
  friend constexpr Self operator-(Self a, const Self& b) { return a -= b; }
  friend constexpr Self operator*(Self a, T factor) { return a *= factor; }
  friend constexpr Self operator*(T factor, Self a) { return a *= factor; }
  friend constexpr Self operator/(Self a, T divisor) { return a /= divisor; }
  constexpr Self operator-() const { return Self() - self(); }

  friend constexpr bool operator==(const Self& a, const Self& b) {
    return a.values_ == b.values_;
  }
  friend constexpr bool operator!=(const Self& a, const Self& b) {
    return !(a == b);
  }

  constexpr T DotProd(const Self& other) const {
    T sum = T(0);
    for (std::size_t i = 0; i < kSize; ++i) {
      sum += values_[i] * other.values_[i];
    }
    return sum;
  }
  constexpr T Norm2() const { return DotProd(self()); }
  // A floating point type even for vectors of integers.
  auto Norm() const { return std::sqrt(Norm2()); }
  // The vector of length 1 in the same direction; of the zero vector, itself.
  Self Normalize() const {
    const T norm = static_cast<T>(Norm());
    return norm == T(0) ? self() : self() / norm;
  }

  friend std::ostream& operator<<(std::ostream& out, const Self& v) {
    out << "[";
    for (std::size_t i = 0; i < kSize; ++i) {
      out << (i == 0 ? "" : ", ") << v.values_[i];
    }
    return out << "]";
  }

 protected:
  constexpr Vector() : values_{} {}
  constexpr explicit Vector(const std::array<T, kSize>& values)
      : values_(values) {}

 private:
  constexpr Self& self() { return static_cast<Self&>(*this); }
  constexpr const Self& self() const { return static_cast<const Self&>(*this); }

  std::array<T, kSize> values_;
};

}  // namespace vector_internal

template <typename T>
class Vector2 : public vector_internal::Vector<Vector2<T>, T, 2> {
  using Base = vector_internal::Vector<Vector2<T>, T, 2>;

 public:
  constexpr Vector2() = default;
  constexpr Vector2(T x, T y) : Base({x, y}) {}

  constexpr T x() const { return (*this)[0]; }
  constexpr T y() const { return (*this)[1]; }
  void x(T value) { (*this)[0] = value; }
  void y(T value) { (*this)[1] = value; }

  // The z of the product in space.
  constexpr T CrossProd(const Vector2& other) const {
    return x() * other.y() - y() * other.x();
  }
  // Turned left by a right angle.
  constexpr Vector2 Ortho() const { return {-y(), x()}; }
};

template <typename T>
class Vector3 : public vector_internal::Vector<Vector3<T>, T, 3> {
  using Base = vector_internal::Vector<Vector3<T>, T, 3>;

 public:
  constexpr Vector3() = default;
  constexpr Vector3(T x, T y, T z) : Base({x, y, z}) {}

  constexpr T x() const { return (*this)[0]; }
  constexpr T y() const { return (*this)[1]; }
  constexpr T z() const { return (*this)[2]; }
  void x(T value) { (*this)[0] = value; }
  void y(T value) { (*this)[1] = value; }
  void z(T value) { (*this)[2] = value; }

  constexpr Vector3 CrossProd(const Vector3& o) const {
    return {y() * o.z() - z() * o.y(), z() * o.x() - x() * o.z(),
            x() * o.y() - y() * o.x()};
  }
};

template <typename T>
class Vector4 : public vector_internal::Vector<Vector4<T>, T, 4> {
  using Base = vector_internal::Vector<Vector4<T>, T, 4>;

 public:
  constexpr Vector4() = default;
  constexpr Vector4(T x, T y, T z, T w) : Base({x, y, z, w}) {}

  constexpr T x() const { return (*this)[0]; }
  constexpr T y() const { return (*this)[1]; }
  constexpr T z() const { return (*this)[2]; }
  constexpr T w() const { return (*this)[3]; }
};

using Vector2_i = Vector2<int>;
using Vector2_f = Vector2<float>;
using Vector2_d = Vector2<double>;
using Vector3_i = Vector3<int>;
using Vector3_f = Vector3<float>;
using Vector3_d = Vector3<double>;
using Vector4_i = Vector4<int>;
using Vector4_f = Vector4<float>;
using Vector4_d = Vector4<double>;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_VECTOR_H_
