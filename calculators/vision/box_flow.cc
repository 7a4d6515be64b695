#include "calculators/vision/box_flow.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/types/span.h"
#include "opencv2/imgproc.hpp"
#include "opencv2/video/tracking.hpp"

namespace syncline {
namespace {

// The inner part of a box in which points are followed, relative to its size.
constexpr double kInnerWidth = 0.6;
constexpr double kInnerHeight = 0.8;
// The smallest box that is followed, in pixels.
constexpr double kMinSizePx = 4;
// Shorter distances are too inexact to measure how a box grows.
constexpr float kMinDistancePx = 2;
// The largest factor by which a box may grow or shrink from one image to the
// next.
constexpr double kMaxGrowth = 1.2;
// The size of a look in pixels: enough to tell a figure from the background.
constexpr int kLookWidth = 16;
constexpr int kLookHeight = 32;
// If gray values differ by less than this on average, there is no contrast.
constexpr double kMinContrast = 1;

// A point, the point that it moved to, and how far from it the way back ended.
struct Way {
  cv::Point2f from;
  cv::Point2f to;
  float error;
};

float Median(std::vector<float> values) {
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

bool CanBeFollowed(const Box& box, const FlowImage& image) {
  const double x = box.x + box.width / 2;
  const double y = box.y + box.height / 2;
  return box.width >= kMinSizePx && box.height >= kMinSizePx && x >= 0 &&
         y >= 0 && x < image.width && y < image.height;
}

// The points of the box's grid that lie in the image.
std::vector<cv::Point2f> GridIn(const Box& box, const FlowImage& image,
                                int points_per_side) {
  std::vector<cv::Point2f> points;
  for (int row = 0; row < points_per_side; ++row) {
    for (int column = 0; column < points_per_side; ++column) {
      const double across = (column + 0.5) / points_per_side - 0.5;
      const double down = (row + 0.5) / points_per_side - 0.5;
      const double x = box.x + box.width * (0.5 + across * kInnerWidth);
      const double y = box.y + box.height * (0.5 + down * kInnerHeight);
      if (x < 0 || y < 0 || x >= image.width || y >= image.height) continue;
      points.emplace_back(static_cast<float>(x), static_cast<float>(y));
    }
  }
  return points;
}

// The movements of the points that are used.
std::vector<Way> GoodWays(absl::Span<const Way> ways, double max_error_px) {
  std::vector<Way> good;
  std::vector<float> errors;
  for (const Way& way : ways) {
    if (!(way.error <= max_error_px)) continue;
    good.push_back(way);
    errors.push_back(way.error);
  }
  if (good.empty()) return good;
  const float limit = Median(errors);
  good.erase(std::remove_if(good.begin(), good.end(),
                            [limit](const Way& w) { return w.error > limit; }),
             good.end());
  return good;
}

double GrowthOf(const std::vector<Way>& ways) {
  std::vector<float> growths;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    for (std::size_t j = i + 1; j < ways.size(); ++j) {
      const cv::Point2f before = ways[j].from - ways[i].from;
      const cv::Point2f after = ways[j].to - ways[i].to;
      const float distance = std::hypot(before.x, before.y);
      if (distance < kMinDistancePx) continue;
      growths.push_back(std::hypot(after.x, after.y) / distance);
    }
  }
  if (growths.empty()) return 1;
  return std::min(kMaxGrowth, std::max(1 / kMaxGrowth,
                                       static_cast<double>(Median(growths))));
}

Box Move(const Box& box, const std::vector<Way>& good) {
  std::vector<float> across, down;
  for (const Way& way : good) {
    across.push_back(way.to.x - way.from.x);
    down.push_back(way.to.y - way.from.y);
  }
  const double growth = GrowthOf(good);
  Box moved = box;
  moved.width *= growth;
  moved.height *= growth;
  moved.x += Median(across) - (moved.width - box.width) / 2;
  moved.y += Median(down) - (moved.height - box.height) / 2;
  return moved;
}

// Follows points of `from` into `to` and back.
std::vector<Way> FollowPoints(const FlowImage& from, const FlowImage& to,
                              const std::vector<cv::Point2f>& points,
                              const BoxFlowParameters& parameters) {
  if (points.empty()) return {};
  const cv::Size window(parameters.window_px, parameters.window_px);
  std::vector<cv::Point2f> there, back;
  std::vector<unsigned char> went, came;
  std::vector<float> unused;
  cv::calcOpticalFlowPyrLK(from.pyramid, to.pyramid, points, there, went,
                           unused, window, parameters.levels);
  cv::calcOpticalFlowPyrLK(to.pyramid, from.pyramid, there, back, came, unused,
                           window, parameters.levels);
  std::vector<Way> ways;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const cv::Point2f apart = back[i] - points[i];
    const float error =
        went[i] != 0 && came[i] != 0 ? std::hypot(apart.x, apart.y) : HUGE_VALF;
    ways.push_back({points[i], there[i], error});
  }
  return ways;
}

}  // namespace

FlowImage MakeFlowImage(const cv::Mat& gray,
                        const BoxFlowParameters& parameters) {
  FlowImage image;
  image.width = gray.cols;
  image.height = gray.rows;
  // The pyramid needs its own copy of the pixels.
  cv::buildOpticalFlowPyramid(gray, image.pyramid,
                              {parameters.window_px, parameters.window_px},
                              parameters.levels, /*withDerivatives=*/true,
                              cv::BORDER_REFLECT_101, cv::BORDER_CONSTANT,
                              /*tryReuseInputImage=*/false);
  return image;
}

std::vector<absl::optional<Box>> FollowBoxes(
    const FlowImage& from, const FlowImage& to, const std::vector<Box>& boxes,
    const BoxFlowParameters& parameters) {
  // Follows all boxes in one call, since OpenCV has a cost for each call.
  std::vector<cv::Point2f> points;
  std::vector<std::size_t> ends;
  for (const Box& box : boxes) {
    if (CanBeFollowed(box, from)) {
      const auto grid = GridIn(box, from, parameters.points_per_side);
      points.insert(points.end(), grid.begin(), grid.end());
    }
    ends.push_back(points.size());
  }
  const std::vector<Way> ways = FollowPoints(from, to, points, parameters);
  std::vector<absl::optional<Box>> moved(boxes.size());
  std::size_t begin = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const std::vector<Way> good =
        GoodWays(absl::MakeConstSpan(ways).subspan(begin, ends[i] - begin),
                 parameters.max_error_px);
    begin = ends[i];
    if (good.size() < static_cast<std::size_t>(parameters.min_points)) continue;
    const Box box = Move(boxes[i], good);
    if (CanBeFollowed(box, to)) moved[i] = box;
  }
  return moved;
}

cv::Mat LookOf(const FlowImage& image, const Box& box) {
  // A box may reach far beyond the image; only the part in the image is
  // compared.
  const auto clamp = [](double value, int size) {
    return static_cast<int>(
        std::lround(std::min<double>(size, std::max(0.0, value))));
  };
  const cv::Rect inside(
      cv::Point(clamp(box.x, image.width), clamp(box.y, image.height)),
      cv::Point(clamp(box.x + box.width, image.width),
                clamp(box.y + box.height, image.height)));
  cv::Mat look;
  if (inside.empty()) return look;
  cv::resize(image.pyramid[0](inside), look, {kLookWidth, kLookHeight}, 0, 0,
             cv::INTER_AREA);
  return look;
}

double Similarity(const cv::Mat& a, const cv::Mat& b) {
  if (a.empty() || b.empty()) return 0;
  cv::Scalar mean_a, contrast_a, mean_b, contrast_b;
  cv::meanStdDev(a, mean_a, contrast_a);
  cv::meanStdDev(b, mean_b, contrast_b);
  const bool is_flat_a = contrast_a[0] < kMinContrast;
  const bool is_flat_b = contrast_b[0] < kMinContrast;
  if (is_flat_a || is_flat_b) return is_flat_a && is_flat_b ? 1 : 0;
  const double product = a.dot(b) / static_cast<double>(a.total());
  return (product - mean_a[0] * mean_b[0]) / (contrast_a[0] * contrast_b[0]);
}

}  // namespace syncline
