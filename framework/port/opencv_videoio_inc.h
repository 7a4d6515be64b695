// OpenCV: video files and cameras.

#ifndef SYNCLINE_FRAMEWORK_PORT_OPENCV_VIDEOIO_INC_H_
#define SYNCLINE_FRAMEWORK_PORT_OPENCV_VIDEOIO_INC_H_

#include "framework/port/opencv_core_inc.h"  // IWYU pragma: export
#include "opencv2/videoio.hpp"               // IWYU pragma: export

namespace syncline {

// The number of a codec, made of its four letters.
inline int fourcc(char c1, char c2, char c3, char c4) {
  return cv::VideoWriter::fourcc(c1, c2, c3, c4);
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_OPENCV_VIDEOIO_INC_H_
