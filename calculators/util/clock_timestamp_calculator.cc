// ClockTimestampCalculator: when the packets of a stream arrive.
//
//   node {
//     calculator: "ClockTimestampCalculator"
//     input_stream: "results"               # any
//     input_side_packet: "CLOCK:clock"      # std::shared_ptr<Clock>, optional
//     output_stream: "result_times"         # absl::Time
//   }
//
// Without CLOCK it is the machine's clock. An empty input sends nothing; the
// bound passes through (timestamp offset 0).
//
// The times differ from run to run, while timestamps and number of the packets
// do not.
//
// Thread rule: constant after Open.
#include <memory>

#include "absl/time/time.h"
#include "framework/calculator_framework.h"
#include "framework/deps/clock.h"

namespace syncline {

class ClockTimestampCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->InputSidePackets()
        .Tag("CLOCK")
        .Set<std::shared_ptr<Clock>>()
        .Optional();
    cc->Outputs().Index(0).Set<absl::Time>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    if (!cc->InputSidePackets().HasTag("CLOCK")) return absl::OkStatus();
    given_ = cc->InputSidePackets().Tag("CLOCK").Get<std::shared_ptr<Clock>>();
    if (given_ == nullptr) {
      return absl::InvalidArgumentError("the side packet CLOCK holds no clock");
    }
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
    Clock* const clock = given_ ? given_.get() : Clock::RealClock();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<absl::Time>(clock->TimeNow()).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  std::shared_ptr<Clock> given_;
};
REGISTER_CALCULATOR(ClockTimestampCalculator);

}  // namespace syncline
