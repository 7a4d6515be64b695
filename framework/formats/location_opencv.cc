#include "framework/formats/location_opencv.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/formats/annotation/rasterization.pb.h"
#include "framework/formats/location.h"
#include "framework/formats/location_data.pb.h"
#include "framework/formats/rectangle.h"
#include "opencv2/core.hpp"
#include "opencv2/imgproc.hpp"

namespace syncline {
namespace {

// Larger than any usual image, and small enough for memory.
constexpr double kMaxMaskPixels = 1 << 28;

std::unique_ptr<cv::Mat> EmptyMask(int width, int height) {
  if (width <= 0 || height <= 0 ||
      static_cast<double>(width) * height > kMaxMaskPixels) {
    ReportMisuse(absl::InvalidArgumentError(absl::StrCat(
        "There is no mask of ", width, " x ", height, " pixels.")));
  }
  return std::make_unique<cv::Mat>(cv::Mat::zeros(height, width, CV_8UC1));
}

// Makes a mask larger by so many pixels in each direction, or smaller if they
// are negative. It counts the set pixels around each pixel, which takes the
// same time for any distance.
void Grow(int pixels_x, int pixels_y, cv::Mat* mask) {
  if (pixels_x < 0 || pixels_y < 0) {
    cv::bitwise_not(*mask, *mask);
    Grow(-pixels_x, -pixels_y, mask);
    cv::bitwise_not(*mask, *mask);
    return;
  }
  cv::Mat counts;
  cv::min(*mask, 1, counts);
  cv::boxFilter(counts, counts, CV_32S,
                cv::Size(2 * pixels_x + 1, 2 * pixels_y + 1), cv::Point(-1, -1),
                /*normalize=*/false, cv::BORDER_CONSTANT);
  cv::compare(counts, 0, *mask, cv::CMP_GT);
}

float Grown(float size, float factor) { return size * (factor - 1) / 2; }

}  // namespace

Location CreateBBoxLocation(const cv::Rect& rect) {
  return Location::CreateBBoxLocation(rect.x, rect.y, rect.width, rect.height);
}

Location CreateCvMaskLocation(const cv::Mat_<unsigned char>& mask) {
  return CreateCvMaskLocation<unsigned char>(mask);
}

template <typename T>
Location CreateCvMaskLocation(const cv::Mat_<T>& mask) {
  Rasterization runs;
  for (int y = 0; y < mask.rows; ++y) {
    const T* row = mask[y];
    for (int x = 0; x < mask.cols; ++x) {
      if (!(row[x] > 0)) continue;
      Rasterization::Interval* run = runs.add_interval();
      run->set_y(y);
      run->set_left_x(x);
      while (x + 1 < mask.cols && row[x + 1] > 0) ++x;
      run->set_right_x(x);
    }
  }
  return Location::CreateMaskLocation(mask.cols, mask.rows, runs);
}
template Location CreateCvMaskLocation(const cv::Mat_<unsigned char>&);
template Location CreateCvMaskLocation(const cv::Mat_<float>&);

std::unique_ptr<cv::Mat> GetCvMask(const Location& location) {
  const LocationData::BinaryMask& data = location.GetMask();
  std::unique_ptr<cv::Mat> mask = EmptyMask(data.width(), data.height());
  for (const Rasterization::Interval& run : data.rasterization().interval()) {
    // A Location checked that all runs are within the image.
    mask->row(run.y()).colRange(run.left_x(), run.right_x() + 1).setTo(255);
  }
  return mask;
}

std::unique_ptr<cv::Mat> ConvertToCvMask(const Location& location,
                                         int image_width, int image_height) {
  const std::unique_ptr<cv::Mat> mask = EmptyMask(image_width, image_height);
  // Of floats, as callers read it.
  auto result = std::make_unique<cv::Mat>(
      cv::Mat::zeros(image_height, image_width, CV_32FC1));
  if (location.GetFormat() == LocationData::MASK) {
    const std::unique_ptr<cv::Mat> own = GetCvMask(location);
    cv::resize(*own, *mask, mask->size(), 0, 0, cv::INTER_NEAREST);
    result->setTo(1, *mask);
    return result;
  }
  Location box = Location::CreateBBoxLocation(
      location.ConvertToBBox<Rectangle_i>(image_width, image_height));
  box.Crop(Rectangle_i(0, 0, image_width, image_height));
  const auto inside = box.GetBBox<Rectangle_i>();
  if (inside.Width() > 0 && inside.Height() > 0) {
    (*mask)(
        cv::Rect(inside.xmin(), inside.ymin(), inside.Width(), inside.Height()))
        .setTo(255);
  }
  result->setTo(1, *mask);
  return result;
}

void EnlargeLocation(Location& location, float factor) {
  if (!(factor > 0)) {
    ReportMisuse(absl::InvalidArgumentError(absl::StrCat(
        "A location is enlarged by a factor above 0, not by ", factor, ".")));
  }
  const LocationData data = location.ConvertToProto();
  LocationData enlarged = data;
  switch (location.GetFormat()) {
    case LocationData::GLOBAL:
      return;
    case LocationData::BOUNDING_BOX: {
      // For an image of one pixel, the relative box is the box in floats.
      const Rectangle_f box = location.ConvertToRelativeBBox(1, 1);
      location = Location::CreateRelativeBBoxLocation(
          box.xmin() - Grown(box.Width(), factor),
          box.ymin() - Grown(box.Height(), factor), box.Width() * factor,
          box.Height() * factor);
      location = Location::CreateBBoxLocation(
          location.ConvertToBBox<Rectangle_i>(1, 1));
      break;
    }
    case LocationData::RELATIVE_BOUNDING_BOX: {
      const Rectangle_f box = location.GetRelativeBBox();
      location = Location::CreateRelativeBBoxLocation(
          box.xmin() - Grown(box.Width(), factor),
          box.ymin() - Grown(box.Height(), factor), box.Width() * factor,
          box.Height() * factor);
      break;
    }
    case LocationData::MASK: {
      std::unique_ptr<cv::Mat> mask = GetCvMask(location);
      const auto box = location.ConvertToBBox<Rectangle_i>(1, 1);
      const auto pixels = [&](int size, int limit) {
        return static_cast<int>(
            std::clamp(std::round(Grown(static_cast<float>(size), factor)),
                       static_cast<float>(-limit), static_cast<float>(limit)));
      };
      Grow(pixels(box.Width(), mask->cols), pixels(box.Height(), mask->rows),
           mask.get());
      location = CreateCvMaskLocation(*mask);
      break;
    }
  }
  enlarged = location.ConvertToProto();
  *enlarged.mutable_relative_keypoints() = data.relative_keypoints();
  location.SetFromProto(enlarged);
}

}  // namespace syncline
