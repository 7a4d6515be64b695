// Copyright 2025 The Acme Authors.
//
// A typed calculator as v0.10.35 has them: an interface and its NodeImpl.

#include "mediapipe/acme/calculators/pick_calculator.h"

#include "absl/log/absl_check.h"
#include "absl/status/status.h"
#include "mediapipe/framework/api2/node.h"
#include "mediapipe/framework/calculator_framework.h"
#include "mediapipe/framework/port/ret_check.h"

namespace mediapipe::tasks {

class PickCalculatorImpl
    : public mediapipe::api2::NodeImpl<PickNode, PickCalculatorImpl> {
 public:
  absl::Status Open(CalculatorContext* cc) override {
    index_ = kIndex(cc).Get();
    RET_CHECK(index_ >= 0 && index_ < kIn(cc).Count())
        << "there is no input " << index_;
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    ABSL_CHECK_GE(index_, 0);
    const auto in = kIn(cc)[index_];
    if (in.IsEmpty()) return absl::OkStatus();
    kOut(cc).Send(in);
    return absl::OkStatus();
  }

 private:
  int index_ = -1;
};

}  // namespace mediapipe::tasks
