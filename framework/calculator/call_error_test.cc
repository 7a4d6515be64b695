#include "framework/calculator/call_error.h"

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/call.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/test_support.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(CallErrorTest, AnErrorOfProcessNamesTheNodeAndTheTimestamp) {
  TestNode node("calculator: 'T' name: 'n' input_stream: 'a'",
                [](CalculatorContract* cc) { cc->Inputs().Index(0).SetAny(); });
  node.Begin(CallPhase::kProcess, Timestamp(7));
  EXPECT_THAT(
      ProcessError(node.context(), absl::DataLossError("broken")),
      StatusIs(StatusCode::kDataLoss,
               "Calculator::Process() for node \"n\" failed: broken (at "
               "timestamp 7)"));
}

TEST(CallErrorTest, ASourceHasNoTimestamp) {
  TestNode node("calculator: 'T' name: 'n'", [](CalculatorContract*) {});
  EXPECT_THAT(ProcessError(node.context(), absl::DataLossError("broken")),
              StatusIs(StatusCode::kDataLoss,
                       "Calculator::Process() for node \"n\" failed: broken"));
}

TEST(CallErrorTest, PayloadsOfAnErrorStay) {
  TestNode node("calculator: 'T' input_stream: 'a'",
                [](CalculatorContract* cc) { cc->Inputs().Index(0).SetAny(); });
  absl::Status status = absl::NotFoundError("no model");
  status.SetPayload("url", absl::Cord("payload"));
  EXPECT_EQ(ProcessError(node.context(), status).GetPayload("url"),
            absl::Cord("payload"));
  EXPECT_EQ(CallError("Open", node.context(), status).GetPayload("url"),
            absl::Cord("payload"));
}

TEST(CallErrorTest, AnErrorOfAnotherFunctionNamesFunctionAndNode) {
  TestNode node("calculator: 'T' input_stream: 'a'",
                [](CalculatorContract* cc) { cc->Inputs().Index(0).SetAny(); });
  EXPECT_THAT(CallError("Close", node.context(), absl::NotFoundError("gone")),
              StatusIs(StatusCode::kNotFound,
                       "Calculator::Close() for node \"T\" failed: gone"));
}

TEST(CallErrorTest, StopIsNoErrorOfProcessAndAMistakeElsewhere) {
  TestNode node("calculator: 'T' name: 'n'", [](CalculatorContract*) {});
  EXPECT_TRUE(
      tool::IsStatusStop(ProcessError(node.context(), tool::StatusStop())));
  EXPECT_THAT(CallError("Open", node.context(), tool::StatusStop()),
              StatusIs(StatusCode::kInternal,
                       AllOf(StartsWith("Calculator::Open() for node \"n\""),
                             HasSubstr("only Process() may"))));
}

}  // namespace
}  // namespace syncline
