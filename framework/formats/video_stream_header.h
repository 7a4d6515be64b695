// VideoHeader: the header of a stream of images.
//
// Thread rule: a value.
// Tested by image_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_VIDEO_STREAM_HEADER_H_
#define SYNCLINE_FRAMEWORK_FORMATS_VIDEO_STREAM_HEADER_H_

#include "framework/formats/image_format.pb.h"

namespace syncline {

// What is not known is 0.
struct VideoHeader {
  ImageFormat::Format format = ImageFormat::UNKNOWN;
  // Of every image, in pixels.
  int width = 0;
  int height = 0;
  // Of the video, in seconds.
  double duration = 0;
  // Images in a second.
  float frame_rate = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_VIDEO_STREAM_HEADER_H_
