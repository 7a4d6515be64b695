// Copyright 2025 The Acme Authors.
//
// A typed calculator as v0.10.35 has them: an interface and its NodeImpl.

#include "tools/port/testdata/ported/acme/calculators/pick_calculator.h"

#include "glog/logging.h"
#include "absl/status/status.h"
#include "framework/api2/node.h"
#include "framework/calculator_framework.h"
#include "framework/port/ret_check.h"

namespace syncline::tasks {

class PickCalculatorImpl
    : public syncline::api2::NodeImpl<PickNode, PickCalculatorImpl> {
 public:
  absl::Status Open(CalculatorContext* cc) override {
    index_ = kIndex(cc).Get();
    RET_CHECK(index_ >= 0 && index_ < kIn(cc).Count())
        << "there is no input " << index_;
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    CHECK_GE(index_, 0);
    const auto in = kIn(cc)[index_];
    if (in.IsEmpty()) return absl::OkStatus();
    kOut(cc).Send(in);
    return absl::OkStatus();
  }

 private:
  int index_ = -1;
};

}  // namespace syncline::tasks
