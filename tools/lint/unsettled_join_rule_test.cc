// Joins that a silent node holds up, and what keeps them going.

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

// Frames, with what "detector" makes of them.
std::string DetectorJoin(const std::string& detector,
                         const std::string& join_fields = "",
                         const std::string& detector_fields = "") {
  return absl::StrCat(R"(input_stream: "camera"
node { name: "resize" calculator: "PromisingNode"
       input_stream: "camera" output_stream: "small" }
node { name: "detector" calculator: ")",
                      detector, R"(" )", detector_fields, R"(
       input_stream: "small" output_stream: "faces" }
node { name: "draw" calculator: "PromisingNode" )",
                      join_fields, R"(
       input_stream: "IMAGE:camera" input_stream: "FACES:faces" })");
}

TEST(UnsettledJoinTest, ASilentNodeOnOneWayOfTwoIsFound) {
  EXPECT_THAT(
      FoundBy(kUnsettledJoin, DetectorJoin("SilentNode")),
      ElementsAre(AllOf(
          HasSubstr("graph.pbtxt:6: warning: \"draw\" joins stream \"faces\", "
                    "which comes through \"detector\", with stream \"camera\", "
                    "which comes from the same source without it: "
                    "\"detector\" promises no bounds while it sends nothing"),
          HasSubstr("[unsettled-join]"),
          HasSubstr("remedy: Let \"detector\" say how far \"faces\" has come: "
                    "SetTimestampOffset(0) in its contract"),
          HasSubstr("SetNextTimestampBound()"),
          HasSubstr("Or let \"draw\" go on without it: idle_after"),
          HasSubstr("NOLINT(unsettled-join)"))));
}

TEST(UnsettledJoinTest, ANodeThatPromisesBoundsIsNotFound) {
  for (const char* detector : {"PromisingNode", "DelayNode", "BoundsNode"}) {
    EXPECT_THAT(FoundBy(kUnsettledJoin, DetectorJoin(detector)), IsEmpty())
        << detector;
  }
}

TEST(UnsettledJoinTest, AHandlerThatDoesNotWaitIsNotHeldUp) {
  for (const char* handler :
       {"ImmediateInputStreamHandler", "BarrierInputStreamHandler",
        "TimeoutInputStreamHandler"}) {
    const std::string options =
        absl::string_view(handler) == "TimeoutInputStreamHandler"
            ? "options { [syncline.TimeoutInputStreamHandlerOptions.ext] { "
              "timeout_ns: 5 } }"
            : "";
    EXPECT_THAT(
        FoundBy(kUnsettledJoin,
                DetectorJoin("SilentNode",
                             absl::StrCat("input_stream_handler { "
                                          "input_stream_handler: \"",
                                          handler, "\" ", options, "}"))),
        IsEmpty())
        << handler;
  }
}

TEST(UnsettledJoinTest, SyncSetsAreJoinsEachForItself) {
  const std::string apart =
      "input_stream_handler { input_stream_handler: "
      "\"SyncSetInputStreamHandler\" options { "
      "[syncline.SyncSetInputStreamHandlerOptions.ext] { sync_set { tag_index: "
      "\"FACES\" } } } }";
  EXPECT_THAT(FoundBy(kUnsettledJoin, DetectorJoin("SilentNode", apart)),
              IsEmpty());
}

TEST(UnsettledJoinTest, IdleAfterSettlesTheSilentStream) {
  EXPECT_THAT(
      FoundBy(kUnsettledJoin,
              DetectorJoin("SilentNode",
                           "input_stream_info { tag_index: \"FACES\" "
                           "idle_after { stream: \"IMAGE\" gap: 10 } }")),
      IsEmpty());
}

TEST(UnsettledJoinTest, TheMainStreamOfLatestMayBeSilent) {
  const auto latest = [](const char* main) {
    return absl::StrCat(
        "input_stream_handler { input_stream_handler: "
        "\"LatestInputStreamHandler\" options { "
        "[syncline.LatestInputStreamHandlerOptions.ext] { main_tag_index: \"",
        main, "\" } } }");
  };
  EXPECT_THAT(
      FoundBy(kUnsettledJoin, DetectorJoin("SilentNode", latest("FACES"))),
      IsEmpty());
  EXPECT_EQ(FoundBy(kUnsettledJoin, DetectorJoin("SilentNode", latest("IMAGE")))
                .size(),
            1);
}

TEST(UnsettledJoinTest, TwoWaysThatAreSilentAlikeAreTakenToAnswerAlike) {
  EXPECT_THAT(FoundBy(kUnsettledJoin, R"(input_stream: "in"
    node { calculator: "SilentNode" input_stream: "in" output_stream: "a" }
    node { calculator: "SilentNode" input_stream: "in" output_stream: "b" }
    node { calculator: "PromisingNode" input_stream: "a" input_stream: "b" })"),
              IsEmpty());
}

TEST(UnsettledJoinTest, ASilentNodeBeforeTheForkHoldsUpBothWays) {
  EXPECT_THAT(FoundBy(kUnsettledJoin, R"(input_stream: "in"
    node { calculator: "SilentNode" input_stream: "in" output_stream: "a" }
    node { calculator: "PromisingNode" input_stream: "a" output_stream: "b" }
    node { calculator: "PromisingNode" input_stream: "a" input_stream: "b" })"),
              IsEmpty());
}

TEST(UnsettledJoinTest, OneMoreSilentNodeAfterTheForkIsFound) {
  EXPECT_THAT(FoundBy(kUnsettledJoin, R"(input_stream: "in"
    node { name: "first" calculator: "SilentNode" input_stream: "in"
           output_stream: "a" }
    node { name: "second" calculator: "SilentNode" input_stream: "a"
           output_stream: "b" }
    node { calculator: "PromisingNode" input_stream: "a" input_stream: "b" })"),
              ElementsAre(HasSubstr("comes through \"second\"")));
}

TEST(UnsettledJoinTest, StreamsOfDifferentSourcesAreLeftAlone) {
  EXPECT_THAT(FoundBy(kUnsettledJoin, R"(
    input_stream: "in" input_stream: "other"
    node { calculator: "SilentNode" input_stream: "in" output_stream: "a" }
    node { calculator: "PromisingNode" input_stream: "a"
           input_stream: "other" })"),
              IsEmpty());
}

TEST(UnsettledJoinTest, AHeaderIsSettledForGood) {
  EXPECT_THAT(FoundBy(kUnsettledJoin, R"(
    node { calculator: "TestSource" output_stream: "VIDEO:frames"
           output_stream: "VIDEO_PRESTREAM:header" }
    node { calculator: "SilentNode" input_stream: "frames" output_stream: "a" }
    node { calculator: "PromisingNode" input_stream: "VIDEO:a"
           input_stream: "INFO:header" })"),
              IsEmpty());
}

// Both ways are silent, but one loses packets, and says so.
std::string LossyWay(const std::string& fields) {
  return absl::StrCat(R"(input_stream: "in"
    node { name: "lossy" calculator: "SilentNode" input_stream: "in"
           output_stream: "a" )",
                      fields, R"( }
    node { calculator: "SilentNode" input_stream: "in" output_stream: "b" }
    node { calculator: "PromisingNode" input_stream: "a" input_stream: "b" })");
}

TEST(UnsettledJoinTest, OfTwoSilentWaysThatWhichLosesPacketsIsFound) {
  EXPECT_THAT(FoundBy(kUnsettledJoin, LossyWay("")), IsEmpty());
  EXPECT_THAT(
      FoundBy(kUnsettledJoin,
              LossyWay("input_stream_info { tag_index: \":0\" max_queue_size: "
                       "2 queue_policy: POP }")),
      ElementsAre(AllOf(HasSubstr("through \"lossy\""),
                        HasSubstr("loses packets of stream \"in\" "
                                  "(queue_policy: POP)"))));
  EXPECT_THAT(FoundBy(kUnsettledJoin, LossyWay("batch { max_size: 4 }")),
              ElementsAre(HasSubstr("up to 4 input sets with one call")));
  EXPECT_THAT(FoundBy(kUnsettledJoin,
                      LossyWay("input_stream_handler { input_stream_handler: "
                               "\"FixedSizeInputStreamHandler\" }")),
              ElementsAre(HasSubstr("FixedSizeInputStreamHandler")));
}

}  // namespace
}  // namespace syncline
