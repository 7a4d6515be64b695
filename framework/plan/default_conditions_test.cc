#include "framework/plan/default_conditions.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/test_support.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/conditions.pb.h"
#include "framework/plan/make_conditions.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kNode[] = R"(calculator: "N"
    input_stream: "a" input_stream: "b" input_stream: "X:1:c"
    input_stream: "X:0:d"
    output_stream: "OUT:e" output_stream: "f")";

// "NAME=TYPE(PORT)" of each.
std::vector<std::string> Defaults(const std::vector<int>& named_inputs,
                                  const std::vector<int>& named_outputs) {
  const CalculatorGraphConfig::Node node = ParseNode(kNode);
  CalculatorContract contract;
  EXPECT_TRUE(contract.Initialize(node).ok());
  MadeConditions made;
  made.named_inputs = named_inputs;
  made.named_outputs = named_outputs;
  std::vector<std::string> texts;
  for (const ConditionConfig& config : DefaultConditions(contract, made)) {
    const SynclineOptions& options = config.options();
    texts.push_back(absl::StrCat(
        config.name(), "=", config.type(), "(",
        options.GetExtension(MessageAvailableConditionOptions::ext).receiver(),
        options.GetExtension(DownstreamMessageAffordableConditionOptions::ext)
            .transmitter(),
        ")"));
  }
  return texts;
}

// The order of ports: those without a tag first.
TEST(DefaultConditionsTest, EachPortThatNoConditionNamesGetsOne) {
  EXPECT_THAT(Defaults({}, {}),
              ElementsAre("MessageAvailableCondition of :0="
                          "MessageAvailableCondition(:0)",
                          "MessageAvailableCondition of :1="
                          "MessageAvailableCondition(:1)",
                          "MessageAvailableCondition of X:0="
                          "MessageAvailableCondition(X:0)",
                          "MessageAvailableCondition of X:1="
                          "MessageAvailableCondition(X:1)",
                          "DownstreamMessageAffordableCondition of :0="
                          "DownstreamMessageAffordableCondition(:0)",
                          "DownstreamMessageAffordableCondition of OUT:0="
                          "DownstreamMessageAffordableCondition(OUT:0)"));
}

TEST(DefaultConditionsTest, APortThatIsNamedGetsNone) {
  EXPECT_THAT(Defaults({0, 3, 1}, {1}),
              ElementsAre("MessageAvailableCondition of X:0="
                          "MessageAvailableCondition(X:0)",
                          "DownstreamMessageAffordableCondition of :0="
                          "DownstreamMessageAffordableCondition(:0)"));
  EXPECT_THAT(Defaults({0, 1, 2, 3}, {0, 1}), IsEmpty());
}

}  // namespace
}  // namespace syncline
