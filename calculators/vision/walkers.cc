#include "calculators/vision/walkers.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "framework/formats/image_frame_opencv.h"
#include "opencv2/imgproc.hpp"

namespace syncline {
namespace {

// How many steps a figure takes while it walks as far as it is high.
constexpr double kStepsPerHeight = 2.5;

class FigurePainter {
 public:
  FigurePainter(cv::Point2d feet, double height, const cv::Scalar& color,
                cv::Mat* image)
      : feet_(feet), height_(height), color_(color), image_(*image) {}

  // `swing`, from -1 to 1, says how far the legs are apart.
  void Paint(double swing) {
    const double step = 0.09 * swing;
    cv::ellipse(image_, At(0, 0.92), {Length(0.06), Length(0.08)}, 0, 0, 360,
                color_, cv::FILLED);
    const std::vector<cv::Point> body = {At(-0.13, 0.82), At(0.13, 0.82),
                                         At(0.10, 0.45), At(-0.10, 0.45)};
    cv::fillConvexPoly(image_, body, color_);
    Limb(At(-0.05, 0.47), At(-0.06 - step, 0.02), 0.085);
    Limb(At(0.05, 0.47), At(0.06 + step, 0.02), 0.085);
    Limb(At(-0.13, 0.78), At(-0.16 + 0.7 * step, 0.45), 0.06);
    Limb(At(0.13, 0.78), At(0.16 - 0.7 * step, 0.45), 0.06);
    // A pattern within the figure, for calculators that follow points.
    for (int stripe = 0; stripe < 3; ++stripe) {
      const double y = 0.78 - 0.1 * stripe;
      cv::line(image_, At(-0.08, y), At(0.08, y - 0.04), color_ * 0.5,
               Length(0.015));
    }
  }

 private:
  // Heights above the feet, relative to the height of the figure.
  cv::Point At(double across, double up) const {
    return {cvRound(feet_.x + across * height_),
            cvRound(feet_.y - up * height_)};
  }
  int Length(double part) const { return std::max(1, cvRound(part * height_)); }
  void Limb(const cv::Point& from, const cv::Point& to, double thickness) {
    cv::line(image_, from, to, color_, Length(thickness));
  }

  const cv::Point2d feet_;
  const double height_;
  const cv::Scalar color_;
  cv::Mat& image_;
};

}  // namespace

ImageFrame DrawWalkers(const std::vector<Walker>& walkers, int width,
                       int height, double seconds) {
  ImageFrame frame(ImageFormat::SRGB, width, height);
  cv::Mat image = formats::MatView(&frame);
  for (int y = 0; y < height; ++y) {
    image.row(y).setTo(cv::Scalar::all(140.0 + 40.0 * y / height));
  }
  for (const Walker& walker : walkers) {
    const double way = walker.speed * seconds;
    double x = std::fmod(walker.start_x + way, width);
    if (x < 0) x += width;
    const double phase =
        std::abs(way) / walker.height * kStepsPerHeight * CV_PI;
    FigurePainter({x, walker.feet_y}, walker.height, {60, 45, 40}, &image)
        .Paint(std::sin(phase));
  }
  return frame;
}

}  // namespace syncline
