// OpenCV: detectors.

#ifndef SYNCLINE_FRAMEWORK_PORT_OPENCV_OBJDETECT_INC_H_
#define SYNCLINE_FRAMEWORK_PORT_OPENCV_OBJDETECT_INC_H_

#include "framework/port/opencv_core_inc.h"  // IWYU pragma: export
#include "opencv2/objdetect.hpp"             // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_OPENCV_OBJDETECT_INC_H_
