// Smooths segmentation masks over time.
//
// Thread rule: as for the graph that is being built.
// Tested by stream_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_API2_STREAM_SEGMENTATION_SMOOTHING_H_
#define SYNCLINE_FRAMEWORK_API2_STREAM_SEGMENTATION_SMOOTHING_H_

#include "framework/api2/builder.h"

namespace syncline {

class Image;

namespace api2 {
namespace builder {

// Mixes the mask before, from GetLoopbackData, into the new one: by 0 (not at
// all) to 1.
Stream<Image> SmoothSegmentationMask(Stream<Image> mask,
                                     Stream<Image> previous_mask,
                                     float combine_with_previous_ratio,
                                     Graph& graph);

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_SEGMENTATION_SMOOTHING_H_
