// Points of a plane, whose difference is a vector (vector.h).
//
// Thread rule: values.
// Tested by vector_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_POINT2_H_
#define SYNCLINE_FRAMEWORK_FORMATS_POINT2_H_

#include <ostream>

#include "framework/formats/vector.h"

namespace syncline {

template <typename T>
class Point2 {
 public:
  using ScalarType = T;

  constexpr Point2() : x_(0), y_(0) {}
  constexpr Point2(T x, T y) : x_(x), y_(y) {}

  constexpr T x() const { return x_; }
  constexpr T y() const { return y_; }
  void set_x(T x) { x_ = x; }
  void set_y(T y) { y_ = y; }

  friend constexpr bool operator==(const Point2&, const Point2&) = default;
  constexpr Point2 operator+(const Vector2<T>& v) const {
    return {x_ + v.x(), y_ + v.y()};
  }
  constexpr Point2 operator-(const Vector2<T>& v) const {
    return {x_ - v.x(), y_ - v.y()};
  }
  constexpr Vector2<T> operator-(const Point2& other) const {
    return {x_ - other.x_, y_ - other.y_};
  }
  constexpr Vector2<T> ToVector() const { return {x_, y_}; }

  friend std::ostream& operator<<(std::ostream& out, const Point2& p) {
    return out << p.ToVector();
  }

 private:
  T x_;
  T y_;
};

using Point2_i = Point2<int>;
using Point2_f = Point2<float>;
using Point2_d = Point2<double>;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_POINT2_H_
