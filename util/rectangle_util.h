// How much rectangles overlap.
//
// Thread rule: free functions.
// Tested by rectangle_util_test.

#ifndef SYNCLINE_UTIL_RECTANGLE_UTIL_H_
#define SYNCLINE_UTIL_RECTANGLE_UTIL_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "framework/formats/rect.pb.h"
#include "framework/port/rectangle.h"

namespace syncline {

// The area of the intersection divided by the area of the union: 0 for
// rectangles that do not overlap, 1 for equal ones. 0 if neither has an area.
float CalculateIou(const Rectangle_f& rect1, const Rectangle_f& rect2);

// The same for rectangles without their rotation; a missing field counts as 0.
float CalculateIou(const NormalizedRect& rect1, const NormalizedRect& rect2);

// The rectangle, without its rotation. INVALID_ARGUMENT if it has no width or
// height.
absl::StatusOr<Rectangle_f> ToRectangle(const NormalizedRect& rect);

// Whether `new_rect` overlaps one of the others by more than this.
bool DoesRectOverlap(const Rectangle_f& new_rect,
                     absl::Span<const Rectangle_f> existing_rects,
                     float min_similarity_threshold);
// The same; the errors are those of ToRectangle.
absl::StatusOr<bool> DoesRectOverlap(
    const NormalizedRect& new_rect,
    absl::Span<const NormalizedRect> existing_rects,
    float min_similarity_threshold);

}  // namespace syncline

#endif  // SYNCLINE_UTIL_RECTANGLE_UTIL_H_
