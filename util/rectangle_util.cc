#include "util/rectangle_util.h"

#include <algorithm>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/formats/rect.pb.h"
#include "framework/port/rectangle.h"
#include "framework/port/status_macros.h"

namespace syncline {

float CalculateIou(const Rectangle_f& rect1, const Rectangle_f& rect2) {
  const float common = rect1.Intersect(rect2).Area();
  const float either = rect1.Area() + rect2.Area() - common;
  return either > 0 ? common / either : 0;
}

namespace {

Rectangle_f Upright(const NormalizedRect& rect) {
  return Rectangle_f(rect.x_center() - rect.width() / 2,
                     rect.y_center() - rect.height() / 2, rect.width(),
                     rect.height());
}

}  // namespace

float CalculateIou(const NormalizedRect& rect1, const NormalizedRect& rect2) {
  return CalculateIou(Upright(rect1), Upright(rect2));
}

absl::StatusOr<Rectangle_f> ToRectangle(const NormalizedRect& rect) {
  if (!rect.has_x_center() || !rect.has_y_center() || !(rect.width() > 0) ||
      !(rect.height() > 0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("A rectangle needs x_center, y_center, and a width and "
                     "height above 0; this one is {",
                     rect.ShortDebugString(), "}."));
  }
  return Upright(rect);
}

bool DoesRectOverlap(const Rectangle_f& new_rect,
                     absl::Span<const Rectangle_f> existing_rects,
                     float min_similarity_threshold) {
  return std::any_of(existing_rects.begin(), existing_rects.end(),
                     [&](const Rectangle_f& existing) {
                       return CalculateIou(new_rect, existing) >
                              min_similarity_threshold;
                     });
}

absl::StatusOr<bool> DoesRectOverlap(
    const NormalizedRect& new_rect,
    absl::Span<const NormalizedRect> existing_rects,
    float min_similarity_threshold) {
  SYNCLINE_ASSIGN_OR_RETURN(const Rectangle_f rect, ToRectangle(new_rect));
  std::vector<Rectangle_f> others;
  for (const NormalizedRect& existing : existing_rects) {
    SYNCLINE_ASSIGN_OR_RETURN(others.emplace_back(), ToRectangle(existing));
  }
  return DoesRectOverlap(rect, others, min_similarity_threshold);
}

}  // namespace syncline
