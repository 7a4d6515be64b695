// Locations (location.h) from and to OpenCV's types.
//
// Thread rule: free functions.
// Tested by opencv_views_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_LOCATION_OPENCV_H_
#define SYNCLINE_FRAMEWORK_FORMATS_LOCATION_OPENCV_H_

#include <memory>

#include "framework/formats/location.h"
#include "opencv2/core.hpp"

namespace syncline {

Location CreateBBoxLocation(const cv::Rect& rect);

// The pixels that are not 0, as a MASK. `mask` has one channel of 8 bits.
Location CreateCvMaskLocation(const cv::Mat_<unsigned char>& mask);
// The same; of floats, the pixels that are above 0. T is unsigned char or
// float.
template <typename T>
Location CreateCvMaskLocation(const cv::Mat_<T>& mask);

// The pixels of a MASK: an image of its size, 255 where it has a pixel and 0
// elsewhere.
std::unique_ptr<cv::Mat> GetCvMask(const Location& location);

// The pixels of any location in an image of that size: floats (CV_32FC1), 1
// where the location has a pixel and 0 elsewhere. Pixels outside of the image
// are left out. A MASK of another size is stretched. A size of less than 1 is a
// misuse.
std::unique_ptr<cv::Mat> ConvertToCvMask(const Location& location,
                                         int image_width, int image_height);

// Makes a box `factor` times as wide and high around its middle. A GLOBAL
// location stays as it is. A MASK grows or shrinks at its border, by as much as
// the box around it would.
void EnlargeLocation(Location& location, float factor);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_LOCATION_OPENCV_H_
