#include "examples/gpu_video/moving_square.h"

#include <cstdint>

#include "framework/calculator_framework.h"

namespace syncline {
namespace {

constexpr std::int64_t kPeriod = 100000;
constexpr int kSide = 80;

// Where the square is, in pixels: it goes to and fro.
struct SquarePlace {
  int left;
  int top;
};

int ToAndFro(std::int64_t step, int length) {
  const int place = static_cast<int>(step % (2 * length));
  return place < length ? place : 2 * length - 1 - place;
}

SquarePlace PlaceAt(Timestamp timestamp) {
  const std::int64_t step = timestamp.Value() / kPeriod;
  return {ToAndFro(8 * step, kMovingSquareWidth - kSide),
          ToAndFro(5 * step, kMovingSquareHeight - kSide)};
}

}  // namespace

ImageFrame MovingSquareFrame(Timestamp timestamp) {
  const SquarePlace square = PlaceAt(timestamp);
  ImageFrame frame(ImageFormat::SRGB, kMovingSquareWidth, kMovingSquareHeight);
  for (int y = 0; y < frame.Height(); ++y) {
    std::uint8_t* pixel = frame.MutablePixelData() + y * frame.WidthStep();
    for (int x = 0; x < frame.Width(); ++x, pixel += 3) {
      const bool is_inside = x >= square.left && x < square.left + kSide &&
                             y >= square.top && y < square.top + kSide;
      pixel[0] = static_cast<std::uint8_t>(is_inside ? 250 : x / 4);
      pixel[1] = static_cast<std::uint8_t>(is_inside ? 200 : y / 4);
      pixel[2] = static_cast<std::uint8_t>((x / 64 + y / 64) % 2 * 60);
    }
  }
  return frame;
}

class MovingSquareVideoCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Tag("FRAMES").Set<int>();
    cc->Outputs().Index(0).Set<ImageFrame>();
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (sent_ == cc->InputSidePackets().Tag("FRAMES").Get<int>()) {
      return tool::StatusStop();
    }
    const Timestamp timestamp(sent_++ * kPeriod);
    cc->Outputs().Index(0).AddPacket(
        MakePacket<ImageFrame>(MovingSquareFrame(timestamp)).At(timestamp));
    return absl::OkStatus();
  }

 private:
  int sent_ = 0;
};
REGISTER_CALCULATOR(MovingSquareVideoCalculator);

}  // namespace syncline
