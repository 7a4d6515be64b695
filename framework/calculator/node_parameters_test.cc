// A calculator declares parameters in its contract, has their values in its
// calls, and a node with wrong ones is refused by name.

#include "framework/calculator/node_parameters.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/contract_probe.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/test_support.h"
#include "framework/component/parameter.h"
#include "framework/config/parameters.pb.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class BlinkCalculator : public CalculatorBase {
 public:
  struct Parameters {
    Parameter<int> count;
    Parameter<std::string> color;

    void RegisterParameters(Registrar* registrar) {
      registrar->Add(&count, {.key = "count",
                              .default_value = 3,
                              .flags = ParameterFlags::kDynamic,
                              .max = 10});
      registrar->Add(&color, {.key = "color"});
    }
  };

  static absl::Status GetContract(CalculatorContract* cc) {
    return CheckParameters<Parameters>(cc);
  }
  absl::Status Open(CalculatorContext* cc) override {
    const absl::StatusOr<Parameters> parameters =
        ReadParameters<Parameters>(cc);
    if (!parameters.ok()) return parameters.status();
    return absl::UnknownError(
        absl::StrCat(parameters->count.get(), " ", parameters->color.get()));
  }
  absl::Status Process(CalculatorContext* cc) override {
    return absl::OkStatus();
  }
};

// A node with these values.
std::string NodeText(const std::string& values) {
  return absl::StrCat(
      "calculator: 'BlinkCalculator' node_options { "
      "[type.googleapis.com/syncline.Parameters] { ",
      values, " } }");
}

absl::Status ContractOf(const std::string& text) {
  const CalculatorGraphConfig::Node node = ParseNode(text);
  CalculatorContract contract;
  SYNCLINE_EXPECT_OK(contract.Initialize(node));
  return InvokeGetContract(CalculatorBaseFactoryFor<BlinkCalculator>(),
                           &contract);
}

TEST(CalculatorParametersTest, ACalculatorReadsTheValuesOfItsNode) {
  TestNode node(NodeText("parameter { key: 'color' string_value: 'red' }"),
                [](CalculatorContract* cc) {
                  SYNCLINE_EXPECT_OK(BlinkCalculator::GetContract(cc));
                });
  BlinkCalculator calculator;
  EXPECT_THAT(InvokeOpen(&calculator, &node.Begin(CallPhase::kOpen)),
              StatusIs(absl::StatusCode::kUnknown, HasSubstr("3 red")));
}

TEST(CalculatorParametersTest, ANodeWithWrongValuesIsRefusedByItsContract) {
  EXPECT_THAT(
      ContractOf(NodeText("parameter { key: 'count' int_value: 11 } "
                          "parameter { key: 'colour' string_value: 'red' }")),
      StatusIs(
          absl::StatusCode::kInvalidArgument,
          AllOf(HasSubstr("\"BlinkCalculator\""), HasSubstr("\"count\" is 11"),
                HasSubstr("\"colour\""), HasSubstr("Did you mean \"color\""))));
}

TEST(CalculatorParametersTest, ANodeWithoutAMandatoryValueIsRefused) {
  EXPECT_THAT(ContractOf("calculator: 'BlinkCalculator'"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"BlinkCalculator\""),
                             HasSubstr("\"color\""), HasSubstr("mandatory"))));
}

TEST(CalculatorParametersTest, AProbeIsToldTheParametersAndAsksForNoValues) {
  ContractProbe probe;
  SYNCLINE_EXPECT_OK(ContractOf("calculator: 'BlinkCalculator'"));
  ASSERT_THAT(probe.parameters(), SizeIs(2));
  EXPECT_EQ(probe.parameters()[1].key, "color");
}

TEST(CalculatorParametersTest, AnUpdateChangesDynamicParametersOnly) {
  BlinkCalculator::Parameters parameters;
  {
    Registrar registrar;
    parameters.RegisterParameters(&registrar);
    Parameters values;
    ParameterValue* const color = values.add_parameter();
    color->set_key("color");
    color->set_string_value("red");
    SYNCLINE_ASSERT_OK(registrar.Assign(values));
  }
  Parameters values;
  ParameterValue* const count = values.add_parameter();
  count->set_key("count");
  count->set_int_value(5);
  SYNCLINE_ASSERT_OK(UpdateParameters(values, &parameters));
  EXPECT_EQ(parameters.count.get(), 5);
  EXPECT_EQ(parameters.color.get(), "red");
  ParameterValue* const color = values.add_parameter();
  color->set_key("color");
  color->set_string_value("blue");
  count->set_int_value(6);
  EXPECT_THAT(
      UpdateParameters(values, &parameters),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("not dynamic")));
  EXPECT_EQ(parameters.count.get(), 5);
  EXPECT_EQ(parameters.color.get(), "red");
}

}  // namespace
}  // namespace syncline
