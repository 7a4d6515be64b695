#include "testing/planted_defects/defective_calculators.h"

#include <atomic>
#include <functional>
#include <thread>

#include "absl/status/status.h"
#include "framework/calculator_framework.h"

namespace syncline {

std::atomic<int>& PlantedGlobal() {
  static std::atomic<int> count{0};
  return count;
}

namespace {

absl::Status IntToInt(CalculatorContract* cc) {
  for (PacketType& input : cc->Inputs()) input.Set<int>();
  cc->Outputs().Index(0).Set<int>();
  return absl::OkStatus();
}

void Send(CalculatorContext* cc, int value) {
  cc->Outputs().Index(0).AddPacket(
      MakePacket<int>(value).At(cc->InputTimestamp()));
}

}  // namespace

class PlantedGlobalCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    return IntToInt(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    Send(cc, ++PlantedGlobal());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(PlantedGlobalCalculator);

class PlantedLeftoverCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    return IntToInt(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    static std::atomic<int> count{0};
    Send(cc, ++count);
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(PlantedLeftoverCalculator);

class PlantedMemoryCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    return IntToInt(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    Send(cc, ++count_);
    return absl::OkStatus();
  }

 private:
  std::atomic<int> count_{0};
};
REGISTER_CALCULATOR(PlantedMemoryCalculator);

class PlantedArrivalCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    return IntToInt(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    for (const InputStream& input : cc->Inputs()) {
      if (!input.IsEmpty()) sum_ = (10 * sum_ + input.Get<int>()) % 1000003;
    }
    return absl::OkStatus();
  }
  absl::Status Close(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(MakePacket<int>(sum_).At(Timestamp(0)));
    return absl::OkStatus();
  }

 private:
  int sum_ = 0;
};
REGISTER_CALCULATOR(PlantedArrivalCalculator);

class PlantedThreadCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    return IntToInt(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    const auto thread =
        std::hash<std::thread::id>()(std::this_thread::get_id()) % 1000003;
    Send(cc, cc->Inputs().Index(0).Get<int>() + static_cast<int>(thread));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(PlantedThreadCalculator);

class PlantedBoundCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->SetProcessTimestampBounds(true);
    return IntToInt(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& input = cc->Inputs().Index(0);
    if (cc->InputTimestamp().IsRangeValue()) {
      Send(cc, input.IsEmpty() ? -1 : input.Get<int>());
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(PlantedBoundCalculator);

}  // namespace syncline
