// Calculators that change how many packets a stream has in a second: thinner
// and resampler.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "calculators/core/packet_thinner_calculator.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/video_stream_header.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Packets at these times; the values are the same numbers.
std::vector<Packet> AtTimes(const std::vector<int>& times) {
  std::vector<Packet> result;
  for (const int time : times) {
    result.push_back(MakePacket<int>(time).At(Timestamp(time)));
  }
  return result;
}

// --- PacketThinnerCalculator

std::string Thinner(const std::string& options, const std::string& more = "") {
  return absl::StrCat(
      R"pb(calculator: "PacketThinnerCalculator"
           input_stream: "in"
           output_stream: "out")pb",
      more, " options { [syncline.PacketThinnerCalculatorOptions.ext] {",
      options, "} }");
}
std::vector<Packet> Thin(const std::string& options,
                         const std::vector<int>& times) {
  CalculatorHarness harness(Thinner(options));
  harness.Feed("", AtTimes(times));
  SYNCLINE_EXPECT_OK(harness.Run());
  return harness.Output("");
}

TEST(PacketThinnerTest, AsyncLetsNothingThroughForAPeriod) {
  EXPECT_THAT(Thin("period: 10", {2, 7, 11, 12, 26}),
              StreamIs({{2, 2}, {12, 12}, {26, 26}}));
}

TEST(PacketThinnerTest, SyncHasTheNearestPacketForEachTime) {
  EXPECT_THAT(Thin("thinner_type: SYNC period: 10", {2, 7, 11, 26}),
              StreamIs({{0, 2}, {10, 11}, {30, 26}}));
  // Of two equally near packets the later is sent; a packet halfway between two
  // output times belongs to the later.
  EXPECT_THAT(Thin("thinner_type: SYNC period: 10", {8, 12, 15}),
              StreamIs({{10, 12}, {20, 15}}));
  EXPECT_THAT(
      Thin("thinner_type: SYNC period: 10 sync_output_timestamps: false",
           {2, 7, 11, 26}),
      StreamIs({{2, 2}, {11, 11}, {26, 26}}));
}

TEST(PacketThinnerTest, SyncCountsFromTheStartAndStopsBeforeTheEnd) {
  EXPECT_THAT(Thin("thinner_type: SYNC period: 10 start_time: 3 end_time: 30",
                   {1, 4, 12, 29, 30}),
              StreamIs({{3, 4}, {13, 12}, {33, 29}}));
  EXPECT_THAT(Thin("period: 10 start_time: 3 end_time: 30", {1, 4, 12, 29, 30}),
              StreamIs({{4, 4}, {29, 29}}));
}

TEST(PacketThinnerTest, SyncTakesNegativeTimes) {
  EXPECT_THAT(Thin("thinner_type: SYNC period: 10", {-26, -11, -6, -5}),
              StreamIs({{-30, -26}, {-10, -11}, {0, -5}}));
}

TEST(PacketThinnerTest, SidePacketsComeBeforeOptions) {
  CalculatorHarness harness(
      Thinner("period: 10",
              "input_side_packet: \"PERIOD:p\" input_side_packet: "
              "\"OPTIONS:o\""));
  CalculatorOptions options;
  options.MutableExtension(PacketThinnerCalculatorOptions::ext)
      ->set_start_time(20);
  harness.SetSidePacket("OPTIONS", MakePacket<CalculatorOptions>(options));
  harness.SetSidePacket("PERIOD", MakePacket<std::int64_t>(5));
  harness.Feed("", AtTimes({10, 20, 24, 25}));
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), StreamIs({{20, 20}, {25, 25}}));
}

TEST(PacketThinnerTest, ABoundSendsWhatNothingCanReplace) {
  CalculatorHarness harness(Thinner("thinner_type: SYNC period: 10"));
  harness.Feed("", {AtTimes({8})[0], Packet().At(Timestamp(13)),
                    Packet().At(Timestamp(15)), AtTimes({40})[0]});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), StreamIs({{10, 8}, {40, 40}}));
  EXPECT_THAT(harness.OutputBounds(""),
              ElementsAre(Timestamp(10), Timestamp(20), Timestamp(40),
                          Timestamp(41), Timestamp::Done()));
}

TEST(PacketThinnerTest, ChangesTheFrameRateOfAHeader) {
  struct Case {
    double rate;
    std::string options;
    double expected;
  };
  // ASYNC: rate / max(1, ceil(rate * period)); SYNC: min(rate, 1 / period).
  for (const Case& test : std::vector<Case>{
           {30, "period: 100000", 30},
           {30, "period: 100000 update_frame_rate: true", 10},
           {30, "period: 40000 update_frame_rate: true", 15},
           {30, "period: 100000 update_frame_rate: true thinner_type: SYNC",
            10},
           {30, "period: 10000 update_frame_rate: true thinner_type: SYNC", 30},
           {29.97, "period: 10000 update_frame_rate: true", 29.97},
           {0, "period: 10000 update_frame_rate: true", 0},
           {0, "period: 10000 update_frame_rate: true thinner_type: SYNC",
            0}}) {
    CalculatorHarness harness{Thinner(test.options)};
    VideoHeader header;
    header.frame_rate = test.rate;
    harness.SetHeader("", MakePacket<VideoHeader>(header));
    SYNCLINE_ASSERT_OK(harness.Run());
    EXPECT_DOUBLE_EQ(harness.OutputHeader("").Get<VideoHeader>().frame_rate,
                     test.expected)
        << test.rate << " " << test.options;
  }
}

TEST(PacketThinnerTest, RefusesAPeriodThatIsNone) {
  for (const std::string period : {"0", "-1", "9223372036854775807"}) {
    CalculatorHarness harness(Thinner("period: " + period));
    EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                        HasSubstr("period from 1")));
  }
}

TEST(PacketThinnerTest, RefusesAStartThatIsNoTime) {
  for (const std::string start :
       {"-9223372036854775808", "9223372036854775807"}) {
    CalculatorHarness harness(
        Thinner("thinner_type: SYNC start_time: " + start));
    EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                        HasSubstr("start_time " + start)));
  }
}

// --- PacketResamplerCalculator

std::string Resampler(const std::string& options,
                      const std::string& more = "") {
  return absl::StrCat(
      R"pb(calculator: "PacketResamplerCalculator"
           input_stream: "in"
           output_stream: "out")pb",
      more, " options { [syncline.PacketResamplerCalculatorOptions.ext] {",
      options, "} }");
}
std::vector<Packet> Resample(const std::string& options,
                             const std::vector<int>& times) {
  CalculatorHarness harness(Resampler(options));
  harness.Feed("", AtTimes(times));
  SYNCLINE_EXPECT_OK(harness.Run());
  return harness.Output("");
}

TEST(PacketResamplerTest, EachPeriodGetsThePacketThatIsNearest) {
  const std::string rate = "frame_rate: 30";
  EXPECT_THAT(Resample(rate, {0}), StreamIs({{0, 0}}));
  EXPECT_THAT(Resample(rate, {1000}), StreamIs({{1000, 1000}}));
  EXPECT_THAT(Resample(rate, {0, 16666}), StreamIs({{0, 0}}));
  EXPECT_THAT(Resample(rate, {0, 16667}), StreamIs({{0, 0}, {33333, 16667}}));
  EXPECT_THAT(Resample(rate, {0, 49999}), StreamIs({{0, 0}, {33333, 49999}}));
  EXPECT_THAT(Resample(rate, {0, 30000, 37000}),
              StreamIs({{0, 0}, {33333, 30000}}));
}

TEST(PacketResamplerTest, RarePacketsAreRepeated) {
  EXPECT_THAT(Resample("frame_rate: 30", {0, 50000}),
              StreamIs({{0, 0}, {33333, 0}, {66667, 50000}}));
  EXPECT_THAT(
      Resample("frame_rate: 30", {2000, 118666}),
      StreamIs({{2000, 2000}, {35333, 2000}, {68667, 2000}, {102000, 118666}}));
}

TEST(PacketResamplerTest, TheLaterOfTwoEquallyNearPacketsCounts) {
  EXPECT_THAT(Resample("frame_rate: 10", {0, 90000, 110000}),
              StreamIs({{0, 0}, {100000, 110000}}));
}

TEST(PacketResamplerTest, TheLastPacketIsFlushedOrNot) {
  EXPECT_THAT(Resample("frame_rate: 10", {0, 80000}),
              StreamIs({{0, 0}, {100000, 80000}}));
  EXPECT_THAT(Resample("frame_rate: 10 flush_last_packet: false", {0, 80000}),
              StreamIs({{0, 0}}));
}

TEST(PacketResamplerTest, TimesMayBeAlignedWithABase) {
  EXPECT_THAT(
      Resample("frame_rate: 10 base_timestamp: 30000", {110000, 240000}),
      StreamIs({{130000, 110000}, {230000, 240000}}));
  EXPECT_THAT(
      Resample("frame_rate: 10 base_timestamp: 930000", {110000, 240000}),
      StreamIs({{130000, 110000}, {230000, 240000}}));
}

TEST(PacketResamplerTest, PeriodsAreCountedFromTheFirstTime) {
  // At 30 Hz the times of the base are 0 and round(33333.3) = 33333, which is
  // nearest to the first packet. From there on it is 33333 + 33333 = 66666, not
  // round(66666.7), and 33333 + round(66666.7) = 100000.
  EXPECT_THAT(
      Resample("frame_rate: 30 base_timestamp: 0", {32000, 66000, 100000}),
      StreamIs({{33333, 32000}, {66666, 66000}, {100000, 100000}}));
}

TEST(PacketResamplerTest, HalfwayBetweenTwoTimesTheLaterIsNearer) {
  const std::string options = "frame_rate: 10 base_timestamp: 30000";
  EXPECT_THAT(Resample(options, {80000}), StreamIs({{130000, 80000}}));
  EXPECT_THAT(Resample(options, {-20000}), StreamIs({{30000, -20000}}));
  EXPECT_THAT(Resample(options, {30000, 80000}),
              StreamIs({{30000, 30000}, {130000, 80000}}));
  // 50000 and 150000 are equally near to 100000, but 150000 counts for 200000.
  EXPECT_THAT(
      Resample("frame_rate: 10", {0, 50000, 150000, 260000}),
      StreamIs({{0, 0}, {100000, 50000}, {200000, 150000}, {300000, 260000}}));
}

TEST(PacketResamplerTest, PeriodsAreCountedInSecondsAsDoubles) {
  // 0.58 * 25 is 14.5, but in doubles a little less; so the packet belongs to
  // time 14, and not to time 15, 600000.
  const std::vector<Packet> output = Resample("frame_rate: 25", {0, 580000});
  ASSERT_EQ(output.size(), 15);
  EXPECT_THAT(output[13], PacketIs<int>(520000, 0));
  EXPECT_THAT(output[14], PacketIs<int>(560000, 580000));
  // 0.5 * 25 is 12.5 exactly, so that packet belongs to time 13.
  EXPECT_THAT(Resample("frame_rate: 25", {0, 500000}).back(),
              PacketIs<int>(520000, 500000));
}

TEST(PacketResamplerTest, ATimeThatRoundingMakesTooEarlyIsLeftOut) {
  // The period is 100001.8 us. 350006 is 3.499997 periods after the base, so
  // nearest to time 3, which is rounded from 300005.4 to 300005. From there it
  // is 0.500001 periods, so the first packet is nearest to the time after it,
  // 300005 + round(100001.8) = 400007. Nothing can be sent at 300005.
  EXPECT_THAT(Resample("frame_rate: 9.99982 base_timestamp: 0", {350006}),
              StreamIs({{400007, 350006}}));
}

TEST(PacketResamplerTest, LimitsAreRoundedByHalfAPeriodInWholeMicroseconds) {
  // At 70 Hz a period has 14285.7 us; half of 14285 is 7142. The times are 0,
  // 14286 and 28571.
  const std::vector<int> times = {0, 14286, 28571};
  EXPECT_THAT(
      Resample("frame_rate: 70 round_limits: true start_time: 21428", times),
      StreamIs({{14286, 14286}, {28571, 28571}}));
  EXPECT_THAT(
      Resample("frame_rate: 70 round_limits: true start_time: 21429", times),
      StreamIs({{28571, 28571}}));
}

TEST(PacketResamplerTest, SendsNothingOutsideOfTheLimits) {
  const std::vector<int> times = {0, 100000, 200000, 300000, 400000};
  const std::string limits =
      "frame_rate: 10 start_time: 120000 end_time: 300000";
  EXPECT_THAT(Resample(limits, times), StreamIs({{200000, 200000}}));
  EXPECT_THAT(Resample(limits + " round_limits: true", times),
              StreamIs({{100000, 100000}, {200000, 200000}, {300000, 300000}}));
}

TEST(PacketResamplerTest, ALongGapIsAnErrorAndNotALongLoop) {
  CalculatorHarness harness(Resampler("frame_rate: 1000000"));
  harness.Feed("", {MakePacket<int>(0).At(Timestamp(0)),
                    MakePacket<int>(1).At(Timestamp(int64_t{1} << 61))});
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("are not filled")));
}

TEST(PacketResamplerTest, TimesThatNoClockShowsAreAnErrorAndNotALongLoop) {
  for (const char* const options :
       {"frame_rate: 1e6 jitter: 0.5 jitter_with_reflection: true "
        "reproducible_sampling: true",
        "frame_rate: 1e6 jitter: 0.5 base_timestamp: -9223372036854775805"}) {
    CalculatorHarness harness(
        Resampler(options, "input_side_packet: \"SEED:seed\""));
    harness.SetSidePacket("SEED", MakePacket<std::string>("a"));
    harness.Feed("", {MakePacket<int>(0).At(Timestamp(0)),
                      MakePacket<int>(1).At(Timestamp::Max())});
    EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                        HasSubstr("too far from 0")))
        << options;
  }
}

TEST(PacketResamplerTest, BoundsPassUpToTheNextTime) {
  CalculatorHarness harness(Resampler("frame_rate: 10"));
  harness.Feed("", {Packet().At(Timestamp(50000)), AtTimes({70000})[0],
                    Packet().At(Timestamp(900000)), AtTimes({910000})[0]});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.OutputBounds("")[0], Timestamp(70000));
  EXPECT_EQ(harness.OutputBounds("")[1], Timestamp(170000));
  EXPECT_EQ(harness.Output("").size(), 9);
}

// The output times of a resampler with jitter, for an input with many packets.
std::vector<std::int64_t> Jitter(const std::string& options,
                                 const std::string& seed, int begin = 0) {
  CalculatorHarness harness(
      Resampler(options, "input_side_packet: \"SEED:seed\""));
  harness.SetSidePacket("SEED", MakePacket<std::string>(seed));
  std::vector<int> times;
  for (int time = begin; time < 20000000; time += 1000) times.push_back(time);
  harness.Feed("", AtTimes(times));
  SYNCLINE_EXPECT_OK(harness.Run());
  std::vector<std::int64_t> result;
  for (const Packet& packet : harness.Output("")) {
    EXPECT_EQ(packet.Get<int>(), packet.Timestamp().Value());
    result.push_back(packet.Timestamp().Value());
  }
  return result;
}

TEST(PacketResamplerTest, JitterMovesTimesAtRandomByTheSeed) {
  const std::string options = "frame_rate: 10 jitter: 0.3";
  const std::vector<std::int64_t> times = Jitter(options, "a");
  EXPECT_EQ(times, Jitter(options, "a"));
  EXPECT_NE(times, Jitter(options, "b"));
  EXPECT_NEAR(static_cast<double>(times.size()), 200, 20);
  for (std::size_t i = 1; i < times.size(); ++i) {
    EXPECT_GE(times[i] - times[i - 1], 69000);
    EXPECT_LE(times[i] - times[i - 1], 131000);
  }
}

TEST(PacketResamplerTest, ReflectionKeepsEachTimeInItsPeriod) {
  const std::vector<std::int64_t> times =
      Jitter("frame_rate: 10 jitter: 1 jitter_with_reflection: true", "a");
  EXPECT_NEAR(static_cast<double>(times.size()), 200, 1);
  for (std::size_t i = 1; i < times.size(); ++i) {
    // The output times of neighbouring periods are at most two periods apart,
    // apart from rounding to packets.
    EXPECT_NEAR(static_cast<double>(times[i] - times[i - 1]), 100000, 101000);
  }
}

TEST(PacketResamplerTest, ReproducibleSamplingDoesNotDependOnTheStart) {
  const std::string options =
      "frame_rate: 10 jitter: 0.5 jitter_with_reflection: true "
      "reproducible_sampling: true";
  const std::vector<std::int64_t> whole = Jitter(options, "a");
  const std::vector<std::int64_t> part = Jitter(options, "a", 5000000);
  ASSERT_GT(part.size(), 100);
  EXPECT_TRUE(std::equal(part.rbegin(), part.rend(), whole.rbegin()));
}

TEST(PacketResamplerTest, JitterTakesGapsInOneStep) {
  CalculatorHarness harness(Resampler("frame_rate: 1000 jitter: 0.5",
                                      "input_side_packet: \"SEED:seed\""));
  harness.SetSidePacket("SEED", MakePacket<std::string>("a"));
  harness.Feed("", {MakePacket<int>(0).At(Timestamp(0)),
                    MakePacket<int>(1).At(Timestamp(int64_t{1} << 52))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.Output("").size(), 2);
}

TEST(PacketResamplerTest, HeadersArePassedOrChanged) {
  const std::vector<std::pair<std::string, float>> cases = {
      {"output_header: PASS_HEADER frame_rate: 10", 30},
      {"output_header: UPDATE_VIDEO_HEADER frame_rate: 10", 10},
      {"output_header: UPDATE_VIDEO_HEADER use_input_frame_rate: true", 30},
      {"output_header: UPDATE_VIDEO_HEADER use_input_frame_rate: true "
       "max_frame_rate: 20",
       20}};
  VideoHeader header;
  header.frame_rate = 30;
  for (const auto& [options, rate] : cases) {
    CalculatorHarness harness{Resampler(options)};
    harness.SetHeader("", MakePacket<VideoHeader>(header));
    SYNCLINE_ASSERT_OK(harness.Run());
    EXPECT_EQ(harness.OutputHeader("").Get<VideoHeader>().frame_rate, rate);
  }
  CalculatorHarness none{Resampler("frame_rate: 10")};
  none.SetHeader("", MakePacket<VideoHeader>(header));
  SYNCLINE_ASSERT_OK(none.Run());
  EXPECT_TRUE(none.OutputHeader("").IsEmpty());
}

TEST(PacketResamplerTest, AHeaderMayComeAsAPacket) {
  CalculatorHarness harness(R"pb(
    calculator: "PacketResamplerCalculator"
    input_stream: "DATA:in"
    input_stream: "VIDEO_HEADER:header"
    output_stream: "DATA:out"
    output_stream: "VIDEO_HEADER:new_header"
    options {
      [syncline.PacketResamplerCalculatorOptions.ext] { frame_rate: 10 }
    }
  )pb");
  VideoHeader header;
  header.frame_rate = 30;
  harness.Feed("VIDEO_HEADER",
               {MakePacket<VideoHeader>(header).At(Timestamp::PreStream())});
  harness.Feed("DATA", AtTimes({0, 100000}));
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("VIDEO_HEADER").size(), 1);
  EXPECT_EQ(harness.Output("VIDEO_HEADER")[0].Get<VideoHeader>().frame_rate,
            10);
  EXPECT_THAT(harness.Output("DATA"), StreamIs({{0, 0}, {100000, 100000}}));
}

TEST(PacketResamplerTest, RefusesOptionsThatMakeNoTimes) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "frame rate is -1"},
      {"frame_rate: 0", "frame rate is 0"},
      {"frame_rate: 2e6", "at most 1000000"},
      {"frame_rate: nan", "at most 1000000"},
      {"frame_rate: 10 jitter: 2", "jitter is from 0 to 1"},
      {"frame_rate: 10 jitter: 0.5", "side packet SEED"},
      {"frame_rate: 10 output_header: UPDATE_VIDEO_HEADER", "VideoHeader"},
      {"use_input_frame_rate: true", "VideoHeader"}};
  for (const auto& [options, says] : cases) {
    CalculatorHarness harness{Resampler(options)};
    EXPECT_THAT(harness.Run(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(says)))
        << options;
  }
}

// The error is known only with the first packet, since the header might have
// given a rate.
TEST(PacketResamplerTest, ARateThatIsNoneIsAnErrorAlsoWithoutTheHeader) {
  for (const std::string rate : {"nan", "2e6", "-1"}) {
    CalculatorHarness harness(
        absl::StrCat(R"pb(
                       calculator: "PacketResamplerCalculator"
                       input_stream: "DATA:in"
                       input_stream: "VIDEO_HEADER:header"
                       input_side_packet: "SEED:seed"
                       output_stream: "DATA:out"
                       options {
                         [syncline.PacketResamplerCalculatorOptions.ext] {
                           use_input_frame_rate: true
                           jitter: 0.5
                           frame_rate:)pb",
                     rate, "}}"));
    harness.SetSidePacket("SEED", MakePacket<std::string>("x"));
    harness.Feed("DATA", AtTimes({0, 100000}));
    EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                        HasSubstr("set the option frame_rate")))
        << rate;
  }
}

}  // namespace
}  // namespace syncline
