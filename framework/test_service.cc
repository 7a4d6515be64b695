#include "framework/test_service.h"

#include "framework/calculator_framework.h"

namespace syncline {

absl::Status TestServiceCalculator::GetContract(CalculatorContract* cc) {
  cc->Inputs().Index(0).Set<int>();
  cc->Outputs().Index(0).Set<int>();
  cc->UseService(kTestService).Optional();
  cc->UseService(kAnotherService).Optional();
  return absl::OkStatus();
}

absl::Status TestServiceCalculator::Open(CalculatorContext* cc) {
  if (cc->Service(kAnotherService).IsAvailable()) {
    added_ = cc->Service(kAnotherService).GetObject();
  }
  return absl::OkStatus();
}

absl::Status TestServiceCalculator::Process(CalculatorContext* cc) {
  int value = cc->Inputs().Index(0).Get<int>() + added_;
  if (cc->Service(kTestService).IsAvailable()) {
    TestServiceObject& object = cc->Service(kTestService).GetObject();
    value += object["delta"];
    ++object["count"];
  }
  cc->Outputs().Index(0).AddPacket(
      MakePacket<int>(value).At(cc->InputTimestamp()));
  return absl::OkStatus();
}
REGISTER_CALCULATOR(TestServiceCalculator);

}  // namespace syncline
