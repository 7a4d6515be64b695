// What a calculator does without saying anything.
#include "framework/calculator/calculator_base.h"

#include "absl/status/status.h"
#include "framework/calculator/call.h"
#include "framework/calculator/test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

class PlainCalculator : public CalculatorBase {
 public:
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};

TEST(CalculatorBaseTest, OpenAndCloseSucceedByDefault) {
  TestNode node("calculator: 'X'", [](CalculatorContract*) {});
  PlainCalculator calculator;
  SYNCLINE_EXPECT_OK(calculator.Open(&node.context()));
  SYNCLINE_EXPECT_OK(calculator.Close(&node.context()));
}

TEST(CalculatorBaseTest, ASourceIsAsFarAsItsLowestBound) {
  TestNode node(R"pb(calculator: "X" output_stream: "a" output_stream: "b")pb",
                [](CalculatorContract* cc) {
                  cc->Outputs().Index(0).Set<int>();
                  cc->Outputs().Index(1).Set<int>();
                });
  PlainCalculator calculator;
  CalculatorContext& cc = node.Begin(CallPhase::kProcess);
  EXPECT_EQ(calculator.SourceProcessOrder(&cc), Timestamp::PreStream());
  cc.Outputs().Index(0).AddPacket(MakePacket<int>(1).At(Timestamp(5)));
  cc.Outputs().Index(1).SetNextTimestampBound(Timestamp(9));
  EXPECT_EQ(calculator.SourceProcessOrder(&cc), Timestamp(6));
  cc.Outputs().Index(0).Close();
  EXPECT_EQ(calculator.SourceProcessOrder(&cc), Timestamp(9));
}

TEST(CalculatorBaseTest, WithoutOutputsTheOrderIsMax) {
  TestNode node("calculator: 'X'", [](CalculatorContract*) {});
  EXPECT_EQ(PlainCalculator().SourceProcessOrder(&node.context()),
            Timestamp::Max());
}

}  // namespace
}  // namespace syncline
