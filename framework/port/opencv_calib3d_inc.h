// OpenCV: cameras in space.

#ifndef SYNCLINE_FRAMEWORK_PORT_OPENCV_CALIB3D_INC_H_
#define SYNCLINE_FRAMEWORK_PORT_OPENCV_CALIB3D_INC_H_

#include "framework/port/opencv_core_inc.h"  // IWYU pragma: export
#include "opencv2/calib3d.hpp"               // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_OPENCV_CALIB3D_INC_H_
