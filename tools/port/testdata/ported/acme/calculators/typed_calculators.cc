// Copyright 2022 The Acme Authors.
//
// Typed calculators as v0.9.1 has them: Node and MEDIAPIPE_REGISTER_NODE.

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "framework/api2/node.h"
#include "framework/api2/packet.h"
#include "framework/api2/port.h"
#include "framework/calculator_framework.h"
#include "framework/port/ret_check.h"

namespace syncline {
namespace api2 {

// Adds an offset, which may come as a stream or as a side packet.
class AddOffsetCalculator : public Node {
 public:
  static constexpr Input<float> kIn{"IN"};
  static constexpr Input<float>::SideFallback kOffset{"OFFSET"};
  static constexpr Input<int>::Multiple kMore{"MORE"};
  static constexpr Output<float> kOut{"OUT"};
  static constexpr Output<std::string>::Optional kText{"TEXT"};

  SYNCLINE_NODE_CONTRACT(kIn, kOffset, kMore, kOut, kText,
                          TimestampChange::Offset(0));

  static absl::Status UpdateContract(CalculatorContract* cc) {
    RET_CHECK_LE(kMore(cc).Count(), 3) << "three are enough";
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) final {
    if (kIn(cc).IsEmpty()) return absl::OkStatus();
    float sum = *kIn(cc) + kOffset(cc).GetOr(0.0f);
    for (const auto& more : kMore(cc)) {
      if (!more.IsEmpty()) sum += more.Get();
    }
    kOut(cc).Send(sum);
    if (kText(cc).IsConnected()) {
      kText(cc).Send(std::make_unique<std::string>(absl::StrCat(sum)));
    }
    return absl::OkStatus();
  }
};
SYNCLINE_REGISTER_NODE(AddOffsetCalculator);

// Says what its input is: a number or a text.
class DescribeCalculator : public Node {
 public:
  static constexpr Input<OneOf<int, std::string>> kIn{"IN"};
  static constexpr Output<std::string> kOut{"OUT"};
  SYNCLINE_NODE_CONTRACT(kIn, kOut);

  absl::Status Process(CalculatorContext* cc) override {
    std::string text = kIn(cc).Visit(
        [](int number) { return absl::StrCat("number ", number); },
        [](const std::string& text) { return absl::StrCat("text ", text); });
    kOut(cc).Send(std::move(text));
    return absl::OkStatus();
  }
};
SYNCLINE_REGISTER_NODE(DescribeCalculator);

}  // namespace api2
}  // namespace syncline
