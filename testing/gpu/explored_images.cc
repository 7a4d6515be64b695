// Images at the ends of graphs that are explored: what goes to a device and
// comes back is told from what else may come.
//
//   ExploreMakeFrame   int to a frame of 64 x 48 pixels, which the int decides
//   ExploreFrameSum    frame to the sum of all its values
//
// Thread rule: as CalculatorBase.
#include <cstdint>
#include <memory>

#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"

namespace syncline {
namespace {

class ExploreMakeFrame : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<ImageFrame>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const int value = cc->Inputs().Index(0).Get<int>();
    auto frame = std::make_unique<ImageFrame>(ImageFormat::SRGB, 64, 48);
    for (int y = 0; y < frame->Height(); ++y) {
      std::uint8_t* const row =
          frame->MutablePixelData() + y * frame->WidthStep();
      for (int x = 0; x < 3 * frame->Width(); ++x) {
        row[x] = static_cast<std::uint8_t>(7 * value + x + y);
      }
    }
    cc->Outputs().Index(0).Add(frame.release(), cc->InputTimestamp());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ExploreMakeFrame);

class ExploreFrameSum : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<ImageFrame>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const auto& frame = cc->Inputs().Index(0).Get<ImageFrame>();
    int sum = 0;
    for (int y = 0; y < frame.Height(); ++y) {
      const std::uint8_t* const row = frame.PixelData() + y * frame.WidthStep();
      for (int x = 0; x < frame.NumberOfChannels() * frame.Width(); ++x) {
        sum += row[x];
      }
    }
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(sum).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ExploreFrameSum);

}  // namespace
}  // namespace syncline
