// Which conditions a node ends up with, and what is wrong with them before a
// graph runs.

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/condition/condition.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// Its contract asks for two conditions.
class ConditionedNode : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<int>();
    cc->AddCondition("CountCondition", "times");
    cc->AddCondition("PacketsCondition");
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(ConditionedNode);

// One of "a" and ("b" and "c") has to be ready.
class EitherNode : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<int>();
    ConditionGroup* const either = cc->AddAnyOf();
    Add("a", either);
    ConditionGroup* const both = either->add_all_of();
    Add("b", both);
    Add("c", both);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }

 private:
  static void Add(const char* name, ConditionGroup* group) {
    ConditionConfig& condition = *group->add_condition();
    condition.set_name(name);
    condition.set_type("PacketsCondition");
  }
};
REGISTER_CALCULATOR(EitherNode);

class PacketsCondition : public ConditionBase {
 public:
  absl::StatusOr<ConditionResult> Check(const NodeFacts&) override {
    return ConditionResult::Ready();
  }
  ConditionDependence DependsOn() const override {
    return ConditionDependence::kPackets;
  }
};
REGISTER_CONDITION(PacketsCondition);

class OutsideCondition : public PacketsCondition {
 public:
  ConditionDependence DependsOn() const override {
    return ConditionDependence::kOutside;
  }
};
REGISTER_CONDITION(OutsideCondition);

std::vector<std::string> Names(const GraphPlan& plan, int node = 0) {
  std::vector<std::string> names;
  if (plan.nodes()[node].conditions == nullptr) return names;
  for (const PlanCondition& it : plan.nodes()[node].conditions->conditions) {
    names.push_back(absl::StrCat(it.name, "=", it.type));
  }
  return names;
}

std::string Node(const std::string& conditions) {
  return absl::StrCat(
      "node { name: \"n\" calculator: \"ConditionedNode\" output_stream: "
      "\"out\" ",
      conditions, " }");
}

TEST(CheckConditionsTest, ThoseOfTheContractComeFirst) {
  EXPECT_THAT(
      Names(PlanOf(Node("condition { name: \"mine\" type: "
                        "\"PacketsCondition\" }"))),
      ElementsAre("times=CountCondition", "PacketsCondition=PacketsCondition",
                  "mine=PacketsCondition"));
}

TEST(CheckConditionsTest, OneOfTheSameNameReplacesThatOfTheContract) {
  EXPECT_THAT(Names(PlanOf(Node("condition { name: \"times\" type: "
                                "\"PacketsCondition\" }"))),
              ElementsAre("PacketsCondition=PacketsCondition",
                          "times=PacketsCondition"));
}

TEST(CheckConditionsTest, GroupsAreATree) {
  const GraphPlan plan = PlanOf(Node(R"(
    any_of {
      condition { name: "a" type: "PacketsCondition" }
      all_of {
        condition { name: "b" type: "PacketsCondition" }
        condition { name: "c" type: "PacketsCondition" }
      }
    })"));
  const auto& groups = plan.nodes()[0].conditions->groups;
  ASSERT_THAT(groups, SizeIs(3));
  EXPECT_FALSE(groups[0].is_any);
  EXPECT_THAT(groups[0].conditions, ElementsAre(0, 1));
  EXPECT_THAT(groups[0].groups, ElementsAre(1));
  EXPECT_TRUE(groups[1].is_any);
  EXPECT_THAT(groups[1].conditions, ElementsAre(2));
  EXPECT_THAT(groups[1].groups, ElementsAre(2));
  EXPECT_FALSE(groups[2].is_any);
  EXPECT_THAT(groups[2].conditions, ElementsAre(3, 4));
}

TEST(CheckConditionsTest, GroupsOfTheContractComeBeforeThoseOfTheNode) {
  const GraphPlan plan = PlanOf(R"pb(
    node {
      calculator: "EitherNode"
      output_stream: "out"
      any_of { condition { type: "PacketsCondition" } }
    })pb");
  EXPECT_THAT(
      Names(plan),
      ElementsAre("a=PacketsCondition", "b=PacketsCondition",
                  "c=PacketsCondition", "PacketsCondition=PacketsCondition"));
  const auto& groups = plan.nodes()[0].conditions->groups;
  ASSERT_THAT(groups, SizeIs(4));
  EXPECT_THAT(groups[0].conditions, IsEmpty());
  EXPECT_THAT(groups[0].groups, ElementsAre(1, 3));
  EXPECT_TRUE(groups[1].is_any);
  EXPECT_THAT(groups[1].conditions, ElementsAre(0));
  EXPECT_THAT(groups[2].conditions, ElementsAre(1, 2));
  EXPECT_THAT(groups[3].conditions, ElementsAre(3));
  EXPECT_TRUE(plan.nodes()[0].is_source);
}

TEST(CheckConditionsTest, OneOfTheNodeTakesThePlaceOfAMemberOfItsContract) {
  const GraphPlan plan = PlanOf(R"pb(
    node {
      calculator: "EitherNode"
      output_stream: "out"
      condition { type: "PacketsCondition" }
      condition { name: "b" type: "OutsideCondition" }
    })pb");
  EXPECT_THAT(
      Names(plan),
      ElementsAre("a=PacketsCondition", "b=OutsideCondition",
                  "c=PacketsCondition", "PacketsCondition=PacketsCondition"));
  const auto& groups = plan.nodes()[0].conditions->groups;
  ASSERT_THAT(groups, SizeIs(3));
  EXPECT_THAT(groups[0].conditions, ElementsAre(3));
  EXPECT_THAT(groups[2].conditions, ElementsAre(1, 2));
}

TEST(CheckConditionsTest, MostNodesHaveNone) {
  EXPECT_THAT(Names(PlanOf("node { calculator: \"IntNode\" }")), IsEmpty());
}

TEST(CheckConditionsTest, AnUnknownTypeIsAnErrorThatSuggestsOne) {
  EXPECT_THAT(
      std::string(
          ErrorWithLinesOf(Node("condition { type: \"CountCondtion\" }"), {})
              .message()),
      AllOf(HasSubstr("node \"n\" (ConditionedNode)"),
            HasSubstr("there is no condition of type \"CountCondtion\""),
            HasSubstr("\"CountCondition\"")));
}

TEST(CheckConditionsTest, NamesAreUniqueInANodeAndItsGroups) {
  EXPECT_THAT(std::string(ErrorWithLinesOf(Node(R"(
        condition { name: "a" type: "PacketsCondition" }
        any_of { condition { name: "a" type: "PacketsCondition" } })"),
                                           {})
                              .message()),
              HasSubstr("more than one condition \"a\""));
}

TEST(CheckConditionsTest, AGroupHasMembers) {
  EXPECT_THAT(std::string(ErrorWithLinesOf(Node("any_of {}"), {}).message()),
              HasSubstr("any_of has no members"));
}

TEST(CheckConditionsTest, BadOptionsAreErrorsThatNameNodeAndCondition) {
  EXPECT_THAT(std::string(ErrorWithLinesOf(Node(R"(
        condition { name: "slow" type: "PeriodicCondition" options {
          [syncline.PeriodicConditionOptions.ext] {
            recess_period: "-5ms" } } })"),
                                           {})
                              .message()),
              AllOf(HasSubstr("node \"n\" (ConditionedNode)"),
                    HasSubstr("condition \"slow\" (PeriodicCondition)"),
                    HasSubstr("recess_period")));
}

TEST(CheckConditionsTest, OptionsOfAnotherConditionAreRefused) {
  EXPECT_THAT(std::string(ErrorWithLinesOf(Node(R"(
        condition { name: "slow" type: "PeriodicCondition" options {
          [syncline.PeriodicConditionOptions.ext] { recess_period: "5ms" }
          [syncline.CountConditionOptions.ext] { count: 3 } } })"),
                                           {})
                              .message()),
              AllOf(HasSubstr("node \"n\" (ConditionedNode)"),
                    HasSubstr("condition \"slow\" (PeriodicCondition)"),
                    HasSubstr("[syncline.CountConditionOptions.ext]")));
  EXPECT_THAT(std::string(ErrorWithLinesOf(Node(R"(
        condition { type: "PacketsCondition" options {
          [syncline.CountConditionOptions.ext] {} } })"),
                                           {})
                              .message()),
              HasSubstr("does not read"));
}

// A node with two inputs that drop packets beyond 3 and 2, and one that does
// not.
std::string ErrorOfCounting(const std::string& type,
                            const std::string& options) {
  const std::string text = absl::StrCat(R"(
        input_stream: "a" input_stream: "b" input_stream: "c"
        node { name: "n" calculator: "AnyNode" input_stream: "a"
               input_stream: "b" input_stream: "c"
               input_stream_info { tag_index: ":0" max_queue_size: 3
                                   queue_policy: POP }
               input_stream_info { tag_index: ":1" max_queue_size: 2
                                   queue_policy: REJECT }
               condition { name: "enough" type: ")",
                                        type, "\" options { [syncline.", type,
                                        "Options.ext] { ", options, " } } } }");
  return std::string(CompileText(text, {}).status().message());
}

TEST(CheckConditionsTest, MorePacketsThanAQueueThatDropsThemHoldsAreRefused) {
  const char kOne[] = "MessageAvailableCondition";
  EXPECT_EQ(ErrorOfCounting(kOne, "receiver: \":0\" min_size: 3"), "");
  EXPECT_EQ(ErrorOfCounting(kOne, "receiver: \":2\" min_size: 300"), "")
      << "a queue that holds others back can grow";
  EXPECT_THAT(
      ErrorOfCounting(kOne, "receiver: \":0\" min_size: 4"),
      AllOf(HasSubstr("node \"n\" (AnyNode)"),
            HasSubstr("condition \"enough\" (MessageAvailableCondition)"),
            HasSubstr("4 packets (min_size) at input_stream \"a\" "
                      "(max_queue_size: 3 queue_policy: POP)"),
            HasSubstr("Set its min_size to 3 or less")));

  const char kSeveral[] = "MultiMessageAvailableCondition";
  const char kBoth[] = "receivers: \":0\" receivers: \":1\" ";
  EXPECT_EQ(ErrorOfCounting(kSeveral, absl::StrCat(kBoth, "min_sum: 5")), "");
  EXPECT_EQ(ErrorOfCounting(kSeveral, "min_sum: 500"), "");
  EXPECT_THAT(ErrorOfCounting(kSeveral, absl::StrCat(kBoth, "min_sum: 6")),
              AllOf(HasSubstr("6 packets (min_sum)"),
                    HasSubstr("\"b\" (max_queue_size: 2 queue_policy: REJECT)"),
                    HasSubstr("no more than 5 ever wait")));
  EXPECT_THAT(
      ErrorOfCounting(kSeveral, absl::StrCat(kBoth,
                                             "sampling_mode: PER_RECEIVER "
                                             "min_sizes: 3 min_sizes: 3")),
      AllOf(HasSubstr("3 packets (min_sizes) at input_stream \"b\""),
            Not(HasSubstr("input_stream \"a\""))));

  // These wait for a time at most.
  EXPECT_EQ(ErrorOfCounting("ExpiringMessageAvailableCondition",
                            "receiver: \":0\" max_batch_size: 9 "
                            "max_delay_ns: 1000"),
            "");
  EXPECT_EQ(ErrorOfCounting("MultiMessageAvailableTimeoutCondition",
                            "receivers: \":0\" min_sum: 9 "
                            "execution_frequency: \"1ms\""),
            "");
}

TEST(CheckConditionsTest, APortHasToExist) {
  EXPECT_THAT(std::string(ErrorWithLinesOf(Node(R"(
        condition { type: "MessageAvailableCondition" options {
          [syncline.MessageAvailableConditionOptions.ext] {
            receiver: "IN" } } })"),
                                           {})
                              .message()),
              AllOf(HasSubstr("receiver"), HasSubstr("no input stream")));
}

TEST(CheckConditionsTest, ASubgraphNodeHasNone) {
  EXPECT_THAT(std::string(ErrorWithLinesOf(
                              "node { calculator: \"EmptyGraph\" condition "
                              "{ type: \"PacketsCondition\" } }",
                              {})
                              .message()),
              HasSubstr("condition"));
}

TEST(CheckConditionsTest, ADeterministicGraphRefusesWhatDependsOnOthers) {
  const std::string outside = Node("condition { type: \"OutsideCondition\" }");
  EXPECT_TRUE(CompileText(outside, {}).ok());
  EXPECT_THAT(
      std::string(
          ErrorWithLinesOf("deterministic: true " + outside, {}).message()),
      AllOf(HasSubstr("deterministic: true"),
            HasSubstr("condition \"OutsideCondition\"")));
  const std::string periodic = Node(R"(
    condition { type: "PeriodicCondition" options {
      [syncline.PeriodicConditionOptions.ext] { recess_period: "5ms" } } })");
  EXPECT_THAT(
      std::string(
          ErrorWithLinesOf("deterministic: true " + periodic, {}).message()),
      HasSubstr("ManualClock"));
  EXPECT_TRUE(
      CompileText(
          "deterministic: true clock { type: \"ManualClock\" }" + periodic, {})
          .ok());
}

TEST(CheckConditionsTest, GxfDefaultsAreForPortsThatNoConditionIsAbout) {
  const GraphPlan plan = PlanOf(R"(
    input_stream: "A:a" input_stream: "B:b"
    node { name: "n" calculator: "AnyNode" input_stream: "a" input_stream: "b"
           output_stream: "c" gxf_defaults: true
           condition { name: "many" type: "MessageAvailableCondition" options {
             [syncline.MessageAvailableConditionOptions.ext] {
               receiver: ":1" min_size: 3 } } } })");
  EXPECT_THAT(
      Names(plan),
      ElementsAre("many=MessageAvailableCondition",
                  "MessageAvailableCondition of :0=MessageAvailableCondition",
                  "DownstreamMessageAffordableCondition of "
                  ":0=DownstreamMessageAffordableCondition"));
}

TEST(CheckConditionsTest, GxfDefaultsTellInputsFromOutputs) {
  // Both ports are ":0"; the condition is about the input.
  const GraphPlan plan = PlanOf(R"(
    input_stream: "a"
    node { name: "n" calculator: "AnyNode" input_stream: "a" output_stream: "c"
           gxf_defaults: true
           condition { name: "many" type: "MessageAvailableCondition" options {
             [syncline.MessageAvailableConditionOptions.ext] {
               receiver: ":0" min_size: 3 } } } })");
  EXPECT_THAT(Names(plan),
              ElementsAre("many=MessageAvailableCondition",
                          "DownstreamMessageAffordableCondition of "
                          ":0=DownstreamMessageAffordableCondition"));
}

TEST(CheckConditionsTest, GxfDefaultsSeeConditionsThatNeedNotNameTheirPort) {
  const GraphPlan one = PlanOf(R"(
    input_stream: "a"
    node { calculator: "AnyNode" input_stream: "a" gxf_defaults: true
           condition { type: "MessageAvailableSchedulingTerm" } })");
  EXPECT_THAT(Names(one), ElementsAre("MessageAvailableSchedulingTerm="
                                      "MessageAvailableSchedulingTerm"));
  const GraphPlan all = PlanOf(R"(
    input_stream: "A:a" input_stream: "B:b"
    node { calculator: "AnyNode" input_stream: "a" input_stream: "b"
           gxf_defaults: true
           any_of { condition { name: "some"
             type: "MultiMessageAvailableCondition" options {
             [syncline.MultiMessageAvailableConditionOptions.ext] {
               min_sum: 1 } } } } })");
  EXPECT_THAT(Names(all), ElementsAre("some=MultiMessageAvailableCondition"));
}

TEST(CheckConditionsTest, ANoneConditionLeavesAPortWithoutItsDefault) {
  const auto names = [](const std::string& ports) {
    return Names(PlanOf(R"(
      input_stream: "A:a" input_stream: "B:b"
      node { calculator: "AnyNode" input_stream: "a" input_stream: "b"
             output_stream: "c" gxf_defaults: true
             condition { type: "kNone" options {
               [syncline.NoneConditionOptions.ext] { )" +
                        ports + " } } } }"));
  };
  EXPECT_THAT(names("receivers: ':1'"),
              ElementsAre("kNone=kNone",
                          "MessageAvailableCondition of "
                          ":0=MessageAvailableCondition",
                          "DownstreamMessageAffordableCondition of "
                          ":0=DownstreamMessageAffordableCondition"));
  EXPECT_THAT(names("receivers: ['a', 'b'] transmitters: 'c'"),
              ElementsAre("kNone=kNone"));
}

TEST(CheckConditionsTest, TypesMayHaveTheNamespacesOfGxfAndHoloscan) {
  for (const std::string prefix :
       {"nvidia::gxf::", "holoscan::", "syncline::"}) {
    const GraphPlan plan = PlanOf(
        Node("condition { type: \"" + prefix + "CountSchedulingTerm\" }"));
    EXPECT_THAT(Names(plan), Contains(prefix + "CountSchedulingTerm="
                                               "CountSchedulingTerm"));
  }
  EXPECT_THAT(
      std::string(
          ErrorWithLinesOf(
              Node("condition { type: \"nvidia::gxf::CountTerm\" }"), {})
              .message()),
      AllOf(HasSubstr("there is no condition of type "
                      "\"nvidia::gxf::CountTerm\""),
            HasSubstr("CountSchedulingTerm")));
}

TEST(CheckConditionsTest, BatchesHaveLimits) {
  const auto error = [](const std::string& batch) {
    return std::string(
        ErrorWithLinesOf("input_stream: \"in\" node { calculator: \"AnyNode\" "
                         "input_stream: \"in\" batch { " +
                             batch + " } }",
                         {})
            .message());
  };
  EXPECT_THAT(error("max_size: -1"), HasSubstr("batch: max_size"));
  EXPECT_THAT(error("max_size: 10001"), HasSubstr("from 0 to 10000"));
  EXPECT_THAT(error("max_size: 2 max_delay_ns: -1"), HasSubstr("max_delay_ns"));
  EXPECT_THAT(error("max_delay_ns: 5"), HasSubstr("needs a max_size above 1"));
  EXPECT_THAT(error("max_size: 2 } max_in_flight: 2 condition { "),
              HasSubstr("not both"));
}

TEST(CheckConditionsTest, ANodeWithoutStreamsIsASourceIfItHasAConditionOnly) {
  const GraphPlan plan = PlanOf(R"pb(
    node { calculator: "IntNode" }
    node {
      calculator: "IntNode"
      condition { type: "PacketsCondition" }
    }
    node {
      calculator: "IntNode"
      any_of { condition { type: "PacketsCondition" } }
    }
  )pb");
  EXPECT_FALSE(plan.nodes()[0].is_source);
  EXPECT_TRUE(plan.nodes()[1].is_source);
  EXPECT_TRUE(plan.nodes()[2].is_source);
}

}  // namespace
}  // namespace syncline
