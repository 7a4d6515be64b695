#include "framework/plan/make_conditions.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/test_support.h"
#include "framework/condition/condition.h"
#include "framework/condition/count_condition.h"
#include "framework/config/conditions.pb.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/plan/graph_plan.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

class IdleCondition : public ConditionBase {
 public:
  absl::StatusOr<ConditionResult> Check(const NodeFacts&) override {
    return ConditionResult::Ready();
  }
};

// Asks for all that there is, of its first ports.
class CuriousCondition : public IdleCondition {
 public:
  absl::Status Initialize(ConditionSetup* setup) override {
    const absl::StatusOr<int> input = setup->Input("option", "X:1");
    const absl::StatusOr<int> output = setup->Output("option", "out");
    if (!input.ok()) return input.status();
    if (!output.ok()) return output.status();
    setup->WatchArrivals(*input);
    setup->WatchFront(*input);
    setup->WatchRoom(*output, 7);
    return setup->CheckAllocator("option", "pool");
  }
};
REGISTER_CONDITION(CuriousCondition);

class RoomsCondition : public IdleCondition {
 public:
  absl::Status Initialize(ConditionSetup* setup) override {
    setup->WatchRoom(0, 1);
    setup->WatchRoom(0, 2);
    return absl::OkStatus();
  }
};
REGISTER_CONDITION(RoomsCondition);

class FailingCondition : public IdleCondition {
 public:
  absl::Status Initialize(ConditionSetup*) override {
    return absl::DataLossError("no options today");
  }
};
REGISTER_CONDITION(FailingCondition);

class ThrowingCondition : public IdleCondition {
 public:
  absl::Status Initialize(ConditionSetup*) override {
    throw std::runtime_error("thrown by Initialize");
  }
};
REGISTER_CONDITION(ThrowingCondition);

[[maybe_unused]] const Unregister null_condition(
    ConditionRegistry::Register("NullCondition", [] { return nullptr; }));

class MakeConditionsTest : public ::testing::Test {
 protected:
  MakeConditionsTest() { EXPECT_TRUE(contract_.Initialize(node_).ok()); }

  // Conditions of these types, called "c0", "c1" and so on.
  absl::StatusOr<MadeConditions> Make(const std::vector<std::string>& types) {
    PlanConditions plan;
    for (const std::string& type : types) {
      plan.conditions.push_back(
          {.name = "c" + std::to_string(plan.conditions.size()),
           .type = type,
           .options = &options_});
    }
    const std::vector<std::string> allocators = {"pool"};
    return MakeConditions(plan, contract_, allocators);
  }
  std::string Error(const std::string& type) {
    return std::string(Make({"CountCondition", type}).status().message());
  }

  const CalculatorGraphConfig::Node node_ = ParseNode(R"(calculator: "N"
      input_stream: "a" input_stream: "X:0:b" input_stream: "X:1:c"
      output_stream: "OUT:out")");
  CalculatorContract contract_;
  SynclineOptions options_;
};

TEST_F(MakeConditionsTest, ThereIsAnObjectForEachInTheOrderOfThePlan) {
  const auto made = Make({"RoomsCondition", "CountCondition"});
  ASSERT_TRUE(made.ok()) << made.status();
  ASSERT_EQ(made->objects.size(), 2);
  EXPECT_NE(dynamic_cast<RoomsCondition*>(made->objects[0].get()), nullptr);
  EXPECT_NE(dynamic_cast<CountCondition*>(made->objects[1].get()), nullptr);
}

TEST_F(MakeConditionsTest, EachIsGivenItsOptions) {
  options_.MutableExtension(CountConditionOptions::ext)->set_count(5);
  const auto made = Make({"CountCondition"});
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(dynamic_cast<CountCondition&>(*made->objects[0]).remaining(), 5);
}

TEST_F(MakeConditionsTest, WhatTheyAskForIsCollected) {
  const auto made =
      Make({"RoomsCondition", "CountCondition", "CuriousCondition"});
  ASSERT_TRUE(made.ok()) << made.status();
  // Ports without a tag come first.
  EXPECT_THAT(made->named_inputs, ElementsAre(2));
  EXPECT_THAT(made->named_outputs, ElementsAre(0));
  EXPECT_THAT(made->watched_arrivals, ElementsAre(2));
  EXPECT_THAT(made->watched_fronts, ElementsAre(2));
  EXPECT_THAT(made->watched_rooms,
              ElementsAre(Pair(0, 1), Pair(0, 2), Pair(0, 7)));
  EXPECT_THAT(made->room_watchers, ElementsAre(0, 0, 2));
}

TEST_F(MakeConditionsTest, WithoutConditionsThereIsNothing) {
  const auto made = Make({});
  ASSERT_TRUE(made.ok());
  EXPECT_THAT(made->objects, IsEmpty());
  EXPECT_THAT(made->room_watchers, IsEmpty());
}

TEST_F(MakeConditionsTest, AnErrorNamesTheCondition) {
  EXPECT_EQ(Error("FailingCondition"),
            "condition \"c1\" (FailingCondition): no options today");
  EXPECT_EQ(Make({"FailingCondition"}).status().code(),
            absl::StatusCode::kDataLoss);
  EXPECT_THAT(Error("ThrowingCondition"),
              HasSubstr("\"c1\" (ThrowingCondition): An exception was thrown: "
                        "thrown by Initialize"));
  EXPECT_EQ(Error("NullCondition"),
            "condition \"c1\" (NullCondition): its factory returned null.");
}

TEST_F(MakeConditionsTest, OptionsThatNobodyReadsAreAnError) {
  options_.MutableExtension(CountConditionOptions::ext)->set_count(5);
  EXPECT_THAT(
      Error("RoomsCondition"),
      HasSubstr("its options have [syncline.CountConditionOptions.ext]"));
}

TEST(ConditionTextTest, ANameThatIsTheTypeIsSaidOnce) {
  EXPECT_EQ(ConditionText({.name = "C", .type = "C"}), "condition \"C\"");
  EXPECT_EQ(ConditionText({.name = "slow", .type = "C"}),
            "condition \"slow\" (C)");
}

}  // namespace
}  // namespace syncline
