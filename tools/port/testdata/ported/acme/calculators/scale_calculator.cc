// Copyright 2023 The Acme Authors.
//
// A calculator as MediaPipe v0.9.1 has them: CalculatorBase, proto2 options,
// ASSIGN_OR_RETURN and glog.

#include "framework/port.h"
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tools/port/testdata/ported/acme/calculators/scale_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/port/canonical_errors.h"
#include "framework/port/logging.h"
#include "framework/port/ret_check.h"
#include "framework/port/status.h"
#include "framework/port/statusor.h"
#include "framework/port/status_builder.h"

#if !SYNCLINE_DISABLE_GPU
#include "gpu/gl_calculator_helper.h"
#include "gpu/gpu_buffer.h"
#endif  // !SYNCLINE_DISABLE_GPU

namespace syncline {

namespace {
constexpr char kValueTag[] = "VALUE";
constexpr char kFactorTag[] = "FACTOR";
constexpr char kTextTag[] = "TEXT";
constexpr char kCountTag[] = "COUNT";

syncline::StatusOr<float> CheckedProduct(float value, float factor) {
  if (factor == 0.0f) {
    return syncline::InvalidArgumentErrorBuilder(SYNCLINE_LOC)
           << "the factor of " << value << " is zero";
  }
  return value * factor;
}
}  // namespace

// Multiplies each value by the factor of the options or of the side packet.
//
// Example config:
// node {
//   calculator: "ScaleCalculator"
//   input_stream: "VALUE:value"
//   output_stream: "VALUE:scaled"
//   options { [mediapipe.ScaleCalculatorOptions.ext] { factor: 3 } }
// }
class ScaleCalculator : public CalculatorBase {
 public:
  ScaleCalculator() : initialized_(false) {}
  ~ScaleCalculator() override {}

  static absl::Status GetContract(CalculatorContract* cc) {
    RET_CHECK(cc->Inputs().HasTag(kValueTag)) << "VALUE is needed";
    RET_CHECK_EQ(cc->Inputs().NumEntries(kValueTag), 1);
    cc->Inputs().Tag(kValueTag).Set<float>();
    if (cc->Outputs().HasTag(kValueTag)) {
      cc->Outputs().Tag(kValueTag).Set<float>();
    }
    if (cc->Outputs().HasTag(kTextTag)) {
      cc->Outputs().Tag(kTextTag).Set<std::string>();
    }
    if (cc->InputSidePackets().HasTag(kFactorTag)) {
      cc->InputSidePackets().Tag(kFactorTag).Set<float>();
    }
    if (cc->OutputSidePackets().HasTag(kCountTag)) {
      cc->OutputSidePackets().Tag(kCountTag).Set<int>();
    }
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    const auto& options = cc->Options<syncline::ScaleCalculatorOptions>();
    factor_ = options.factor();
    unit_ = options.unit();
    if (cc->InputSidePackets().HasTag(kFactorTag)) {
      factor_ = cc->InputSidePackets().Tag(kFactorTag).Get<float>();
    }
    cc->SetOffset(TimestampDiff(0));
    initialized_ = true;
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    RET_CHECK(initialized_);
    if (cc->Inputs().Tag(kValueTag).IsEmpty()) {
      return absl::OkStatus();
    }
    const float value = cc->Inputs().Tag(kValueTag).Get<float>();
    SYNCLINE_ASSIGN_OR_RETURN(const float product, CheckedProduct(value, factor_),
                     _ << " in " << cc->NodeName());
    VLOG(2) << value << " becomes " << product;
    ++count_;
    cc->GetCounter("scaled")->Increment();
    if (cc->Outputs().HasTag(kValueTag)) {
      cc->Outputs().Tag(kValueTag).AddPacket(
          syncline::MakePacket<float>(product).At(cc->InputTimestamp()));
    }
    if (cc->Outputs().HasTag(kTextTag)) {
      auto text = std::make_unique<std::string>(absl::StrCat(product, " ", unit_));
      cc->Outputs().Tag(kTextTag).Add(text.release(), cc->InputTimestamp());
    }
    return absl::OkStatus();
  }

  absl::Status Close(CalculatorContext* cc) override {
    if (cc->OutputSidePackets().HasTag(kCountTag)) {
      cc->OutputSidePackets().Tag(kCountTag).Set(MakePacket<int>(count_));
    }
    return absl::OkStatus();
  }

 private:
  bool initialized_;
  float factor_ = 1.0f;
  std::string unit_;
  int count_ = 0;
};
REGISTER_CALCULATOR(ScaleCalculator);

}  // namespace syncline
