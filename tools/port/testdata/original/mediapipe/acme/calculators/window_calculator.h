// Copyright 2023 The Acme Authors.

#ifndef MEDIAPIPE_ACME_CALCULATORS_WINDOW_CALCULATOR_H_
#define MEDIAPIPE_ACME_CALCULATORS_WINDOW_CALCULATOR_H_

#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

#include "mediapipe/framework/calculator_framework.h"
#include "mediapipe/framework/port/ret_check.h"

namespace mediapipe {

// Collects the last values in a vector. A template, as in calculators/core.
template <typename T>
class WindowCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<T>();
    cc->Outputs().Index(0).Set<std::vector<T>>();
    cc->InputSidePackets().Tag("SIZE").Set<int>();
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const int size = cc->InputSidePackets().Tag("SIZE").Get<int>();
    RET_CHECK_GT(size, 0) << "SIZE has to be positive";
    size_ = static_cast<size_t>(size);
    cc->SetOffset(mediapipe::TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    values_.push_back(cc->Inputs().Index(0).Get<T>());
    if (values_.size() > size_) values_.pop_front();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::vector<T>>(values_.begin(), values_.end())
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  size_t size_ = 0;
  std::deque<T> values_;
};

}  // namespace mediapipe

#endif  // MEDIAPIPE_ACME_CALCULATORS_WINDOW_CALCULATOR_H_
