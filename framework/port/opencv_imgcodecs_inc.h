// OpenCV: image files.

#ifndef SYNCLINE_FRAMEWORK_PORT_OPENCV_IMGCODECS_INC_H_
#define SYNCLINE_FRAMEWORK_PORT_OPENCV_IMGCODECS_INC_H_

#include "framework/port/opencv_core_inc.h"  // IWYU pragma: export
#include "opencv2/imgcodecs.hpp"             // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_OPENCV_IMGCODECS_INC_H_
