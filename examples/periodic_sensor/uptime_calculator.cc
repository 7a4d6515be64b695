// UptimeCalculator: a source that asks a sensor. It does not decide when it is
// called, nor how often: conditions in the graph do.
#include <cstdint>
#include <fstream>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/conditions.h"
#include "framework/graph_clock.h"

namespace syncline {

class UptimeCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<std::string>();
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    // The uptime: a sensor that every machine has.
    std::ifstream sensor("/proc/uptime");
    double seconds = 0;
    RET_CHECK(sensor >> seconds) << "/proc/uptime cannot be read";
    const auto rate = cc->Condition<PeriodicCondition>("rate");
    std::string text =
        absl::StrCat("poll ", polls_++, ": up for ", seconds, " s, next in ",
                     rate->recess_period_ns() / 1000000, " ms");
    // The time of the graph's clock, in microseconds.
    const int64_t time = cc->Clock()->NowNs() / 1000;
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::string>(std::move(text)).At(Timestamp(time)));
    return absl::OkStatus();
  }

 private:
  int polls_ = 0;
};
REGISTER_CALCULATOR(UptimeCalculator);

}  // namespace syncline
