// Loops that nothing starts, and all that starts one.

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

// A loop of two nodes; `join_fields` stand in the node that reads it, and
// `worker` is the type of the other.
std::string LoopWith(const std::string& join_fields,
                     const std::string& worker = "PromisingNode") {
  return absl::StrCat(R"(input_stream: "in"
node {
  name: "join"
  calculator: "PromisingNode"
  input_stream: "IN:in"
  input_stream: "LOOP:loop"
  input_stream_info { tag_index: "LOOP" back_edge: true }
  output_stream: "joined"
)",
                      join_fields, R"(}
node { name: "work" calculator: ")",
                      worker, R"(" input_stream: "joined"
       output_stream: "loop" })");
}

std::string HandlerField(const std::string& handler,
                         const std::string& options = "") {
  return absl::StrCat("input_stream_handler { input_stream_handler: \"",
                      handler, "\" ", options, "}\n");
}

TEST(BackEdgeRuleTest, ALoopThatNothingStartsIsFound) {
  EXPECT_THAT(
      FoundBy(kBackEdgeWithoutStart, LoopWith("")),
      ElementsAre(AllOf(
          HasSubstr("graph.pbtxt:2: warning: \"join\" waits for stream "
                    "\"loop\", a back edge, which nothing starts: \"work\" "
                    "sends it only after \"join\" has sent something"),
          HasSubstr("remedy: Start the loop: let \"work\" send a first "
                    "packet, or a bound, in Open()"),
          HasSubstr("PreviousLoopbackCalculator"))));
}

TEST(BackEdgeRuleTest, ANodeCanWaitForItself) {
  EXPECT_THAT(
      FoundBy(kBackEdgeWithoutStart, R"(input_stream: "in"
    node { name: "join" calculator: "PromisingNode" input_stream: "IN:in"
           input_stream: "LOOP:loop"
           input_stream_info { tag_index: "LOOP" back_edge: true }
           output_stream: "loop" })"),
      ElementsAre(HasSubstr("it sends that itself, when it is called")));
}

TEST(BackEdgeRuleTest, EachHandlerThatWaitsForAllInputsNeedsAStart) {
  for (const char* handler :
       {"BarrierInputStreamHandler", "EarlyCloseInputStreamHandler",
        "FixedSizeInputStreamHandler", "ApproximateTimeInputStreamHandler"}) {
    EXPECT_EQ(
        FoundBy(kBackEdgeWithoutStart, LoopWith(HandlerField(handler))).size(),
        1)
        << handler;
  }
}

TEST(BackEdgeRuleTest, AHandlerThatDoesNotWaitStartsTheLoop) {
  for (const char* handler :
       {"ImmediateInputStreamHandler", "ArrivalOrderInputStreamHandler"}) {
    EXPECT_THAT(FoundBy(kBackEdgeWithoutStart, LoopWith(HandlerField(handler))),
                IsEmpty())
        << handler;
  }
}

TEST(BackEdgeRuleTest, ASyncSetOfItsOwnStartsTheLoop) {
  const std::string sets =
      "options { "
      "[syncline.SyncSetInputStreamHandlerOptions.ext] { sync_set { "
      "tag_index: \"LOOP\" } } } ";
  EXPECT_THAT(
      FoundBy(kBackEdgeWithoutStart,
              LoopWith(HandlerField("SyncSetInputStreamHandler", sets))),
      IsEmpty());
  EXPECT_EQ(FoundBy(kBackEdgeWithoutStart,
                    LoopWith(HandlerField("SyncSetInputStreamHandler")))
                .size(),
            1);
}

TEST(BackEdgeRuleTest, IdleAfterStartsTheLoop) {
  EXPECT_THAT(FoundBy(kBackEdgeWithoutStart, R"(input_stream: "in"
      node { calculator: "PromisingNode" input_stream: "IN:in"
             input_stream: "LOOP:loop"
             input_stream_info { tag_index: "LOOP" back_edge: true
               idle_after { stream: "IN" gap: 10 } }
             output_stream: "joined" }
      node { calculator: "PromisingNode" input_stream: "joined"
             output_stream: "loop" })"),
              IsEmpty());
}

TEST(BackEdgeRuleTest, APositiveOffsetSaysThatOpenSendsAPacket) {
  EXPECT_THAT(FoundBy(kBackEdgeWithoutStart, LoopWith("", "DelayNode")),
              IsEmpty());
}

TEST(BackEdgeRuleTest, AnotherStreamIntoTheLoopStartsIt) {
  EXPECT_THAT(FoundBy(kBackEdgeWithoutStart, R"(
      input_stream: "in" input_stream: "first"
      node { calculator: "PromisingNode" input_stream: "IN:in"
             input_stream: "LOOP:loop"
             input_stream_info { tag_index: "LOOP" back_edge: true }
             output_stream: "joined" }
      node { calculator: "PromisingNode" input_stream: "joined"
             input_stream: "first" output_stream: "loop"
             input_stream_handler {
               input_stream_handler: "ImmediateInputStreamHandler" } })"),
              IsEmpty());
}

TEST(BackEdgeRuleTest, KnownLoopsStart) {
  EXPECT_THAT(FoundBy(kBackEdgeWithoutStart, R"(input_stream: "in"
      node { calculator: "FlowLimiterCalculator" input_stream: "in"
             input_stream: "FINISHED:out"
             input_stream_info { tag_index: "FINISHED" back_edge: true }
             output_stream: "frames" }
      node { calculator: "PreviousLoopbackCalculator"
             input_stream: "MAIN:frames" input_stream: "LOOP:out"
             input_stream_info { tag_index: "LOOP" back_edge: true }
             output_stream: "PREV_LOOP:previous" }
      node { calculator: "PromisingNode" input_stream: "frames"
             input_stream: "previous" output_stream: "out" })"),
              IsEmpty());
}

TEST(BackEdgeRuleTest, OnlyTheCauseIsNamed) {
  EXPECT_THAT(FoundBy(kBackEdgeWithoutStart, R"(input_stream: "in"
node { name: "outer" calculator: "PromisingNode" input_stream: "IN:in"
       input_stream: "LOOP:back"
       input_stream_info { tag_index: "LOOP" back_edge: true }
       output_stream: "a" }
node { name: "inner" calculator: "PromisingNode" input_stream: "IN:a"
       input_stream: "LOOP:back"
       input_stream_info { tag_index: "LOOP" back_edge: true }
       output_stream: "b" }
node { name: "work" calculator: "PromisingNode" input_stream: "b"
       output_stream: "back" })"),
              ElementsAre(HasSubstr("graph.pbtxt:2: warning: \"outer\"")));
}

TEST(BackEdgeRuleTest, AConditionThatWantsAPacketOfTheLoopHoldsItUp) {
  const std::string condition =
      "condition { name: \"has\" type: \"MessageAvailableCondition\" options { "
      "[syncline.MessageAvailableConditionOptions.ext] { receiver: \"LOOP\" } "
      "} }\n";
  const std::string immediate = HandlerField("ImmediateInputStreamHandler");
  EXPECT_THAT(
      FoundBy(kBackEdgeWithoutStart, LoopWith(immediate + condition)),
      ElementsAre(AllOf(HasSubstr("waits for stream \"loop\" with condition "
                                  "\"has\" (MessageAvailableCondition)"),
                        HasSubstr("take condition \"has\""))));
  EXPECT_THAT(FoundBy(kBackEdgeWithoutStart,
                      LoopWith(immediate + "any_of { " + condition +
                               "condition { type: \"CountCondition\" } }")),
              IsEmpty());
}

}  // namespace
}  // namespace syncline
