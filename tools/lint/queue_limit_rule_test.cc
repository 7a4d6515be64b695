// Queues that are full before a node can go on, at the limit and above it.

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

// Frames, with what "pack" makes of several of them.
std::string PackedJoin(const std::string& graph_fields,
                       const std::string& pack_fields,
                       const std::string& join_fields = "") {
  return absl::StrCat(graph_fields, R"( input_stream: "frames"
node { name: "pack" calculator: "PromisingNode" input_stream: "frames"
       output_stream: "packed" )",
                      pack_fields, R"( }
node { name: "join" calculator: "PromisingNode" input_stream: "frames"
       input_stream: "packed" )",
                      join_fields, " }");
}

std::string Waiting(int min_size, const std::string& fields = "") {
  return absl::StrCat(R"(input_stream: "frames"
node { name: "pack" calculator: "PromisingNode" input_stream: "frames" )",
                      fields, R"(
       condition { name: "has" type: "MessageAvailableCondition" options {
         [syncline.MessageAvailableConditionOptions.ext] { min_size: )",
                      min_size, " } } } }");
}

TEST(QueueLimitRuleTest, OnePacketIsNoPackets) {
  EXPECT_THAT(FoundBy(kQueueLimitBelowNeed,
                      PackedJoin("max_queue_size: 1", "batch { max_size: 8 }")),
              ElementsAre(HasSubstr(
                  "holds no more than 1 packet of stream \"frames\"")));
}

TEST(QueueLimitRuleTest, AJoinBesideABatchThatIsLargerThanTheQueueIsFound) {
  EXPECT_THAT(
      FoundBy(kQueueLimitBelowNeed,
              PackedJoin("max_queue_size: 4", "batch { max_size: 8 }")),
      ElementsAre(AllOf(
          HasSubstr("graph.pbtxt:4: warning: \"join\" holds no more than 4 "
                    "packets of stream \"frames\" before the sources are "
                    "paused (max_queue_size), while it waits for stream "
                    "\"packed\", for which \"pack\" collects 8 packets"),
          HasSubstr("only because the limit is raised"),
          HasSubstr("remedy: Set max_queue_size"), HasSubstr("at least 8"))));
}

TEST(QueueLimitRuleTest, AQueueThatHoldsTheBatchIsLargeEnough) {
  EXPECT_THAT(FoundBy(kQueueLimitBelowNeed,
                      PackedJoin("max_queue_size: 8", "batch { max_size: 8 }")),
              IsEmpty());
  EXPECT_THAT(
      FoundBy(kQueueLimitBelowNeed,
              PackedJoin("max_queue_size: -1", "batch { max_size: 800 }")),
      IsEmpty());
  EXPECT_THAT(FoundBy(kQueueLimitBelowNeed,
                      PackedJoin("max_queue_size: 4", "batch { max_size: 8 }",
                                 "input_stream_info { tag_index: \":0\" "
                                 "max_queue_size: 8 }")),
              IsEmpty());
}

TEST(QueueLimitRuleTest, ABatchThatTimeEndsNeedsNoRoom) {
  EXPECT_THAT(FoundBy(kQueueLimitBelowNeed,
                      PackedJoin("max_queue_size: 4",
                                 "batch { max_size: 8 max_delay_ns: 100 }")),
              IsEmpty());
}

TEST(QueueLimitRuleTest, AQueueThatDropsPausesNobody) {
  EXPECT_THAT(FoundBy(kQueueLimitBelowNeed,
                      PackedJoin("max_queue_size: 4", "batch { max_size: 8 }",
                                 "input_stream_info { tag_index: \":0\" "
                                 "max_queue_size: 4 queue_policy: POP }")),
              IsEmpty());
}

TEST(QueueLimitRuleTest, BatchSizeAndConditionsCollectToo) {
  EXPECT_EQ(
      FoundBy(kQueueLimitBelowNeed,
              PackedJoin("max_queue_size: 4",
                         "input_stream_handler { options { "
                         "[syncline.DefaultInputStreamHandlerOptions.ext] { "
                         "batch_size: 5 } } }"))
          .size(),
      1);
  // The queue of the node itself is large enough, that of the join is not.
  EXPECT_THAT(
      FoundBy(kQueueLimitBelowNeed,
              PackedJoin("max_queue_size: 4",
                         "input_stream_info { tag_index: \":0\" "
                         "max_queue_size: 9 } condition { type: "
                         "\"MessageAvailableCondition\" options { "
                         "[syncline.MessageAvailableConditionOptions.ext] { "
                         "min_size: 6 } } }")),
      ElementsAre(HasSubstr("\"pack\" collects 6 packets")));
}

TEST(QueueLimitRuleTest, BothWaysThroughTheBatchNeedNoRoom) {
  EXPECT_THAT(FoundBy(kQueueLimitBelowNeed, R"(max_queue_size: 2
    input_stream: "frames"
    node { calculator: "PromisingNode" input_stream: "frames"
           output_stream: "a" output_stream: "b" batch { max_size: 8 } }
    node { calculator: "PromisingNode" input_stream: "a" output_stream: "c" }
    node { calculator: "PromisingNode" input_stream: "b" input_stream: "c" })"),
              IsEmpty());
}

TEST(QueueLimitRuleTest, AHeaderFillsNoQueue) {
  EXPECT_THAT(FoundBy(kQueueLimitBelowNeed, R"(max_queue_size: 2
    node { calculator: "TestSource" output_stream: "VIDEO:frames"
           output_stream: "VIDEO_PRESTREAM:header" }
    node { calculator: "PromisingNode" input_stream: "frames"
           output_stream: "packed" batch { max_size: 8 } }
    node { calculator: "PromisingNode" input_stream: "packed"
           input_stream: "header" })"),
              IsEmpty());
}

TEST(QueueLimitRuleTest, AConditionThatWaitsForMoreThanTheQueueHoldsIsFound) {
  EXPECT_THAT(
      FoundBy(kQueueLimitBelowNeed, Waiting(101)),
      ElementsAre(AllOf(
          HasSubstr("graph.pbtxt:2: warning: condition \"has\" "
                    "(MessageAvailableCondition) of \"pack\" waits for 101 "
                    "packets (min_size) of stream \"frames\", and no more than "
                    "100 wait there"),
          HasSubstr("remedy: Give the input a max_queue_size of at least 101, "
                    "or set min_size to 100 or less"))));
  EXPECT_THAT(FoundBy(kQueueLimitBelowNeed, Waiting(100)), IsEmpty());
  EXPECT_THAT(FoundBy(kQueueLimitBelowNeed,
                      Waiting(101,
                              "input_stream_info { tag_index: \":0\" "
                              "max_queue_size: 101 }")),
              IsEmpty());
}

TEST(QueueLimitRuleTest, OneOfAnyOfNeedsNoRoom) {
  EXPECT_THAT(FoundBy(kQueueLimitBelowNeed, R"(input_stream: "frames"
    node { calculator: "PromisingNode" input_stream: "frames"
      any_of {
        condition { type: "CountCondition" }
        condition { type: "MessageAvailableCondition" options {
          [syncline.MessageAvailableConditionOptions.ext] { min_size: 1000 } } }
      } })"),
              IsEmpty());
}

TEST(QueueLimitRuleTest, TheFindingSaysWhatBecomesOfTheRun) {
  EXPECT_THAT(
      FoundBy(kQueueLimitBelowNeed, "report_deadlock: true " + Waiting(101)),
      ElementsAre(HasSubstr("the run ends with an error")));
  EXPECT_THAT(FoundBy(kQueueLimitBelowNeed,
                      "max_queue_size_ceiling: 100 " + Waiting(101)),
              ElementsAre(HasSubstr("no limit is raised beyond 100")));
}

TEST(QueueLimitRuleTest, ASumIsComparedWithAllQueues) {
  const auto sum = [](int min_sum) {
    return absl::StrCat(R"(max_queue_size: 3
      input_stream: "a" input_stream: "b"
      node { calculator: "PromisingNode" input_stream: "a" input_stream: "b"
        condition { type: "MultiMessageAvailableCondition" options {
          [syncline.MultiMessageAvailableConditionOptions.ext] { min_sum: )",
                        min_sum, " } } } }");
  };
  EXPECT_THAT(FoundBy(kQueueLimitBelowNeed, sum(6)), IsEmpty());
  EXPECT_THAT(FoundBy(kQueueLimitBelowNeed, sum(7)),
              ElementsAre(HasSubstr("of streams \"a\", \"b\"")));
}

}  // namespace
}  // namespace syncline
