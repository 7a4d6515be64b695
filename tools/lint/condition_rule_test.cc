// Conditions that never let a node be called, and their neighbours that do.

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/lint/lint_test_support.h"
#include "tools/lint/rules.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string ConditionField(const std::string& type,
                           const std::string& options) {
  return absl::StrCat("condition { name: \"c\" type: \"", type,
                      "\" options { [syncline.", type, "Options.ext] { ",
                      options, " } } } ");
}

std::string HeldNode(const std::string& fields,
                     const std::string& graph_fields = "") {
  return absl::StrCat(graph_fields, R"( input_stream: "in"
node { name: "held" calculator: "PromisingNode" input_stream: "in" )",
                      fields, " }");
}

TEST(ConditionRuleTest, ACountOfZeroIsNeverMet) {
  EXPECT_THAT(FoundBy(kConditionNeverMet,
                      HeldNode(ConditionField("CountCondition", "count: 0"))),
              ElementsAre(AllOf(
                  HasSubstr("graph.pbtxt:2: warning: \"held\" is never called: "
                            "condition \"c\" (CountCondition) has count: 0"),
                  HasSubstr("remedy: Set count to the number of calls"))));
  for (const char* count : {"count: 1", "count: -1", ""}) {
    EXPECT_THAT(FoundBy(kConditionNeverMet,
                        HeldNode(ConditionField("CountCondition", count))),
                IsEmpty())
        << count;
  }
}

TEST(ConditionRuleTest, TheNamesOfGxfMeanTheSame) {
  EXPECT_EQ(FoundBy(kConditionNeverMet,
                    HeldNode("condition { type: "
                             "\"nvidia::gxf::CountSchedulingTerm\" options { "
                             "[syncline.CountConditionOptions.ext] { count: 0 "
                             "} } }"))
                .size(),
            1);
}

TEST(ConditionRuleTest, ASwitchThatIsOffClosesTheNode) {
  EXPECT_THAT(FoundBy(kConditionNeverMet,
                      HeldNode(ConditionField("BooleanCondition",
                                              "enable_tick: false"))),
              ElementsAre(AllOf(HasSubstr("is off at the start"),
                                HasSubstr("Set on_false: PAUSE"))));
  EXPECT_THAT(
      FoundBy(kConditionNeverMet,
              HeldNode(ConditionField("BooleanCondition",
                                      "enable_tick: false on_false: PAUSE"))),
      IsEmpty());
  EXPECT_THAT(FoundBy(kConditionNeverMet,
                      HeldNode(ConditionField("BooleanCondition", ""))),
              IsEmpty());
}

TEST(ConditionRuleTest, AnyOfNeedsOneThatCanBeMet) {
  const std::string never = ConditionField("CountCondition", "count: 0");
  const std::string other =
      "condition { name: \"d\" type: \"CountCondition\" } ";
  const std::string also_never =
      "condition { name: \"d\" type: \"CountCondition\" options { "
      "[syncline.CountConditionOptions.ext] { count: 0 } } } ";
  EXPECT_THAT(
      FoundBy(kConditionNeverMet, HeldNode("any_of { " + never + other + "}")),
      IsEmpty());
  EXPECT_EQ(FoundBy(kConditionNeverMet,
                    HeldNode("any_of { " + never + also_never + "}"))
                .size(),
            1);
  EXPECT_EQ(
      FoundBy(kConditionNeverMet, HeldNode("any_of { " + other + "} " + never))
          .size(),
      1);
}

TEST(ConditionRuleTest, ABehaviorThatNobodyStartsIsFound) {
  const std::string leaf =
      "node { name: \"leaf\" calculator: \"TestSource\" condition { type: "
      "\"BehaviorCondition\" } }\n";
  EXPECT_THAT(
      FoundBy(kConditionNeverMet, leaf),
      ElementsAre(AllOf(HasSubstr("graph.pbtxt:1: warning: \"leaf\" is never "
                                  "called: condition \"BehaviorCondition\" is "
                                  "no root"),
                        HasSubstr("Set is_root: true"))));
  EXPECT_THAT(FoundBy(kConditionNeverMet, leaf + R"(
    node { calculator: "SequenceBehaviorCalculator"
      options { [syncline.BehaviorCalculatorOptions.ext] {
        children: "leaf" } }
      condition { type: "BehaviorCondition" options {
        [syncline.BehaviorConditionOptions.ext] { is_root: true } } } })"),
              IsEmpty());
}

TEST(ConditionRuleTest, MoreMemoryThanThePoolHasIsNeverThere) {
  const std::string pool =
      "allocator { name: \"pool\" type: \"BlockMemoryPool\" options { "
      "[syncline.BlockMemoryPoolOptions.ext] { block_size: 100 num_blocks: 2 } "
      "} }";
  const auto with = [&](const std::string& amount) {
    return FoundBy(kConditionNeverMet,
                   HeldNode(ConditionField("MemoryAvailableCondition",
                                           "allocator: \"pool\" " + amount),
                            pool));
  };
  EXPECT_THAT(with("min_blocks: 2"), IsEmpty());
  EXPECT_THAT(with("min_bytes: 200"), IsEmpty());
  EXPECT_THAT(with("min_blocks: 3"),
              ElementsAre(HasSubstr("waits for 3 blocks of allocator \"pool\", "
                                    "which has 2 blocks of 100 bytes")));
  EXPECT_THAT(with("min_bytes: 201"),
              ElementsAre(HasSubstr("waits for 201 bytes")));
}

TEST(ConditionRuleTest, AHandlerThatDropsLeavesTooFewPackets) {
  const auto waiting_for = [](int min_size) {
    return FoundBy(kConditionNeverMet,
                   HeldNode(absl::StrCat(
                       ConditionField("MessageAvailableCondition",
                                      absl::StrCat("min_size: ", min_size)),
                       "input_stream_handler { input_stream_handler: "
                       "\"FixedSizeInputStreamHandler\" options { "
                       "[syncline.FixedSizeInputStreamHandlerOptions.ext] { "
                       "trigger_queue_size: 4 } } }")));
  };
  EXPECT_THAT(waiting_for(3), IsEmpty());
  EXPECT_THAT(waiting_for(4),
              ElementsAre(AllOf(HasSubstr("waits for 4 packets (min_size)"),
                                HasSubstr("leaves no more than 3 in the queue"),
                                HasSubstr("Set trigger_queue_size above 4"))));
}

TEST(ConditionRuleTest, AQueueThatHoldsMoreThanTheFrontStageIsFound) {
  const std::string condition =
      ConditionField("MessageAvailableCondition", "front_stage_max_size: 5");
  EXPECT_THAT(
      FoundBy(kConditionNeverMet, HeldNode(condition)),
      ElementsAre(AllOf(
          HasSubstr("waits while more than 5 packets (front_stage_max_size) of "
                    "stream \"in\" wait, the queue holds 100"),
          HasSubstr("max_queue_size of 5 or less"))));
  EXPECT_THAT(
      FoundBy(kConditionNeverMet,
              HeldNode(condition + "input_stream_info { tag_index: \":0\" "
                                   "max_queue_size: 5 }")),
      IsEmpty());
}

}  // namespace
}  // namespace syncline
