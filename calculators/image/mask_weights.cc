#include "calculators/image/mask_weights.h"

#include <cstdint>

#include "calculators/image/opencv_calls.h"
#include "calculators/image/opencv_frames.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame_opencv.h"
#include "opencv2/imgproc.hpp"

namespace syncline {

absl::StatusOr<cv::Mat> MaskWeights(const ImageFrame& mask, bool last_channel,
                                    cv::Size size) {
  SYNCLINE_RETURN_IF_ERROR(
      CheckFrame(mask, {ImageFormat::GRAY8, ImageFormat::SRGB,
                        ImageFormat::SRGBA, ImageFormat::VEC32F1}));
  cv::Mat weights;
  SYNCLINE_RETURN_IF_ERROR(CallOpenCv("reading a mask", [&] {
    const cv::Mat view = formats::MatView(&mask);
    cv::Mat channel;
    cv::extractChannel(view, channel, last_channel ? view.channels() - 1 : 0);
    channel.convertTo(weights, CV_32F, view.depth() == CV_8U ? 1 / 255.0 : 1);
    cv::patchNaNs(weights, 0);
    cv::max(cv::min(weights, 1), 0, weights);
    if (weights.size() != size) {
      cv::resize(weights, weights, size, 0, 0, cv::INTER_LINEAR);
    }
    return absl::OkStatus();
  }));
  return weights;
}

void Blend(const cv::Mat& first, const cv::Mat& second, const cv::Mat& weights,
           cv::Mat* result) {
  const int channels = first.channels();
  for (int y = 0; y < first.rows; ++y) {
    const auto* a = first.ptr<std::uint8_t>(y);
    const auto* b = second.ptr<std::uint8_t>(y);
    const auto* weight = weights.ptr<float>(y);
    auto* out = result->ptr<std::uint8_t>(y);
    for (int x = 0; x < first.cols; ++x) {
      for (int c = 0; c < channels; ++c, ++a, ++b, ++out) {
        const float from = *a;
        *out = static_cast<std::uint8_t>(
            from + (static_cast<float>(*b) - from) * weight[x] + 0.5F);
      }
    }
  }
}

}  // namespace syncline
