// The size of an image.
//
// Thread rule: as for the graph that is being built.
// Tested by stream_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_API2_STREAM_IMAGE_SIZE_H_
#define SYNCLINE_FRAMEWORK_API2_STREAM_IMAGE_SIZE_H_

#include <utility>

#include "framework/api2/builder.h"

namespace syncline {

class Image;
class ImageFrame;

namespace api2 {
namespace builder {

// Width and height, in pixels.
Stream<std::pair<int, int>> GetImageSize(Stream<Image> image, Graph& graph);
Stream<std::pair<int, int>> GetImageSize(Stream<ImageFrame> image,
                                         Graph& graph);

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_STREAM_IMAGE_SIZE_H_
