#include "examples/gpu_video/moving_box.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"

namespace syncline {
namespace {

constexpr int kStep = 4;
constexpr int kLeastDifference = 40;

bool Differs(const std::uint8_t* a, const std::uint8_t* b) {
  for (int channel = 0; channel < 3; ++channel) {
    if (std::abs(a[channel] - b[channel]) > kLeastDifference) return true;
  }
  return false;
}

}  // namespace

absl::optional<NormalizedRect> MovingBox(const ImageFrame& before,
                                         const ImageFrame& now) {
  int left = now.Width();
  int top = now.Height();
  int right = 0;
  int bottom = 0;
  for (int y = 0; y < now.Height(); y += kStep) {
    const std::uint8_t* const row_before =
        before.PixelData() + y * before.WidthStep();
    const std::uint8_t* const row_now = now.PixelData() + y * now.WidthStep();
    for (int x = 0; x < now.Width(); x += kStep) {
      if (!Differs(row_before + 3 * x, row_now + 3 * x)) continue;
      left = std::min(left, x);
      top = std::min(top, y);
      right = std::max(right, std::min(x + kStep, now.Width()));
      bottom = std::max(bottom, std::min(y + kStep, now.Height()));
    }
  }
  if (right == 0) return absl::nullopt;
  const auto width = static_cast<float>(now.Width());
  const auto height = static_cast<float>(now.Height());
  NormalizedRect box;
  box.set_x_center(static_cast<float>(left + right) / 2 / width);
  box.set_y_center(static_cast<float>(top + bottom) / 2 / height);
  box.set_width(static_cast<float>(right - left) / width);
  box.set_height(static_cast<float>(bottom - top) / height);
  return box;
}

class MovingBoxCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<ImageFrame>();
    cc->Outputs().Index(0).Set<std::vector<NormalizedRect>>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const Packet& packet = cc->Inputs().Index(0).Value();
    if (packet.IsEmpty()) return absl::OkStatus();
    const auto& frame = packet.Get<ImageFrame>();
    if (frame.Format() != ImageFormat::SRGB) {
      return absl::InvalidArgumentError(absl::StrCat(
          "MovingBoxCalculator: a frame is ",
          ImageFormat::Format_Name(frame.Format()), "; it can be SRGB"));
    }
    std::vector<NormalizedRect> boxes;
    if (!before_.IsEmpty()) {
      const auto& before = before_.Get<ImageFrame>();
      if (before.Width() == frame.Width() &&
          before.Height() == frame.Height()) {
        const absl::optional<NormalizedRect> box = MovingBox(before, frame);
        if (box.has_value()) boxes.push_back(*box);
      }
    }
    before_ = packet;
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::vector<NormalizedRect>>(std::move(boxes))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  Packet before_;
};
REGISTER_CALCULATOR(MovingBoxCalculator);

}  // namespace syncline
