// ClockTimestampCalculator: sends the clock time at which the packets of a
// stream arrive.
//
//   node {
//     calculator: "ClockTimestampCalculator"
//     input_stream: "results"               # any
//     input_side_packet: "CLOCK:clock"      # std::shared_ptr<Clock>, optional
//     output_stream: "result_times"         # absl::Time
//   }
//
// Without CLOCK it uses the machine's time of day; but in a graph with a
// ManualClock or SyntheticClock, which do not advance by themselves, it uses
// that clock. An empty input sends nothing; the bound passes through (timestamp
// offset 0).
//
// With a clock that advances by itself, the values differ from run to run; the
// timestamps and the number of packets do not.
//
// Thread rule: constant after Open.
#include <memory>

#include "absl/time/time.h"
#include "framework/calculator_framework.h"
#include "framework/deps/clock.h"
#include "framework/graph_clock.h"

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
    if (!cc->InputSidePackets().HasTag("CLOCK")) {
      // The real-time clock of a graph may count from the start of the run.
      clock_ = cc->Clock()->passing() == GraphClock::Passing::kByItself
                   ? Clock::RealClock()
                   : cc->Clock();
      return absl::OkStatus();
    }
    given_ = cc->InputSidePackets().Tag("CLOCK").Get<std::shared_ptr<Clock>>();
    if (given_ == nullptr) {
      return absl::InvalidArgumentError("the side packet CLOCK holds no clock");
    }
    clock_ = given_.get();
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<absl::Time>(clock_->TimeNow()).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  std::shared_ptr<Clock> given_;
  Clock* clock_ = nullptr;
};
REGISTER_CALCULATOR(ClockTimestampCalculator);

}  // namespace syncline
