// Whatever a calculator does comes back as a status that says who did it.
#include "framework/calculator/invoke.h"

#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/misuse.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/legacy/legacy_support.h"
#include "framework/calculator/test_support.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Does the same in all functions.
class ActingCalculator : public CalculatorBase {
 public:
  using Action = std::function<absl::Status()>;

  explicit ActingCalculator(Action action) : action_(std::move(action)) {}
  absl::Status Open(CalculatorContext*) override { return action_(); }
  absl::Status Process(CalculatorContext*) override { return action_(); }
  absl::Status Close(CalculatorContext*) override { return action_(); }

 private:
  const Action action_;
};

class InvokeTest : public testing::Test {
 protected:
  InvokeTest()
      : node_("calculator: 'Type' name: 'node'", [](CalculatorContract*) {}) {}

  absl::Status Open(ActingCalculator::Action action) {
    ActingCalculator calculator(std::move(action));
    return InvokeOpen(&calculator, &node_.context());
  }
  absl::Status Process(ActingCalculator::Action action) {
    ActingCalculator calculator(std::move(action));
    return InvokeProcess(&calculator, &node_.context());
  }
  absl::Status Close(ActingCalculator::Action action) {
    ActingCalculator calculator(std::move(action));
    return InvokeClose(&calculator, &node_.context());
  }

  TestNode node_;
};

TEST_F(InvokeTest, SuccessIsSuccess) {
  const auto succeed = [] { return absl::OkStatus(); };
  SYNCLINE_EXPECT_OK(Open(succeed));
  SYNCLINE_EXPECT_OK(Process(succeed));
  SYNCLINE_EXPECT_OK(Close(succeed));
}

TEST_F(InvokeTest, AnErrorSaysWhichFunctionOfWhichNode) {
  const auto fail = [] { return absl::DataLossError("broken"); };
  EXPECT_THAT(Open(fail),
              StatusIs(StatusCode::kDataLoss,
                       "Calculator::Open() for node \"node\" failed: broken"));
  EXPECT_THAT(
      Process(fail),
      StatusIs(StatusCode::kDataLoss,
               "Calculator::Process() for node \"node\" failed: broken"));
  EXPECT_THAT(Close(fail),
              StatusIs(StatusCode::kDataLoss,
                       "Calculator::Close() for node \"node\" failed: broken"));
}

TEST_F(InvokeTest, StopComesBackFromProcessAndIsAnErrorElsewhere) {
  const auto stop = [] { return tool::StatusStop(); };
  EXPECT_TRUE(tool::IsStatusStop(Process(stop)));
  EXPECT_THAT(Open(stop),
              StatusIs(StatusCode::kInternal,
                       AllOf(HasSubstr("Calculator::Open() for node \"node\""),
                             HasSubstr("tool::StatusStop()"))));
  EXPECT_THAT(Close(stop),
              StatusIs(StatusCode::kInternal, HasSubstr("tool::StatusStop()")));
}

TEST_F(InvokeTest, ExceptionsAndMisusesBecomeErrors) {
  EXPECT_THAT(
      Process([]() -> absl::Status { throw std::runtime_error("thrown"); }),
      StatusIs(StatusCode::kInternal,
               AllOf(HasSubstr("\"node\""), HasSubstr("thrown"))));
  EXPECT_THAT(Process([]() -> absl::Status { throw std::bad_alloc(); }),
              StatusIs(StatusCode::kResourceExhausted));
  EXPECT_THAT(Process([] {
                MakePacket<int>(1).Get<float>();
                return absl::OkStatus();
              }),
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"node\""), HasSubstr("\"float\""))));
}

TEST_F(InvokeTest, TheContextIsCurrentDuringTheCall) {
  using Current = LegacyCalculatorSupport::Scoped<CalculatorContext>;
  CalculatorContext* current = nullptr;
  SYNCLINE_EXPECT_OK(Process([&] {
    current = Current::current();
    return absl::OkStatus();
  }));
  EXPECT_EQ(current, &node_.context());
  EXPECT_EQ(Current::current(), nullptr);
}

// A class whose contract is chosen by the test.
class ContractCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    using Current = LegacyCalculatorSupport::Scoped<CalculatorContract>;
    EXPECT_EQ(Current::current(), cc);
    return fill(cc);
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }

  static std::function<absl::Status(CalculatorContract*)> fill;
};
std::function<absl::Status(CalculatorContract*)> ContractCalculator::fill;

absl::Status Contract(const std::string& node_text,
                      std::function<absl::Status(CalculatorContract*)> fill) {
  const CalculatorGraphConfig::Node node = ParseNode(node_text);
  CalculatorContract contract;
  EXPECT_EQ(contract.Initialize(node), absl::OkStatus());
  ContractCalculator::fill = std::move(fill);
  return InvokeGetContract(CalculatorBaseFactoryFor<ContractCalculator>(),
                           &contract);
}

TEST(InvokeGetContractTest, AgreementIsSuccess) {
  SYNCLINE_EXPECT_OK(Contract("calculator: 'T' input_stream: 'IN:in'",
                              [](CalculatorContract* cc) {
                                cc->Inputs().Tag("IN").Set<int>();
                                return absl::OkStatus();
                              }));
}

TEST(InvokeGetContractTest, DisagreementOfAllKindsOfPortsComesTogether) {
  EXPECT_THAT(
      Contract("calculator: 'T' name: 'n' input_stream: 'IN:in' "
               "output_side_packet: 'S:s'",
               [](CalculatorContract* cc) {
                 cc->Outputs().Tag("OUT").Set<int>();
                 cc->InputSidePackets().Tag("SIDE").Set<int>();
                 return absl::OkStatus();
               }),
      StatusIs(
          StatusCode::kInvalidArgument,
          AllOf(StartsWith("T::GetContract failed to validate: "),
                HasSubstr(
                    "\nFor input streams of n ValidatePacketTypeSet failed:\n"
                    "Tag \"IN\" index 0 was not expected"),
                HasSubstr("\nFor output streams of n ValidatePacketTypeSet "
                          "failed:\nFailed to get tag \"OUT\" index 0"),
                HasSubstr("\nFor input side packets of n "),
                HasSubstr("\nFor output side packets of n "))));
}

TEST(InvokeGetContractTest, AnErrorOrExceptionNamesTheType) {
  EXPECT_THAT(
      Contract(
          "calculator: 'T'",
          [](CalculatorContract*) { return absl::NotFoundError("no model"); }),
      StatusIs(StatusCode::kNotFound, "GetContract failed: T: no model"));
  EXPECT_THAT(Contract("calculator: 'T'",
                       [](CalculatorContract*) -> absl::Status {
                         throw std::runtime_error("thrown");
                       }),
              StatusIs(StatusCode::kInternal,
                       AllOf(StartsWith("GetContract failed: T: "),
                             HasSubstr("thrown"))));
}

class ThrowingConstructor : public ContractCalculator {
 public:
  ThrowingConstructor() { throw std::runtime_error("not today"); }
};

TEST(InvokeCreateTest, AConstructorThatThrowsIsAnError) {
  TestNode node("calculator: 'Type' name: 'node'", [](CalculatorContract*) {});
  EXPECT_THAT(InvokeCreate(CalculatorBaseFactoryFor<ContractCalculator>(),
                           &node.context()),
              IsOk());
  EXPECT_THAT(InvokeCreate(CalculatorBaseFactoryFor<ThrowingConstructor>(),
                           &node.context())
                  .status(),
              StatusIs(StatusCode::kInternal,
                       AllOf(HasSubstr("\"node\""), HasSubstr("not today"))));
}

}  // namespace
}  // namespace syncline
