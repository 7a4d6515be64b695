// The calculators of sensor_fusion.pbtxt.
#include <string>

#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"

namespace syncline {

// Computes the heading in degrees from turn rates in degrees a second: the sum
// over the time between measurements. A measurement is the turn rate of the
// time before it.
class HeadingCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<double>();
    cc->Outputs().Index(0).Set<double>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const Timestamp now = cc->InputTimestamp();
    if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
    if (last_ != Timestamp::Unset()) {
      heading_ += cc->Inputs().Index(0).Get<double>() * (now - last_).Seconds();
    }
    last_ = now;
    cc->Outputs().Index(0).AddPacket(MakePacket<double>(heading_).At(now));
    return absl::OkStatus();
  }

 private:
  Timestamp last_ = Timestamp::Unset();
  double heading_ = 0;
};
REGISTER_CALCULATOR(HeadingCalculator);

// Writes which heading a frame is combined with. The node's input stream
// handler chooses it, not this calculator. The packet of the heading keeps its
// own timestamp.
class FuseCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("FRAME").Set<int>();
    cc->Inputs().Tag("HEADING").Set<double>();
    cc->Outputs().Index(0).Set<std::string>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& heading = cc->Inputs().Tag("HEADING");
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::string>(
            heading.IsEmpty()
                ? "none"
                : absl::StrCat(heading.Get<double>(), " from ",
                               heading.Value().Timestamp().Value() / 1000,
                               " ms"))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(FuseCalculator);

// Joins both answers in a line. Both have the same timestamp, so the default
// handler will do.
class CompareCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("NEWEST").Set<std::string>();
    cc->Inputs().Tag("NEAREST").Set<std::string>();
    cc->Outputs().Index(0).Set<std::string>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const auto text = [&](const char* tag) {
      const InputStream& input = cc->Inputs().Tag(tag);
      return input.IsEmpty() ? std::string("none") : input.Get<std::string>();
    };
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::string>(absl::StrCat("newest: ", text("NEWEST"),
                                             "; nearest: ", text("NEAREST")))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(CompareCalculator);

}  // namespace syncline
