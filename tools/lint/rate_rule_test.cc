// Joins of streams that rarely have equal times, and those that may.

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

std::string PeriodicSource(const std::string& name, const std::string& period) {
  return absl::StrCat("node { name: \"", name,
                      "\" calculator: \"TestSource\" output_stream: \"", name,
                      "_out\" condition { type: \"PeriodicCondition\" options "
                      "{ [syncline.PeriodicConditionOptions.ext] { "
                      "recess_period: \"",
                      period, "\" } } } }\n");
}

std::string PeriodicJoin(const std::string& period, const std::string& other,
                         const std::string& join_fields = "") {
  return absl::StrCat(
      PeriodicSource("camera", period), PeriodicSource("lidar", other),
      "node { name: \"join\" calculator: \"PromisingNode\" input_stream: "
      "\"camera_out\" input_stream: \"lidar_out\" ",
      join_fields, " }");
}

constexpr char kSampled[] = R"(input_stream: "frames"
node { name: "sampler" calculator: "PacketResamplerCalculator"
       input_stream: "frames" output_stream: "even"
       options { [syncline.PacketResamplerCalculatorOptions.ext] {
         frame_rate: 10 } } }
)";

TEST(RateRuleTest, SourcesWithDifferentPeriodsRarelyMeet) {
  EXPECT_THAT(
      FoundBy(kUnequalRates, PeriodicJoin("33ms", "100ms")),
      ElementsAre(AllOf(
          HasSubstr("graph.pbtxt:3: warning: \"join\" joins by equal "
                    "timestamps stream \"camera_out\", which comes from "
                    "\"camera\" each 33000000 ns, and stream \"lidar_out\", "
                    "which comes from \"lidar\" each 100000000 ns: few calls "
                    "have a packet of both"),
          HasSubstr("remedy: Join them with ApproximateTimeInputStreamHandler "
                    "or LatestInputStreamHandler"))));
}

TEST(RateRuleTest, SourcesWithOnePeriodMayMeet) {
  EXPECT_THAT(FoundBy(kUnequalRates, PeriodicJoin("10ms", "100Hz")), IsEmpty());
}

TEST(RateRuleTest, AHandlerForUnequalTimesIsTheRemedy) {
  EXPECT_THAT(
      FoundBy(kUnequalRates,
              PeriodicJoin("33ms", "100ms",
                           "input_stream_handler { input_stream_handler: "
                           "\"ApproximateTimeInputStreamHandler\" }")),
      IsEmpty());
}

TEST(RateRuleTest, SourcesOfUnknownRatesAreLeftAlone) {
  EXPECT_THAT(FoundBy(kUnequalRates, R"(
    input_stream: "a" input_stream: "b"
    node { calculator: "TestSource" output_stream: "c" }
    node { calculator: "PromisingNode" input_stream: "a" input_stream: "b"
           input_stream: "c" })"),
              IsEmpty());
}

TEST(RateRuleTest, AStreamThatIsSampledAnewRarelyMeetsTheOneItComesFrom) {
  EXPECT_THAT(FoundBy(kUnequalRates,
                      absl::StrCat(kSampled,
                                   "node { name: \"join\" calculator: "
                                   "\"PromisingNode\" input_stream: \"frames\" "
                                   "input_stream: \"even\" }")),
              ElementsAre(AllOf(
                  HasSubstr("graph.pbtxt:6:"),
                  HasSubstr("stream \"even\", which is sampled anew by "
                            "\"sampler\" (PacketResamplerCalculator), and "
                            "stream \"frames\", which does not come through "
                            "\"sampler\""))));
}

TEST(RateRuleTest, TwoStreamsBehindOneSamplerMeet) {
  EXPECT_THAT(FoundBy(kUnequalRates, absl::StrCat(kSampled, R"(
    node { calculator: "PromisingNode" input_stream: "even"
           output_stream: "more" }
    node { calculator: "PromisingNode" input_stream: "even"
           input_stream: "more" })")),
              IsEmpty());
}

TEST(RateRuleTest, TwoSamplersOfOneKindMeet) {
  const auto with = [](int rate) {
    return absl::StrCat(kSampled, R"(
    node { calculator: "PacketResamplerCalculator" input_stream: "frames"
           output_stream: "other" options {
             [syncline.PacketResamplerCalculatorOptions.ext] { frame_rate: )",
                        rate, R"( } } }
    node { calculator: "PromisingNode" input_stream: "even"
           input_stream: "other" })");
  };
  EXPECT_THAT(FoundBy(kUnequalRates, with(10)), IsEmpty());
  EXPECT_EQ(FoundBy(kUnequalRates, with(7)).size(), 1);
}

TEST(RateRuleTest, AHeaderHasNoRate) {
  EXPECT_THAT(FoundBy(kUnequalRates, R"(
    node { calculator: "TestSource" output_stream: "VIDEO:frames"
           output_stream: "HEADER:header" }
    node { calculator: "PacketThinnerCalculator" input_stream: "frames"
           output_stream: "few" }
    node { calculator: "PromisingNode" input_stream: "VIDEO:few"
           input_stream: "VIDEO_HEADER:header" })"),
              IsEmpty());
}

TEST(RateRuleTest, NodesThatAreMadeForGapsAreLeftAlone) {
  EXPECT_THAT(FoundBy(kUnequalRates, absl::StrCat(kSampled, R"(
    node { calculator: "PacketClonerCalculator" input_stream: "even"
           input_stream: "TICK:frames" output_stream: "cloned" }
    node { calculator: "PassThroughCalculator" input_stream: "even"
           input_stream: "frames" output_stream: "x" output_stream: "y" }
    node { calculator: "BoundsNode" input_stream: "even"
           input_stream: "frames" })")),
              IsEmpty());
}

}  // namespace
}  // namespace syncline
