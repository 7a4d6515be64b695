// Frames of a stream of samples: which samples, at which times, through which
// window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "calculators/audio/audio_test_support.h"
#include "calculators/audio/framing.h"
#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Framer(const std::string& options) {
  return absl::StrCat(R"pb(calculator: "TimeSeriesFramerCalculator"
                           input_stream: "in"
                           output_stream: "out")pb",
                      " options { [syncline.TimeSeriesFramerCalculatorOptions"
                      ".ext] {",
                      options, "} }");
}

// 1, 2, 3, ...
Matrix Counting(int samples) {
  return Eigen::RowVectorXf::LinSpaced(samples, 1, static_cast<float>(samples));
}

// The frames of `samples` at 1000 Hz, which came in packets of `size` samples.
std::vector<Packet> FramesOf(const Matrix& samples, std::int64_t size,
                             const std::string& options) {
  CalculatorHarness harness(Framer(options));
  harness.SetHeader("", AudioHeader(1000, static_cast<int>(samples.rows())));
  harness.Feed("", InPackets(samples, size, 1000, 5000));
  SYNCLINE_EXPECT_OK(harness.Run());
  return harness.Output("");
}

constexpr char kFourTwo[] =
    "frame_duration_seconds: 0.004 frame_overlap_seconds: 0.002 ";

TEST(TimeSeriesFramerTest, FramesOverlapHoweverPacketsAreCut) {
  for (int size = 1; size <= 9; ++size) {
    const std::vector<Packet> frames = FramesOf(
        Counting(9), size, absl::StrCat(kFourTwo, "pad_final_packet: false"));
    ASSERT_THAT(frames, SizeIs(3));
    for (int i = 0; i < 3; ++i) {
      const auto first = static_cast<float>(2 * i + 1);
      EXPECT_THAT(ValuesOf(frames[i]),
                  ElementsAre(first, first + 1, first + 2, first + 3));
      EXPECT_EQ(frames[i].Timestamp(), Timestamp(5000 + 2000 * i));
    }
  }
}

TEST(TimeSeriesFramerTest, WhatIsLeftAtTheEndIsFilledWithZeros) {
  const std::vector<Packet> frames = FramesOf(Counting(5), 5, kFourTwo);
  ASSERT_THAT(frames, SizeIs(2));
  EXPECT_THAT(ValuesOf(frames[1]), ElementsAre(3, 4, 5, 0));
  EXPECT_EQ(frames[1].Timestamp(), Timestamp(7000));
  EXPECT_THAT(FramesOf(Counting(2), 2, kFourTwo), SizeIs(1));
  EXPECT_THAT(FramesOf(Matrix(1, 0), 1, kFourTwo), IsEmpty());
}

TEST(TimeSeriesFramerTest, ANegativeOverlapIsAGap) {
  const std::string options =
      "frame_duration_seconds: 0.002 frame_overlap_seconds: -0.003 ";
  for (const int size : {1, 2, 3, 12}) {
    const std::vector<Packet> frames = FramesOf(Counting(12), size, options);
    ASSERT_THAT(frames, SizeIs(3));
    EXPECT_THAT(ValuesOf(frames[0]), ElementsAre(1, 2));
    EXPECT_THAT(ValuesOf(frames[1]), ElementsAre(6, 7));
    EXPECT_THAT(ValuesOf(frames[2]), ElementsAre(11, 12));
    EXPECT_EQ(frames[2].Timestamp(), Timestamp(15000));
  }
}

TEST(TimeSeriesFramerTest, ChannelsStayTogether) {
  Matrix samples(2, 6);
  samples << Counting(6), -Counting(6);
  const std::vector<Packet> frames = FramesOf(samples, 4, kFourTwo);
  ASSERT_THAT(frames, SizeIs(3));
  EXPECT_EQ(frames[1].Get<Matrix>(), samples.rightCols(4));
}

TEST(TimeSeriesFramerTest, TheHeaderSaysWhatFramesAre) {
  CalculatorHarness harness(Framer(kFourTwo));
  harness.SetHeader("", AudioHeader(1000, 3));
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& header = harness.OutputHeader("").Get<TimeSeriesHeader>();
  EXPECT_EQ(header.sample_rate(), 1000);
  EXPECT_EQ(header.num_channels(), 3);
  EXPECT_EQ(header.num_samples(), 4);
  EXPECT_EQ(header.packet_rate(), 500);
}

TEST(TimeSeriesFramerTest, AFractionalStepKeepsTheRate) {
  // 2.5 samples from one frame to the next.
  const std::string options =
      "frame_duration_seconds: 0.004 frame_overlap_seconds: 0.0015 "
      "pad_final_packet: false ";
  const auto firsts = [&](const std::string& more) {
    std::vector<float> result;
    for (const Packet& frame : FramesOf(Counting(20), 7, options + more)) {
      result.push_back(frame.Get<Matrix>()(0, 0));
    }
    return result;
  };
  EXPECT_THAT(firsts("emulate_fractional_frame_overlap: true"),
              ElementsAre(1, 4, 6, 9, 11, 14, 16));
  EXPECT_THAT(firsts(""), ElementsAre(1, 3, 5, 7, 9, 11, 13, 15, 17));
}

TEST(TimeSeriesFramerTest, TimesDoNotDriftOverHours) {
  // A step of 1105.5 samples. The input is three hours, in packets of a minute.
  constexpr std::int64_t kRate = 11025;
  auto framing = Framing::Create({.duration_seconds = 2211.0 / kRate,
                                  .overlap_seconds = 1105.5 / kRate,
                                  .fractional_step = true},
                                 AudioHeader(kRate, 1).Get<TimeSeriesHeader>());
  SYNCLINE_ASSERT_OK(framing.status());
  const Matrix minute = Matrix::Zero(1, 60 * kRate);
  std::int64_t frames = 0;
  for (std::int64_t i = 0; i < 3 * 60; ++i) {
    SYNCLINE_ASSERT_OK(
        framing->Add(minute, Timestamp(7) + TimestampDiff(i * 60000000)));
    while (const auto frame = framing->Next()) {
      const std::int64_t begin = (frames * 2211 + 1) / 2;
      // begin * 10^6 / 11025, in integers, rounded.
      const std::int64_t time = (begin * 40000 * 2 + 441) / (441 * 2);
      ASSERT_EQ(frame->time, Timestamp(7 + time)) << frames;
      ++frames;
    }
  }
  EXPECT_EQ(frames, (3 * 3600 * kRate - 2211) * 2 / 2211 + 1);
}

TEST(TimeSeriesFramerTest, LocalTimesAreThoseOfTheLastSamples) {
  CalculatorHarness harness(
      Framer(absl::StrCat(kFourTwo, "use_local_timestamp: true")));
  harness.SetHeader("", AudioHeader(1000, 1));
  harness.Feed("", {MakePacket<Matrix>(Counting(3)).At(Timestamp(0)),
                    MakePacket<Matrix>(Counting(3)).At(Timestamp(100000)),
                    MakePacket<Matrix>(Counting(1)).At(Timestamp(200000))});
  SYNCLINE_ASSERT_OK(harness.Run());
  const std::vector<Packet>& frames = harness.Output("");
  ASSERT_THAT(frames, SizeIs(3));
  EXPECT_EQ(frames[0].Timestamp(), Timestamp(100000));
  EXPECT_EQ(frames[1].Timestamp(), Timestamp(102000));
  // The time that the last sample would have had: one millisecond after the
  // packet's.
  EXPECT_EQ(frames[2].Timestamp(), Timestamp(201000));
}

TEST(TimeSeriesFramerTest, LocalTimesNeverGoBack) {
  CalculatorHarness harness(
      Framer("frame_duration_seconds: 0.002 use_local_timestamp: true"));
  harness.SetHeader("", AudioHeader(1000, 1));
  // The samples of the first packet take longer than the time until the second.
  harness.Feed("", {MakePacket<Matrix>(Counting(100)).At(Timestamp(0)),
                    MakePacket<Matrix>(Counting(2)).At(Timestamp(10))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), SizeIs(51));
}

TEST(TimeSeriesFramerTest,
     TheBoundIsThatOfTheInputAndThenTheTimeOfTheNextFrame) {
  CalculatorHarness harness(Framer(kFourTwo));
  harness.SetHeader("", AudioHeader(1000, 1));
  // The bound of the first packet says that no packet comes before the second.
  harness.Feed("", {Packet().At(Timestamp(500)),
                    MakePacket<Matrix>(Counting(5)).At(Timestamp(5000))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.OutputBounds(""),
              testing::IsSupersetOf({Timestamp(5000), Timestamp(7000)}));
}

TEST(TimeSeriesFramerTest, WindowsOfFramesThatOverlapByHalfAddUpToOne) {
  const Matrix ones = Matrix::Ones(1, 64);
  for (const auto& [window, sum] :
       {std::pair<std::string, float>{"HANN", 1.0f}, {"HAMMING", 1.08f}}) {
    const std::vector<Packet> frames = FramesOf(
        ones, 64,
        absl::StrCat("frame_duration_seconds: 0.016 frame_overlap_seconds: "
                     "0.008 pad_final_packet: false window_function: ",
                     window));
    ASSERT_THAT(frames, SizeIs(7));
    const Matrix added = frames[0].Get<Matrix>().rightCols(8) +
                         frames[1].Get<Matrix>().leftCols(8);
    EXPECT_LT((added.array() - sum).abs().maxCoeff(), 1e-6) << window;
  }
  EXPECT_FLOAT_EQ(WindowWeights(Window::kHann, 8)[0], 0);
  EXPECT_FLOAT_EQ(WindowWeights(Window::kHann, 8)[4], 1);
  EXPECT_FLOAT_EQ(WindowWeights(Window::kHamming, 8)[0], 0.08);
  EXPECT_LT((WindowWeights(Window::kCosine, 64).array().square() -
             WindowWeights(Window::kHann, 64).array())
                .abs()
                .maxCoeff(),
            1e-6);
}

TEST(TimeSeriesFramerTest, RefusesWhatCannotBe) {
  const auto run = [](const std::string& options, const Packet& header) {
    CalculatorHarness harness(Framer(options));
    harness.SetHeader("", header);
    return harness.Run();
  };
  const Packet good = AudioHeader(1000, 1);
  for (const char* options :
       {"", "frame_duration_seconds: 0", "frame_duration_seconds: -1",
        "frame_duration_seconds: nan", "frame_duration_seconds: 1e300",
        "frame_duration_seconds: 1 frame_overlap_seconds: 1",
        "frame_duration_seconds: 1 frame_overlap_seconds: 2",
        "frame_duration_seconds: 1 frame_overlap_seconds: nan",
        "frame_duration_seconds: 1 frame_overlap_seconds: -1e300",
        "frame_duration_seconds: 1 frame_overlap_seconds: 0.9995 "
        "emulate_fractional_frame_overlap: true"}) {
    EXPECT_THAT(run(options, good), StatusIs(absl::StatusCode::kInvalidArgument,
                                             HasSubstr("frame_")))
        << options;
  }
  EXPECT_THAT(run(kFourTwo, Packet()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("There is no header")));
  EXPECT_THAT(run(kFourTwo, AudioHeader(0, 1)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("0 Hz")));
  EXPECT_THAT(
      run(kFourTwo, AudioHeader(1000, 0)),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("0 channels")));
}

TEST(TimeSeriesFramerTest, RefusesPacketsThatDoNotGoWithTheHeader) {
  CalculatorHarness harness(Framer(kFourTwo));
  harness.SetHeader("", AudioHeader(1000, 1));
  harness.Feed("", {MakePacket<Matrix>(Matrix::Zero(2, 5)).At(Timestamp(7))});
  EXPECT_THAT(
      harness.Run(),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("at 7 has 2 channels, but the header says 1")));
}

}  // namespace
}  // namespace syncline
