// OpenCV: arrays.

#ifndef SYNCLINE_FRAMEWORK_PORT_OPENCV_CORE_INC_H_
#define SYNCLINE_FRAMEWORK_PORT_OPENCV_CORE_INC_H_

#include "opencv2/core.hpp"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_OPENCV_CORE_INC_H_
