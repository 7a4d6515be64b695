// Spectrograms are right: a tone is in its bin, with its magnitude, and the
// energy stays the same. Their pictures, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "calculators/audio/audio_test_support.h"
#include "calculators/audio/real_fft.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
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

constexpr double kRate = 8000;

// Frames of 256 samples, a new one every 128 samples.
constexpr char kFrames[] =
    "frame_duration_seconds: 0.032 frame_overlap_seconds: 0.016 ";

std::string Spectrogram(const std::string& options) {
  return absl::StrCat(
      R"pb(calculator: "SpectrogramCalculator"
           input_stream: "in"
           output_stream: "out")pb",
      " options { [syncline.SpectrogramCalculatorOptions.ext] {", kFrames,
      options, "} }");
}

// The spectrogram of `samples`, which came in one packet.
Matrix SpectrogramOf(const Matrix& samples, const std::string& options) {
  CalculatorHarness harness(Spectrogram("pad_final_packet: false " + options));
  harness.SetHeader("", AudioHeader(kRate, 1));
  harness.Feed("", {MakePacket<Matrix>(samples).At(Timestamp(0))});
  SYNCLINE_EXPECT_OK(harness.Run());
  return harness.Output("").empty() ? Matrix()
                                    : harness.Output("")[0].Get<Matrix>();
}

Matrix Noise(int samples) {
  std::mt19937 random(1);
  Matrix result(1, samples);
  for (int i = 0; i < samples; ++i) {
    result(0, i) = static_cast<float>(random() % 2001) / 1000 - 1;
  }
  return result;
}

TEST(RealFftTest, IsTheSumThatItStandsFor) {
  const Eigen::VectorXf values = Noise(64).transpose();
  RealFft fft(64);
  const Eigen::VectorXcf result = fft.Transform(values);
  ASSERT_EQ(result.size(), 33);
  for (int bin = 0; bin < 33; ++bin) {
    std::complex<double> sum = 0;
    for (int n = 0; n < 64; ++n) {
      sum += static_cast<double>(values[n]) *
             std::polar(1.0, -2 * M_PI * bin * n / 64);
    }
    EXPECT_LT(std::abs(std::complex<double>(result[bin]) - sum), 1e-4) << bin;
  }
  EXPECT_EQ(RealFft(2).Transform(Eigen::Vector2f(3, 1)),
            Eigen::Vector2cf(4, 2));
}

TEST(SpectrogramTest, AToneIsInItsBinWithItsMagnitude) {
  // With 256 samples at 8000 Hz, bin 32 is 1000 Hz. These are the sums of the
  // windows:
  for (const auto& [window, sum] : {std::pair<std::string, double>{"HANN", 128},
                                    {"HAMMING", 0.54 * 256},
                                    {"COSINE", 256 * 2 / M_PI},
                                    {"SQRT_HANN", 256 * 2 / M_PI}}) {
    const Matrix magnitudes = SpectrogramOf(
        Tone(1000, kRate, 1000, 0.5),
        absl::StrCat("output_type: LINEAR_MAGNITUDE window_type: ", window));
    ASSERT_EQ(magnitudes.rows(), 129);
    ASSERT_EQ(magnitudes.cols(), 6);
    for (int frame = 0; frame < 6; ++frame) {
      Eigen::Index peak = 0;
      magnitudes.col(frame).maxCoeff(&peak);
      EXPECT_EQ(peak, 32) << window;
      EXPECT_NEAR(magnitudes(32, frame), 0.5 / 2 * sum, 0.01) << window;
      EXPECT_LT(magnitudes(64, frame), 0.05) << window;
    }
  }
}

TEST(SpectrogramTest, TypesOfOutputSayTheSame) {
  const Matrix samples = Noise(1000);
  const Matrix power = SpectrogramOf(samples, "");
  const Matrix linear = SpectrogramOf(samples, "output_type: LINEAR_MAGNITUDE");
  const Matrix decibels = SpectrogramOf(samples, "output_type: DECIBELS");
  const Matrix half =
      SpectrogramOf(samples, "output_type: DECIBELS output_scale: 0.5");
  EXPECT_LT((linear.array().square() / power.array() - 1).abs().maxCoeff(),
            1e-4);
  EXPECT_LT((20 * linear.array().log10() - decibels.array()).abs().maxCoeff(),
            1e-3);
  EXPECT_LT((2 * half - decibels).cwiseAbs().maxCoeff(), 1e-3);

  CalculatorHarness harness(
      Spectrogram("pad_final_packet: false output_type: COMPLEX"));
  harness.SetHeader("", AudioHeader(kRate, 1));
  harness.Feed("", {MakePacket<Matrix>(samples).At(Timestamp(0))});
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& complex = harness.Output("")[0].Get<Eigen::MatrixXcf>();
  EXPECT_LT((complex.cwiseAbs() - linear).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(SpectrogramTest, ComplexBinsHaveAPositiveExponent) {
  // Four samples; the window of HANN for N = 4 is 0, 0.5, 1, 0.5. So x is 0, 1,
  // 0, 0 after the window, and bin k is exp(2 pi i k / 4): 1, i, -1.
  CalculatorHarness harness(R"pb(
    calculator: "SpectrogramCalculator"
    input_stream: "in"
    output_stream: "out"
    options {
      [syncline.SpectrogramCalculatorOptions.ext] {
        frame_duration_seconds: 4
        output_type: COMPLEX
        output_scale: 2
      }
    }
  )pb");
  harness.SetHeader("", AudioHeader(1, 1));
  Matrix samples(1, 4);
  samples << 9, 2, 0, 0;
  harness.Feed("", {MakePacket<Matrix>(samples).At(Timestamp(0))});
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_EQ(harness.Output("").size(), 1u);
  const auto& bins = harness.Output("")[0].Get<Eigen::MatrixXcf>();
  ASSERT_EQ(bins.rows(), 3);
  ASSERT_EQ(bins.cols(), 1);
  const Eigen::Vector3cf expected(2, std::complex<float>(0, 2), -2);
  EXPECT_LT((bins - expected).cwiseAbs().maxCoeff(), 1e-6) << bins;
}

TEST(SpectrogramTest, SilenceHasAFiniteNumberOfDecibels) {
  const Matrix silence =
      SpectrogramOf(Matrix::Zero(1, 256), "output_type: DECIBELS");
  EXPECT_FLOAT_EQ(silence.maxCoeff(), -300);
  EXPECT_FLOAT_EQ(silence.minCoeff(), -300);
}

TEST(SpectrogramTest, EnergyIsNeitherLostNorFound) {
  // Parseval's theorem, for the frame multiplied with its window.
  const Matrix samples = Noise(256);
  const Matrix power = SpectrogramOf(samples, "");
  // All bins between the ends count twice, for negative frequencies too.
  const double sum = 2 * power.sum() - power(0, 0) - power(128, 0);
  double energy = 0;
  for (int n = 0; n < 256; ++n) {
    const double weight = 0.5 - 0.5 * std::cos(2 * M_PI * n / 256);
    energy += std::pow(weight * samples(0, n), 2);
  }
  EXPECT_NEAR(sum / 256 / energy, 1, 1e-4);
}

TEST(SpectrogramTest, TheTransformHasAPowerOfTwo) {
  CalculatorHarness harness(R"pb(
    calculator: "SpectrogramCalculator"
    input_stream: "in"
    output_stream: "out"
    options {
      [syncline.SpectrogramCalculatorOptions.ext] {
        frame_duration_seconds: 0.025
        frame_overlap_seconds: 0.015
      }
    }
  )pb");
  harness.SetHeader("", AudioHeader(16000, 1));
  harness.Feed("",
               {MakePacket<Matrix>(Tone(4000, 16000, 400)).At(Timestamp(0))});
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& header = harness.OutputHeader("").Get<TimeSeriesHeader>();
  EXPECT_EQ(header.num_channels(), 257);
  EXPECT_EQ(header.sample_rate(), 100);
  EXPECT_EQ(header.audio_sample_rate(), 16000);
  Eigen::Index peak = 0;
  harness.Output("")[0].Get<Matrix>().col(0).maxCoeff(&peak);
  EXPECT_EQ(peak, 128);
}

TEST(SpectrogramTest, PacketsHaveTheFramesThatTheirSamplesComplete) {
  const Matrix samples = Noise(1000);
  const Matrix whole = SpectrogramOf(samples, "");
  CalculatorHarness harness(Spectrogram("pad_final_packet: false"));
  harness.SetHeader("", AudioHeader(kRate, 1));
  harness.Feed("", InPackets(samples, 300, kRate, 1000));
  SYNCLINE_ASSERT_OK(harness.Run());
  std::vector<std::int64_t> times;
  Eigen::Index frame = 0;
  for (const Packet& packet : harness.Output("")) {
    times.push_back(packet.Timestamp().Value());
    const auto& matrix = packet.Get<Matrix>();
    EXPECT_EQ(matrix, whole.middleCols(frame, matrix.cols()));
    frame += matrix.cols();
  }
  EXPECT_EQ(frame, whole.cols());
  // Packets with frame 0, with frames 1 and 2, and with frames 3 to 5. A frame
  // begins every 128 samples, and a sample takes 125 microseconds.
  EXPECT_THAT(times, ElementsAre(1000, 17000, 49000));
}

TEST(SpectrogramTest, EverySampleIsInAFrameUnlessPaddingIsOff) {
  const auto frames = [](int samples, const std::string& options) {
    CalculatorHarness harness(Spectrogram(options));
    harness.SetHeader("", AudioHeader(kRate, 1));
    harness.Feed("", {MakePacket<Matrix>(Noise(samples)).At(Timestamp(0))});
    SYNCLINE_EXPECT_OK(harness.Run());
    Eigen::Index count = 0;
    for (const Packet& packet : harness.Output("")) {
      count += packet.Get<Matrix>().cols();
    }
    return count;
  };
  EXPECT_EQ(frames(100, ""), 1);
  EXPECT_EQ(frames(256, ""), 1);
  EXPECT_EQ(frames(257, ""), 2);
  EXPECT_EQ(frames(384, ""), 2);
  EXPECT_EQ(frames(385, ""), 3);
  EXPECT_EQ(frames(385, "pad_final_packet: false"), 2);
  EXPECT_EQ(frames(100, "pad_final_packet: false"), 0);
}

TEST(SpectrogramTest, EachChannelHasASpectrogramOfItsOwn) {
  Matrix samples(2, 256);
  samples << Tone(1000, kRate, 256), Tone(2000, kRate, 256);
  CalculatorHarness harness(Spectrogram("allow_multichannel_input: true"));
  harness.SetHeader("", AudioHeader(kRate, 2));
  harness.Feed("", {MakePacket<Matrix>(samples).At(Timestamp(0))});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(
      harness.OutputHeader("").Get<MultiStreamTimeSeriesHeader>().num_streams(),
      2);
  const auto& channels = harness.Output("")[0].Get<std::vector<Matrix>>();
  ASSERT_THAT(channels, SizeIs(2));
  Eigen::Index peak = 0;
  channels[0].col(0).maxCoeff(&peak);
  EXPECT_EQ(peak, 32);
  channels[1].col(0).maxCoeff(&peak);
  EXPECT_EQ(peak, 64);
}

TEST(SpectrogramTest, RefusesWhatCannotBe) {
  const auto run = [](const std::string& options, int channels) {
    CalculatorHarness harness(absl::StrCat(
        R"pb(calculator: "SpectrogramCalculator"
             input_stream: "in"
             output_stream: "out")pb",
        " options { [syncline.SpectrogramCalculatorOptions.ext] {", options,
        "} }"));
    harness.SetHeader("", AudioHeader(kRate, channels));
    return harness.Run();
  };
  for (const char* options :
       {"", "frame_duration_seconds: -1",
        "frame_duration_seconds: 1 frame_overlap_seconds: 1",
        "frame_duration_seconds: 1 frame_overlap_seconds: -0.5",
        "frame_duration_seconds: 1e12",
        "frame_duration_seconds: 1 output_scale: nan"}) {
    EXPECT_THAT(run(options, 1), StatusIs(absl::StatusCode::kInvalidArgument))
        << options;
  }
  EXPECT_THAT(run("frame_duration_seconds: 1", 2),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("allow_multichannel_input")));
}

// --- SpectrogramImageCalculator

std::string Picture(const std::string& options) {
  return absl::StrCat(
      R"pb(calculator: "SpectrogramImageCalculator"
           input_stream: "in"
           output_stream: "out")pb",
      " options { [syncline.SpectrogramImageCalculatorOptions.ext] {", options,
      "} }");
}

// Frames of two bins, with the values i and 0. Each is a packet, at 0, 10, 20,
// ...
std::vector<Packet> Rising(int frames) {
  std::vector<Packet> packets;
  for (int i = 0; i < frames; ++i) {
    Matrix frame(2, 1);
    frame << static_cast<float>(i), 0;
    packets.push_back(MakePacket<Matrix>(frame).At(Timestamp(10 * i)));
  }
  return packets;
}

std::vector<int> Row(const ImageFrame& frame, int row) {
  const std::uint8_t* begin = frame.PixelData() + row * frame.WidthStep();
  return {begin, begin + frame.Width() * frame.NumberOfChannels()};
}

TEST(SpectrogramImageTest, TheWholeIsOnePictureAtTheEnd) {
  CalculatorHarness harness(Picture("colors: GRAY lowest: 0 highest: 255"));
  harness.Feed("", Rising(4));
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_THAT(harness.Output(""), SizeIs(1));
  EXPECT_EQ(harness.Output("")[0].Timestamp(), Timestamp(30));
  const auto& picture = harness.Output("")[0].Get<ImageFrame>();
  EXPECT_EQ(picture.Format(), ImageFormat::GRAY8);
  ASSERT_EQ(picture.Width(), 4);
  ASSERT_EQ(picture.Height(), 2);
  // Low frequencies are at the bottom.
  EXPECT_THAT(Row(picture, 0), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(Row(picture, 1), ElementsAre(0, 1, 2, 3));
}

TEST(SpectrogramImageTest, ALongStreamFitsByJoiningNeighbours) {
  const auto bottom = [](int frames) {
    CalculatorHarness harness(
        Picture("colors: GRAY lowest: 0 highest: 255 width: 4"));
    harness.Feed("", Rising(frames));
    SYNCLINE_EXPECT_OK(harness.Run());
    return Row(harness.Output("")[0].Get<ImageFrame>(), 1);
  };
  EXPECT_THAT(bottom(4), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(bottom(5), ElementsAre(1, 3, 4));
  EXPECT_THAT(bottom(8), ElementsAre(1, 3, 5, 7));
  EXPECT_THAT(bottom(9), ElementsAre(3, 7, 8));
  EXPECT_THAT(bottom(100), ElementsAre(31, 63, 95, 99));
}

TEST(SpectrogramImageTest, AWidthThatIsOddJoinsPairsToo) {
  CalculatorHarness harness(
      Picture("colors: GRAY lowest: 0 highest: 255 width: 3"));
  harness.Feed("", Rising(7));
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(Row(harness.Output("")[0].Get<ImageFrame>(), 1),
              ElementsAre(3, 6));
}

TEST(SpectrogramImageTest, ScrollingShowsTheLastFrames) {
  CalculatorHarness harness(
      Picture("mode: SCROLLING colors: GRAY lowest: 0 highest: 255 width: 3"));
  harness.Feed("", Rising(5));
  SYNCLINE_ASSERT_OK(harness.Run());
  const std::vector<Packet>& pictures = harness.Output("");
  ASSERT_THAT(pictures, SizeIs(5));
  EXPECT_EQ(pictures[4].Timestamp(), Timestamp(40));
  EXPECT_THAT(Row(pictures[1].Get<ImageFrame>(), 1), ElementsAre(0, 0, 1));
  EXPECT_THAT(Row(pictures[4].Get<ImageFrame>(), 1), ElementsAre(2, 3, 4));
}

TEST(SpectrogramImageTest, ColorsGetLighter) {
  CalculatorHarness harness(Picture("lowest: 0 highest: 99"));
  harness.Feed("", Rising(100));
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& picture = harness.Output("")[0].Get<ImageFrame>();
  EXPECT_EQ(picture.Format(), ImageFormat::SRGB);
  const std::vector<int> row = Row(picture, 1);
  double last = -1;
  for (int i = 0; i < 100; ++i) {
    const double light =
        0.21 * row[3 * i] + 0.72 * row[3 * i + 1] + 0.07 * row[3 * i + 2];
    EXPECT_GE(light, last) << i;
    last = light;
  }
  EXPECT_GT(last, 240);
}

TEST(SpectrogramImageTest, RowsTakeTheHighestOfTheirBins) {
  CalculatorHarness harness(
      Picture("colors: GRAY lowest: 0 highest: 255 height: 2"));
  Matrix frame(5, 1);
  frame << 1, 9, 3, 4, 2;
  harness.Feed("", {MakePacket<Matrix>(frame).At(Timestamp(0))});
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& picture = harness.Output("")[0].Get<ImageFrame>();
  EXPECT_THAT(Row(picture, 0), ElementsAre(4));
  EXPECT_THAT(Row(picture, 1), ElementsAre(9));
}

TEST(SpectrogramImageTest, WhatIsNoNumberIsDark) {
  CalculatorHarness harness(Picture("colors: GRAY"));
  Matrix frame(4, 1);
  frame << std::nanf(""), -INFINITY, 10, INFINITY;
  harness.Feed("", {MakePacket<Matrix>(frame).At(Timestamp(0))});
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& picture = harness.Output("")[0].Get<ImageFrame>();
  EXPECT_THAT(Row(picture, 0), ElementsAre(255));
  EXPECT_THAT(Row(picture, 1), ElementsAre(255));
  EXPECT_THAT(Row(picture, 2), ElementsAre(0));
  EXPECT_THAT(Row(picture, 3), ElementsAre(0));
}

TEST(SpectrogramImageTest, NoFramesGiveNoPicture) {
  CalculatorHarness harness(Picture(""));
  harness.Feed("", {});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output(""), IsEmpty());
}

TEST(SpectrogramImageTest, RefusesWhatCannotBe) {
  for (const char* options :
       {"width: 0", "width: 10000", "height: -1", "height: 10000",
        "lowest: 1 highest: 1", "lowest: nan highest: 1"}) {
    CalculatorHarness harness(Picture(options));
    EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument))
        << options;
  }
  CalculatorHarness harness(Picture(""));
  harness.Feed("", {MakePacket<Matrix>(Matrix::Zero(3, 1)).At(Timestamp(0)),
                    MakePacket<Matrix>(Matrix::Zero(4, 1)).At(Timestamp(1))});
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("at 1 has 4 bins")));
}

}  // namespace
}  // namespace syncline
