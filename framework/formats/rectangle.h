// Rectangle: an upright rectangle by its lower corner and its size.
//
// It is empty when its width or height is negative; as long as both are not, it
// has at least the points of its border, so that a rectangle of no width still
// has a place.
//
// Thread rule: values.
// Tested by rectangle_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_RECTANGLE_H_
#define SYNCLINE_FRAMEWORK_FORMATS_RECTANGLE_H_

#include <algorithm>
#include <ostream>

#include "framework/formats/point2.h"

namespace syncline {

template <typename T>
class Rectangle {
 public:
  using ScalarType = T;

  // At the origin, without extent.
  constexpr Rectangle() = default;
  constexpr Rectangle(T xmin, T ymin, T width, T height)
      : xmin_(xmin), ymin_(ymin), width_(width), height_(height) {}

  constexpr T xmin() const { return xmin_; }
  constexpr T ymin() const { return ymin_; }
  constexpr T xmax() const { return xmin_ + width_; }
  constexpr T ymax() const { return ymin_ + height_; }
  constexpr T Width() const { return width_; }
  constexpr T Height() const { return height_; }
  constexpr Point2<T> BottomLeft() const { return {xmin(), ymin()}; }
  constexpr Point2<T> TopRight() const { return {xmax(), ymax()}; }

  // Each moves one side and leaves the others where they are.
  void set_xmin(T xmin) {
    width_ = xmax() - xmin;
    xmin_ = xmin;
  }
  void set_ymin(T ymin) {
    height_ = ymax() - ymin;
    ymin_ = ymin;
  }
  void set_xmax(T xmax) { width_ = xmax - xmin_; }
  void set_ymax(T ymax) { height_ = ymax - ymin_; }

  constexpr bool IsEmpty() const { return width_ < 0 || height_ < 0; }
  // Makes it empty: a union with anything else is then the other.
  void SetEmpty() {
    xmin_ = ymin_ = T(0);
    width_ = height_ = T(-1);
  }

  // 0 when it is empty.
  constexpr T Area() const { return IsEmpty() ? T(0) : width_ * height_; }

  // The border is inside.
  constexpr bool Contains(T x, T y) const {
    return x >= xmin() && x <= xmax() && y >= ymin() && y <= ymax();
  }
  constexpr bool Contains(const Point2<T>& point) const {
    return Contains(point.x(), point.y());
  }
  constexpr bool Contains(const Rectangle& other) const {
    return other.IsEmpty() || (Contains(other.xmin(), other.ymin()) &&
                               Contains(other.xmax(), other.ymax()));
  }

  // What both have; empty when they have nothing in common.
  Rectangle Intersect(const Rectangle& other) const {
    return Between(
        std::max(xmin(), other.xmin()), std::max(ymin(), other.ymin()),
        std::min(xmax(), other.xmax()), std::min(ymax(), other.ymax()));
  }

  // The smallest that contains both.
  Rectangle Union(const Rectangle& other) const {
    if (IsEmpty()) return other;
    if (other.IsEmpty()) return *this;
    return Between(
        std::min(xmin(), other.xmin()), std::min(ymin(), other.ymin()),
        std::max(xmax(), other.xmax()), std::max(ymax(), other.ymax()));
  }

  friend constexpr bool operator==(const Rectangle&,
                                   const Rectangle&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Rectangle& r) {
    return out << "[(" << r.xmin() << ", " << r.ymin() << "), (" << r.xmax()
               << ", " << r.ymax() << ")]";
  }

 private:
  // Empty unless the second corner is not below or left of the first.
  static Rectangle Between(T xmin, T ymin, T xmax, T ymax) {
    Rectangle result(xmin, ymin, xmax - xmin, ymax - ymin);
    if (result.IsEmpty()) result.SetEmpty();
    return result;
  }

  T xmin_ = T(0);
  T ymin_ = T(0);
  T width_ = T(0);
  T height_ = T(0);
};

using Rectangle_i = Rectangle<int>;
using Rectangle_f = Rectangle<float>;
using Rectangle_d = Rectangle<double>;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_RECTANGLE_H_
