#include "util/header_util.h"

#include <string>

#include "absl/status/status.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_runner.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

class HeadersOnlyCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("A").SetAny();
    cc->Inputs().Tag("B").SetAny();
    cc->Outputs().Tag("B").SetAny();
    cc->Outputs().Tag("C").SetAny();
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    return CopyInputHeadersToOutputs(cc->Inputs(), &cc->Outputs());
  }
  absl::Status Process(CalculatorContext* cc) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(HeadersOnlyCalculator);

TEST(HeaderUtilTest, AnOutputGetsTheHeaderOfTheInputOfItsName) {
  CalculatorRunner runner(R"pb(
    calculator: "HeadersOnlyCalculator"
    input_stream: "A:a"
    input_stream: "B:b"
    output_stream: "B:out_b"
    output_stream: "C:out_c"
  )pb");
  runner.MutableInputs()->Tag("A").header = MakePacket<std::string>("of a");
  runner.MutableInputs()->Tag("B").header = MakePacket<std::string>("of b");
  SYNCLINE_ASSERT_OK(runner.Run());
  EXPECT_EQ(runner.Outputs().Tag("B").header.Get<std::string>(), "of b");
  EXPECT_TRUE(runner.Outputs().Tag("C").header.IsEmpty());
}

}  // namespace
}  // namespace syncline
