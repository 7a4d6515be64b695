// The small calculators of this folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "calculators/util/latency.pb.h"
#include "calculators/util/packet_frequency.pb.h"
#include "framework/calculator_framework.h"
#include "framework/deps/clock.h"
#include "framework/formats/rect.pb.h"
#include "framework/port/file_helpers.h"
#include "framework/resources.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"
#include "testing/simulated_clock.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <typename T>
Packet At(int time, T value) {
  return MakePacket<T>(std::move(value)).At(Timestamp(time));
}

// --- ThresholdingCalculator

std::string Threshold(const std::string& extra) {
  return absl::StrCat(R"pb(
                        calculator: "ThresholdingCalculator"
                        input_stream: "FLOAT:value"
                        output_stream: "FLAG:flag"
                        output_stream: "ACCEPT:accept"
                        output_stream: "REJECT:reject"
                      )pb",
                      extra);
}
constexpr char kThresholdOption[] =
    R"pb(
  options {
    [syncline.ThresholdingCalculatorOptions.ext] { threshold: 0.5 }
  }
    )pb";

TEST(ThresholdingTest, SaysWhichValuesAreAboveTheThreshold) {
  CalculatorHarness harness(Threshold(kThresholdOption));
  harness.Feed("FLOAT", {At(1, 0.4f), At(2, 0.5f), At(3, 0.6f)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("FLAG"),
              StreamIs<bool>({{1, false}, {2, false}, {3, true}}));
  EXPECT_THAT(harness.Output("ACCEPT"), StreamIs<bool>({{3, true}}));
  EXPECT_THAT(harness.Output("REJECT"),
              StreamIs<bool>({{1, false}, {2, false}}));
}

TEST(ThresholdingTest, TheThresholdMayBeASidePacket) {
  CalculatorHarness harness(Threshold("input_side_packet: \"THRESHOLD:t\""));
  harness.SetSidePacket("THRESHOLD", MakePacket<double>(2.0));
  harness.Feed("FLOAT", {At(1, 1.0f), At(2, 3.0f)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("FLAG"), StreamIs<bool>({{1, false}, {2, true}}));
}

TEST(ThresholdingTest, TheThresholdMayBeAStreamWhosePacketsHold) {
  CalculatorHarness harness(Threshold("input_stream: \"THRESHOLD:t\""));
  harness.Feed("FLOAT", {At(1, 1.0f), At(3, 1.0f), At(4, 1.0f), At(5, 1.0f)});
  harness.Feed("THRESHOLD", {At(2, 2.0), At(5, 0.0)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("FLAG"),
              StreamIs<bool>({{1, true}, {3, false}, {4, false}, {5, true}}));
}

TEST(ThresholdingTest, ComparesAsDoubles) {
  // The float 0.1f is 0.100000001490116, more than the double 0.1.
  CalculatorHarness harness(Threshold("input_side_packet: \"THRESHOLD:t\""));
  harness.SetSidePacket("THRESHOLD", MakePacket<double>(0.1));
  harness.Feed("FLOAT", {At(1, 0.1f)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("FLAG"), StreamIs<bool>({{1, true}}));
}

TEST(ThresholdingTest, AThresholdThatIsAFloatIsAnError) {
  CalculatorHarness harness(Threshold("input_side_packet: \"THRESHOLD:t\""));
  harness.SetSidePacket("THRESHOLD", MakePacket<float>(0.1f));
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("double")));
}

TEST(ThresholdingTest, RefusesTwoThresholds) {
  CalculatorHarness harness(Threshold(
      absl::StrCat(kThresholdOption, "input_stream: \"THRESHOLD:t\"")));
  EXPECT_THAT(harness.Run(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("the option threshold, the input stream")));
}

// --- LogicCalculator

std::string Logic(const std::string& options, const std::string& more = "") {
  return absl::StrCat(
      R"pb(calculator: "LogicCalculator"
           input_stream: "a"
           input_stream: "b"
           output_stream: "c")pb",
      more, " options { [syncline.LogicCalculatorOptions.ext] {", options,
      "} }");
}
// The results for false false, false true, true false and true true.
std::vector<bool> TruthTable(CalculatorHarness& harness) {
  harness.Feed(":0", {At(0, false), At(1, false), At(2, true), At(3, true)});
  harness.Feed(":1", {At(0, false), At(1, true), At(2, false), At(3, true)});
  SYNCLINE_EXPECT_OK(harness.Run());
  std::vector<bool> result;
  for (const Packet& packet : harness.Output("")) {
    result.push_back(packet.Get<bool>());
  }
  return result;
}
std::vector<bool> TruthTable(const std::string& options) {
  CalculatorHarness harness(Logic(options));
  return TruthTable(harness);
}

TEST(LogicTest, CombinesStreams) {
  EXPECT_THAT(TruthTable("op: AND"), ElementsAre(false, false, false, true));
  EXPECT_THAT(TruthTable("op: OR"), ElementsAre(false, true, true, true));
  EXPECT_THAT(TruthTable("op: XOR"), ElementsAre(false, true, true, false));
  EXPECT_THAT(TruthTable("op: AND negate: true"),
              ElementsAre(true, true, true, false));
}

TEST(LogicTest, ConstantsTakePart) {
  EXPECT_THAT(TruthTable("op: XOR input_value: true"),
              ElementsAre(true, false, false, true));
  EXPECT_THAT(TruthTable("op: OR input_value: [ false, true ]"),
              ElementsAre(true, true, true, true));
  CalculatorHarness harness(Logic("op: AND", "input_side_packet: \"s\""));
  harness.SetSidePacket("", MakePacket<bool>(false));
  EXPECT_THAT(TruthTable(harness), ElementsAre(false, false, false, false));
}

TEST(LogicTest, ThereIsNoAnswerWithoutAllInputs) {
  CalculatorHarness harness(Logic("op: OR"));
  harness.Feed(":0", {At(1, true), At(2, true)});
  harness.Feed(":1", {At(2, false)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), StreamIs<bool>({{2, true}}));
}

// --- Collections

TEST(CollectionHasMinSizeTest, ComparesTheSize) {
  CalculatorHarness harness(R"pb(
    calculator: "NormalizedRectVectorHasMinSizeCalculator"
    input_stream: "ITERABLE:rects"
    output_stream: "enough"
    input_side_packet: "min"
    options {
      [syncline.CollectionHasMinSizeCalculatorOptions.ext] { min_size: 5 }
    }
  )pb");
  using Rects = std::vector<NormalizedRect>;
  harness.SetSidePacket("", MakePacket<int>(2));
  harness.Feed("ITERABLE", {At(1, Rects(1)), At(2, Rects(2))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), StreamIs<bool>({{1, false}, {2, true}}));
  harness.SetSidePacket("", MakePacket<int>(-1));
  EXPECT_THAT(harness.Run().message(), HasSubstr("min_size is -1"));
}

TEST(FilterCollectionTest, KeepsTheElementsForWhichTheConditionHolds) {
  CalculatorHarness harness(R"pb(
    calculator: "FilterUInt64CollectionCalculator"
    input_stream: "ITERABLE:in"
    input_stream: "CONDITION:keep"
    output_stream: "ITERABLE:out"
  )pb");
  using Numbers = std::vector<std::uint64_t>;
  using Bools = std::vector<bool>;
  const Packet without_condition = At(2, Numbers{4});
  harness.Feed("ITERABLE", {At(1, Numbers{1, 2, 3}), without_condition});
  harness.Feed("CONDITION", {At(1, Bools{true, false, true})});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("ITERABLE"),
              ElementsAre(PacketIs<Numbers>(1, ElementsAre(1, 3)),
                          PacketIs<Numbers>(2, ElementsAre(4))));
  harness.Feed("CONDITION", {At(2, Bools{true, false})});
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("has 2 bools at 2")));
}

// --- Clocks and frequencies

TEST(ClockTest, SaysWhenPacketsArriveAndHowMuchLater) {
  CalculatorHarness stamp(R"pb(
    calculator: "ClockTimestampCalculator"
    input_stream: "in"
    input_side_packet: "CLOCK:clock"
    output_stream: "out"
  )pb");
  const auto clock = std::make_shared<SimulatedClock>();
  const absl::Time start = clock->TimeNow();
  stamp.SetSidePacket("CLOCK", MakePacket<std::shared_ptr<Clock>>(clock));
  stamp.Feed("", {At(10, 1)});
  SYNCLINE_ASSERT_OK(stamp.Run());
  EXPECT_THAT(stamp.Output(""), ElementsAre(PacketIs<absl::Time>(10, start)));

  CalculatorHarness latency(R"pb(
    calculator: "ClockLatencyCalculator"
    input_stream: "a"
    input_stream: "b"
    input_stream: "REFERENCE:r"
    output_stream: "c"
    output_stream: "d"
  )pb");
  latency.Feed(":0", {At(10, start + absl::Seconds(2)), At(20, start)});
  latency.Feed("REFERENCE", {At(10, start)});
  SYNCLINE_ASSERT_OK(latency.Run());
  EXPECT_THAT(latency.Output(":0"),
              ElementsAre(PacketIs<absl::Duration>(10, absl::Seconds(2))));
  EXPECT_TRUE(latency.Output(":1").empty());
}

TEST(PacketFrequencyTest, CountsInItsWindow) {
  CalculatorHarness harness(R"pb(
    calculator: "PacketFrequencyCalculator"
    input_stream: "in"
    output_stream: "out"
    options {
      [syncline.PacketFrequencyCalculatorOptions.ext] {
        time_window_sec: 1
        label: "name"
      }
    }
  )pb");
  harness.Feed("", {At(0, 1), At(500000, 1), At(750000, 1), At(1500000, 1),
                    At(9000000, 1)});
  SYNCLINE_ASSERT_OK(harness.Run());
  std::vector<double> frequencies;
  for (const Packet& packet : harness.Output("")) {
    EXPECT_EQ(packet.Get<PacketFrequency>().label(), "name");
    frequencies.push_back(packet.Get<PacketFrequency>().packet_frequency_hz());
  }
  // N / t: 2 in the first 0.5 s, 3 in the first 0.75 s. Then the window is
  // full: 3 in the second from 0.5 to 1.5, 1 in that from 8 to 9.
  EXPECT_THAT(frequencies, ElementsAre(0, 2 / 0.5, 3 / 0.75, 3, 1));
}

TEST(PacketFrequencyTest, RefusesAWindowThatIsNone) {
  for (const std::string window : {"0", "-1", "nan", "inf", "9e-7"}) {
    CalculatorHarness harness(absl::StrCat(
        R"pb(calculator: "PacketFrequencyCalculator"
             input_stream: "in"
             output_stream: "out"
             options {
               [syncline.PacketFrequencyCalculatorOptions.ext] {
                 time_window_sec:)pb",
        window, "} }"));
    EXPECT_THAT(harness.Run().message(), HasSubstr("time_window_sec is"));
  }
}

std::string Latency(const std::string& options) {
  return absl::StrCat(
      R"pb(calculator: "PacketLatencyCalculator"
           input_stream: "in"
           input_stream: "REFERENCE_SIGNAL:reference"
           input_side_packet: "CLOCK:clock"
           output_stream: "out"
           options {
             [syncline.PacketLatencyCalculatorOptions.ext] {)pb",
      options, "} }");
}

TEST(PacketLatencyTest, MeasuresFromTheFirstReferenceOn) {
  // The clock stands still, so packets with later timestamps come too early.
  CalculatorHarness harness(
      Latency("num_intervals: 3 interval_size_usec: 10 packet_labels: 'name'"));
  harness.SetSidePacket("CLOCK", MakePacket<std::shared_ptr<Clock>>(
                                     std::make_shared<SimulatedClock>()));
  harness.Feed("REFERENCE_SIGNAL", {At(100, 'x')});
  harness.Feed("", {At(50, 1), At(185, 1), At(200, 1)});
  SYNCLINE_ASSERT_OK(harness.Run());
  // The packet before the reference is not measured.
  ASSERT_EQ(harness.Output("").size(), 2);
  const auto& last = harness.Output("")[1].Get<PacketLatency>();
  EXPECT_EQ(last.current_latency_usec(), -100);
  EXPECT_EQ(last.avg_latency_usec(), -92);
  EXPECT_THAT(last.counts(), ElementsAre(2, 0, 0));
  EXPECT_EQ(last.label(), "name");
}

TEST(PacketLatencyTest, RefusesAHistogramThatIsNone) {
  for (const std::string options :
       {"num_intervals: 0", "num_intervals: 1000000000",
        "interval_size_usec: 0"}) {
    CalculatorHarness harness{Latency(options)};
    EXPECT_THAT(harness.Run().message(), HasSubstr("A histogram has"));
  }
}

// --- Files

TEST(LocalFileTest, ContentsAreSidePacketsOrAStream) {
  const std::string folder = ::testing::TempDir() + "/local_file_test";
  SYNCLINE_ASSERT_OK(file::RecursivelyCreateDir(folder));
  SYNCLINE_ASSERT_OK(file::SetContents(folder + "/b.txt", "second"));
  SYNCLINE_ASSERT_OK(file::SetContents(folder + "/a.txt", "first"));
  SYNCLINE_ASSERT_OK(file::SetContents(folder + "/c.bin", "other"));
  SYNCLINE_ASSERT_OK(file::RecursivelyCreateDir(folder + "/folder.txt"));
  // Reading the pipe would never end.
  ASSERT_EQ(mkfifo((folder + "/pipe.txt").c_str(), 0600), 0);

  CalculatorHarness contents(R"pb(
    calculator: "LocalFileContentsCalculator"
    input_side_packet: "FILE_PATH:path"
    output_side_packet: "CONTENTS:contents"
  )pb");
  contents.SetSidePacket("FILE_PATH",
                         MakePacket<std::string>(folder + "/a.txt"));
  SYNCLINE_ASSERT_OK(contents.Run());
  EXPECT_EQ(contents.OutputSidePacket("CONTENTS").Get<std::string>(), "first");
  contents.SetSidePacket("FILE_PATH",
                         MakePacket<std::string>(folder + "/none"));
  EXPECT_THAT(contents.Run().message(), HasSubstr("local_file_test/none"));

  CalculatorHarness pattern(R"pb(
    calculator: "LocalFilePatternContentsCalculator"
    input_side_packet: "FILE_DIRECTORY:folder"
    input_side_packet: "FILE_SUFFIX:suffix"
    output_stream: "CONTENTS:contents"
  )pb");
  pattern.SetSidePacket("FILE_DIRECTORY", MakePacket<std::string>(folder));
  pattern.SetSidePacket("FILE_SUFFIX", MakePacket<std::string>(".txt"));
  SYNCLINE_ASSERT_OK(pattern.Run());
  EXPECT_THAT(pattern.Output("CONTENTS"),
              StreamIs<std::string>({{1, "first"}, {2, "second"}}));
}

// --- ResourceProviderCalculator

TEST(ResourceProviderTest, GivesResourcesOfSidePacketsAndOptions) {
  const std::string path = testing::TempDir() + "/resource.bin";
  SYNCLINE_ASSERT_OK(file::SetContents(path, "bytes"));
  CalculatorHarness packets(
      "calculator: 'ResourceProviderCalculator' "
      "input_side_packet: 'RESOURCE_ID:id' "
      "output_side_packet: 'RESOURCE:resource'");
  packets.SetSidePacket("RESOURCE_ID", MakePacket<std::string>(path));
  CalculatorHarness options(absl::StrCat(
      "calculator: 'ResourceProviderCalculator' "
      "output_side_packet: 'RESOURCE:resource' "
      "node_options { [type.googleapis.com/"
      "syncline.ResourceProviderCalculatorOptions] { resource_id: '",
      path, "' read_mode: READ_MODE_TEXT } }"));
  for (CalculatorHarness* harness : {&packets, &options}) {
    SYNCLINE_ASSERT_OK(harness->Run());
    EXPECT_EQ(
        harness->OutputSidePacket("RESOURCE").Get<Resource>().ToStringView(),
        "bytes");
  }
}

TEST(ResourceProviderTest, EachResourceHasAnIdAndCanBeRead) {
  CalculatorHarness both(
      "calculator: 'ResourceProviderCalculator' "
      "input_side_packet: 'RESOURCE_ID:id' "
      "output_side_packet: 'RESOURCE:resource' "
      "node_options { [type.googleapis.com/"
      "syncline.ResourceProviderCalculatorOptions] { resource_id: 'x' } }");
  EXPECT_THAT(std::string(both.Run().message()), HasSubstr("not by both"));
  EXPECT_THAT(
      std::string(CalculatorHarness("calculator: 'ResourceProviderCalculator' "
                                    "output_side_packet: 'RESOURCE:resource'")
                      .Run()
                      .message()),
      HasSubstr("each RESOURCE needs an id"));
  CalculatorHarness missing(
      "calculator: 'ResourceProviderCalculator' "
      "output_side_packet: 'RESOURCE:resource' "
      "node_options { [type.googleapis.com/"
      "syncline.ResourceProviderCalculatorOptions] { resource_id: "
      "'/nowhere/x' } }");
  EXPECT_THAT(std::string(missing.Run().message()), HasSubstr("/nowhere/x"));
}

}  // namespace
}  // namespace syncline
