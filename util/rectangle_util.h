// How much rectangles have in common.
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

// The area that both have, as a part of the area that either has: 0 for those
// apart, 1 for the same. 0 where neither has an area.
float CalculateIou(const Rectangle_f& rect1, const Rectangle_f& rect2);

// The rectangle, as if it were not turned. INVALID_ARGUMENT without a width or
// height.
absl::StatusOr<Rectangle_f> ToRectangle(const NormalizedRect& rect);

// Whether `new_rect` has more than so much in common with one of the others.
bool DoesRectOverlap(const Rectangle_f& new_rect,
                     absl::Span<const Rectangle_f> existing_rects,
                     float min_similarity_threshold);

}  // namespace syncline

#endif  // SYNCLINE_UTIL_RECTANGLE_UTIL_H_
