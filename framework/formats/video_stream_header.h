// VideoHeader: the header of a stream of images.
//
// Thread rule: a value.
// Tested by image_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_VIDEO_STREAM_HEADER_H_
#define SYNCLINE_FRAMEWORK_FORMATS_VIDEO_STREAM_HEADER_H_

#include "framework/formats/image_format.pb.h"

namespace syncline {

// 0 in a field means that the value is not known.
struct VideoHeader {
  ImageFormat::Format format = ImageFormat::UNKNOWN;
  // The size of every image, in pixels.
  int width = 0;
  int height = 0;
  // The length of the video, in seconds.
  float duration = 0;
  // The number of images in a second.
  double frame_rate = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_VIDEO_STREAM_HEADER_H_
