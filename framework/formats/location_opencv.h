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

// The pixels that are not 0. The mask has one channel of 8 bits.
Location CreateCvMaskLocation(const cv::Mat_<unsigned char>& mask);

// The pixels of a MASK: an image of its size, 255 where it has a pixel and 0
// elsewhere.
std::unique_ptr<cv::Mat> GetCvMask(const Location& location);

// The same of any location in an image of that size; what is outside is cut
// off. A MASK of another size is stretched. A size of less than 1 is a misuse.
std::unique_ptr<cv::Mat> ConvertToCvMask(const Location& location,
                                         int image_width, int image_height);

// Makes a box `factor` times as wide and high around its middle; what is
// everywhere stays so. A MASK becomes larger or smaller at its border, by as
// much as its box would.
void EnlargeLocation(Location& location, float factor);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_LOCATION_OPENCV_H_
