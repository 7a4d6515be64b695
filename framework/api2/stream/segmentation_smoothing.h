// Segmentation masks, smoothed over time.
//
// Thread rule: as of the graph that is being built.
// Tested by stream_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_API2_STREAM_SEGMENTATION_SMOOTHING_H_
#define SYNCLINE_FRAMEWORK_API2_STREAM_SEGMENTATION_SMOOTHING_H_

#include "framework/api2/builder.h"

namespace syncline {

class Image;

namespace api2 {
namespace builder {

// Mixes the mask before, from GetLoopbackData, into the new one: 0 for not at
// all, up to 1.
Stream<Image> SmoothSegmentationMask(Stream<Image> mask,
                                     Stream<Image> previous_mask,
                                     float combine_with_previous_ratio,
                                     Graph& graph);

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_SEGMENTATION_SMOOTHING_H_
