// Draws RenderData into an image.
//
// Places may lie outside of the image: parts outside are not drawn. Numbers
// that are not finite or too large for any image are an error, which names the
// annotation; the annotations before it are drawn.
//
// Thread rule: a free function.
// Tested by annotation_overlay_test.

#ifndef SYNCLINE_CALCULATORS_VISION_DRAW_ANNOTATIONS_H_
#define SYNCLINE_CALCULATORS_VISION_DRAW_ANNOTATIONS_H_

#include "absl/status/status.h"
#include "opencv2/core.hpp"
#include "util/render_data.pb.h"

namespace syncline {

// `image` has three or four channels of bytes, red first.
absl::Status DrawAnnotations(const RenderData& render_data,
                             bool flip_text_vertically, cv::Mat* image);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VISION_DRAW_ANNOTATIONS_H_
