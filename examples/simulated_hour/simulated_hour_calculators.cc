// A tank whose water rises and falls with the time of the graph's clock, and
// the mean of its level over ten minutes. Neither calculator knows that time is
// simulated.
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "framework/calculator_framework.h"
#include "framework/graph_clock.h"

namespace syncline {

// A source: sends the level at the present time of the clock.
class WaterLevelCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<double>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const int64_t now_ns = cc->Clock()->NowNs();
    // The level goes up and down once an hour, around 2 m.
    const double turns = static_cast<double>(now_ns) * 1e-9 / 3600;
    const double level = 2 + std::sin(2 * M_PI * turns);
    cc->Outputs().Index(0).AddPacket(
        MakePacket<double>(level).At(Timestamp(now_ns / 1000)));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(WaterLevelCalculator);

class TenMinuteMeanCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<double>();
    cc->Outputs().Index(0).Set<std::string>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    constexpr int kLevels = 10 * 60 * 100;
    sum_ += cc->Inputs().Index(0).Get<double>();
    if (++levels_ < kLevels) return absl::OkStatus();
    std::string text =
        absl::StrFormat("%.3f m, of %d levels", sum_ / levels_, levels_);
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::string>(std::move(text)).At(cc->InputTimestamp()));
    sum_ = 0;
    levels_ = 0;
    return absl::OkStatus();
  }

 private:
  double sum_ = 0;
  int levels_ = 0;
};
REGISTER_CALCULATOR(TenMinuteMeanCalculator);

}  // namespace syncline
