// Copyright 2024 The Acme Authors.
//
// Loops over a type of one's own, and a name for that type.

#include <vector>

#include "mediapipe/acme/calculators/loops.h"
#include "mediapipe/calculators/core/begin_loop_calculator.h"
#include "mediapipe/calculators/core/end_loop_calculator.h"
#include "mediapipe/framework/calculator_framework.h"
#include "mediapipe/framework/type_map.h"

namespace mediapipe {

typedef BeginLoopCalculator<std::vector<AcmeReading>> BeginLoopReadingCalculator;
REGISTER_CALCULATOR(BeginLoopReadingCalculator);

typedef EndLoopCalculator<std::vector<float>> EndLoopAcmeFloatCalculator;
REGISTER_CALCULATOR(EndLoopAcmeFloatCalculator);

MEDIAPIPE_REGISTER_TYPE(mediapipe::AcmeReading, "::mediapipe::AcmeReading",
                        nullptr, nullptr);

class ReadingValueCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Get("READING", 0).Set<AcmeReading>();
    cc->Outputs().Get("VALUE", 0).Set<float>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const auto& reading = cc->Inputs().Tag("READING").Get<AcmeReading>();
    cc->Outputs().Tag("VALUE").AddPacket(
        MakePacket<float>(reading.value).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ReadingValueCalculator);

}  // namespace mediapipe
