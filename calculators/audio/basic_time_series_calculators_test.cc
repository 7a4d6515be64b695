// The calculators that make one matrix of each matrix: sums over channels and
// samples, logarithms, mel bands and their cosine transform.
#include "calculators/audio/basic_time_series_calculators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "calculators/audio/audio_test_support.h"
#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

Packet HeaderOf(const Matrix& matrix, double rate = 100) {
  TimeSeriesHeader header;
  header.set_sample_rate(rate);
  header.set_num_channels(static_cast<int>(matrix.rows()));
  header.set_num_samples(static_cast<int>(matrix.cols()));
  header.set_packet_rate(10);
  return MakePacket<TimeSeriesHeader>(header);
}

std::string Node(const std::string& calculator, const std::string& options) {
  return absl::StrCat("calculator: \"", calculator,
                      "\" input_stream: \"in\" output_stream: \"out\" "
                      "options {",
                      options, "}");
}

// The calculator's output for a packet, and for its header.
Matrix Result(const std::string& calculator, const Matrix& input,
              TimeSeriesHeader* header = nullptr,
              const std::string& options = "") {
  CalculatorHarness harness(Node(calculator, options));
  harness.SetHeader("", HeaderOf(input));
  harness.Feed("", {MakePacket<Matrix>(input).At(Timestamp(3))});
  const absl::Status status = harness.Run();
  SYNCLINE_EXPECT_OK(status) << calculator;
  if (!status.ok() || harness.Output("").size() != 1) return Matrix();
  EXPECT_EQ(harness.Output("")[0].Timestamp(), Timestamp(3));
  if (header != nullptr) {
    *header = harness.OutputHeader("").Get<TimeSeriesHeader>();
  }
  return harness.Output("")[0].Get<Matrix>();
}

Matrix Rows(const std::vector<std::vector<float>>& rows) {
  Matrix result(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          rows[i][j];
    }
  }
  return result;
}

MATCHER_P(IsNear, expected, "") {
  return arg.rows() == expected.rows() && arg.cols() == expected.cols() &&
         (arg - expected).cwiseAbs().maxCoeff() < 1e-5;
}

TEST(BasicTimeSeriesTest, EachDoesWhatItsNameSays) {
  const Matrix in = Rows({{1, 2, 6}, {3, 4, -2}});
  const auto expect = [&](const std::string& name,
                          const std::vector<std::vector<float>>& rows) {
    EXPECT_THAT(Result(name, in), IsNear(Rows(rows))) << name;
  };
  expect("SumTimeSeriesAcrossChannelsCalculator", {{4, 6, 4}});
  expect("AverageTimeSeriesAcrossChannelsCalculator", {{2, 3, 2}});
  expect("ReverseChannelOrderCalculator", {{3, 4, -2}, {1, 2, 6}});
  expect("FlattenPacketCalculator", {{1}, {3}, {2}, {4}, {6}, {-2}});
  expect("SubtractMeanCalculator",
         {{-2, -1, 3}, {4.0f / 3, 7.0f / 3, -11.0f / 3}});
  // The mean of all six values is 14 / 6 = 7 / 3.
  expect("SubtractMeanAcrossChannelsCalculator",
         {{-4.0f / 3, -1.0f / 3, 11.0f / 3}, {2.0f / 3, 5.0f / 3, -13.0f / 3}});
  expect("DivideByMeanAcrossChannelsCalculator",
         {{3.0f / 7, 6.0f / 7, 18.0f / 7}, {9.0f / 7, 12.0f / 7, -6.0f / 7}});
  expect("MeanCalculator", {{3}, {5.0f / 3}});
  expect("StandardDeviationCalculator",
         {{std::sqrt(14.0f / 3)}, {std::sqrt(62.0f / 9)}});
  expect("CovarianceCalculator",
         {{14.0f / 3, -16.0f / 3}, {-16.0f / 3, 62.0f / 9}});
  expect("L2NormCalculator",
         {{std::sqrt(10.0f), std::sqrt(20.0f), std::sqrt(40.0f)}});
  expect("L2NormalizeColumnCalculator",
         {{1 / std::sqrt(10.0f), 1 / std::sqrt(5.0f), 3 / std::sqrt(10.0f)},
          {3 / std::sqrt(10.0f), 2 / std::sqrt(5.0f), -1 / std::sqrt(10.0f)}});
  // The squares add up to 1 + 4 + 36 + 9 + 16 + 4 = 70.
  EXPECT_THAT(Result("L2NormalizeCalculator", in),
              IsNear(Matrix(in / std::sqrt(70.0f / 6))));
  EXPECT_THAT(Result("PeakNormalizeCalculator", in), IsNear(Matrix(in / 6)));
  expect("ElementwiseSquareCalculator", {{1, 4, 36}, {9, 16, 4}});
  expect("FirstHalfSlicerCalculator", {{1}, {3}});
}

TEST(BasicTimeSeriesTest, HeadersSayTheNewShape) {
  const Matrix in = Matrix::Ones(2, 6);
  TimeSeriesHeader header;
  Result("AverageTimeSeriesAcrossChannelsCalculator", in, &header);
  EXPECT_EQ(header.num_channels(), 1);
  EXPECT_EQ(header.num_samples(), 6);
  EXPECT_EQ(header.sample_rate(), 100);
  Result("MeanCalculator", in, &header);
  EXPECT_EQ(header.num_samples(), 1);
  EXPECT_EQ(header.sample_rate(), 10);
  Result("FlattenPacketCalculator", in, &header);
  EXPECT_EQ(header.num_channels(), 12);
  Result("CovarianceCalculator", in, &header);
  EXPECT_EQ(header.num_samples(), 2);
}

TEST(BasicTimeSeriesTest, NothingIsDividedByZero) {
  for (const char* name :
       {"L2NormalizeColumnCalculator", "L2NormalizeCalculator",
        "PeakNormalizeCalculator", "StandardDeviationCalculator"}) {
    EXPECT_EQ(Result(name, Matrix::Zero(2, 3)).cwiseAbs().sum(), 0) << name;
  }
  for (const char* name :
       {"SumTimeSeriesAcrossChannelsCalculator",
        "AverageTimeSeriesAcrossChannelsCalculator", "MeanCalculator",
        "SubtractMeanCalculator", "SubtractMeanAcrossChannelsCalculator",
        "DivideByMeanAcrossChannelsCalculator", "CovarianceCalculator",
        "L2NormCalculator", "L2NormalizeColumnCalculator",
        "L2NormalizeCalculator", "PeakNormalizeCalculator",
        "StandardDeviationCalculator"}) {
    EXPECT_EQ(Result(name, Matrix(2, 0)).cwiseAbs().sum(), 0) << name;
  }
}

TEST(BasicTimeSeriesTest, SilenceIsNotMadeLouder) {
  Matrix in(1, 2);
  in << 1e-9f, -2e-9f;
  EXPECT_EQ(Result("PeakNormalizeCalculator", in), in);
  EXPECT_EQ(Result("L2NormalizeCalculator", in), in);
  in << 1e-8f, -4e-8f;
  EXPECT_THAT(Result("PeakNormalizeCalculator", in),
              IsNear((Matrix(1, 2) << 0.25f, -1).finished()));
}

TEST(BasicTimeSeriesTest, WhatIsDividedByAMeanOfZeroIsAllOnes) {
  const char* const name = "DivideByMeanAcrossChannelsCalculator";
  EXPECT_EQ(Result(name, Matrix::Zero(2, 3)), Matrix::Ones(2, 3));
  // The channels have other means than 0.
  EXPECT_EQ(Result(name, Rows({{1, 3}, {-2, -2}})), Matrix::Ones(2, 2));
}

TEST(BasicTimeSeriesTest, WhatIsNearlySilentIsNotNormalized) {
  const char* const name = "L2NormalizeCalculator";
  // The root mean square of a and -a is a.
  const Matrix silent = Rows({{1e-8f, -1e-8f}});
  EXPECT_EQ(Result(name, silent * 0.99f), silent * 0.99f);
  EXPECT_THAT(Result(name, silent * 1.01f), IsNear(Rows({{1, -1}})));
  // Their squares are too small for a float.
  const Matrix tiny = Rows({{1e-30f, -1e-30f}});
  EXPECT_EQ(Result(name, tiny), tiny);
}

TEST(BasicTimeSeriesTest, PacketsHaveTheShapeOfTheHeader) {
  CalculatorHarness harness(Node("MeanCalculator", ""));
  harness.Feed("", {MakePacket<Matrix>(Matrix::Zero(3, 2)).At(Timestamp(0))});
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("There is no header")));
  harness.SetHeader("", AudioHeader(1000, 2));
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("Expected 2 rows")));
  CalculatorHarness flatten(Node("FlattenPacketCalculator", ""));
  flatten.SetHeader("", AudioHeader(1000, 2));
  EXPECT_THAT(flatten.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("num_samples")));
}

// A calculator of a user's own.
class NegateSeriesCalculator : public BasicTimeSeriesCalculatorBase {
 protected:
  Matrix ProcessMatrix(const Matrix& input) const override { return -input; }
};
REGISTER_CALCULATOR(NegateSeriesCalculator);

TEST(BasicTimeSeriesTest, TheBaseServesOthers) {
  EXPECT_EQ(Result("NegateSeriesCalculator", Matrix::Ones(2, 3)),
            -Matrix::Ones(2, 3));
}

// --- StabilizedLogCalculator

TEST(StabilizedLogTest, IsTheLogarithmOfMoreThanZero) {
  const Matrix result =
      Result("StabilizedLogCalculator", Rows({{0, 1, 9}}), nullptr,
             "[syncline.StabilizedLogCalculatorOptions.ext] { stabilizer: 1 "
             "output_scale: 2 }");
  EXPECT_THAT(result,
              IsNear(Rows({{0, 2 * std::log(2.0f), 2 * std::log(10.0f)}})));
}

TEST(StabilizedLogTest, RefusesWhatHasNoLogarithm) {
  CalculatorHarness harness(Node("StabilizedLogCalculator", ""));
  const Matrix negative = Rows({{1, -2}});
  harness.SetHeader("", HeaderOf(negative));
  harness.Feed("", {MakePacket<Matrix>(negative).At(Timestamp(5))});
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("at 5 has a value of -2")));
  EXPECT_TRUE(
      std::isnan(Result("StabilizedLogCalculator", negative, nullptr,
                        "[syncline.StabilizedLogCalculatorOptions.ext] { "
                        "check_nonnegativity: false }")(0, 1)));
  for (const char* const check : {"true", "false"}) {
    CalculatorHarness no_number(
        Node("StabilizedLogCalculator",
             absl::StrCat("[syncline.StabilizedLogCalculatorOptions.ext] { "
                          "check_nonnegativity: ",
                          check, " }")));
    const Matrix nan = Rows({{1, std::nanf("")}});
    no_number.SetHeader("", HeaderOf(nan));
    no_number.Feed("", {MakePacket<Matrix>(nan).At(Timestamp(5))});
    EXPECT_THAT(no_number.Run(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("at 5 has a value that is not a number")))
        << check;
  }
  CalculatorHarness options(
      Node("StabilizedLogCalculator",
           "[syncline.StabilizedLogCalculatorOptions.ext] { stabilizer: -1 }"));
  EXPECT_THAT(options.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("stabilizer is -1")));
}

// --- MelSpectrumCalculator and MfccCalculator

// The header of a spectrogram of 512 samples at 16000 Hz.
Packet SpectrogramHeader() {
  TimeSeriesHeader header;
  header.set_sample_rate(100);
  header.set_audio_sample_rate(16000);
  header.set_num_channels(257);
  return MakePacket<TimeSeriesHeader>(header);
}

absl::StatusOr<Matrix> Features(const std::string& calculator,
                                const Matrix& frames,
                                const std::string& options,
                                const Packet& header = SpectrogramHeader()) {
  CalculatorHarness harness(Node(
      calculator,
      absl::StrCat("[syncline.", calculator, "Options.ext] {", options, "}")));
  harness.SetHeader("", header);
  harness.Feed("", {MakePacket<Matrix>(frames).At(Timestamp(0))});
  SYNCLINE_RETURN_IF_ERROR(harness.Run());
  EXPECT_EQ(harness.OutputHeader("").Get<TimeSeriesHeader>().num_channels(),
            harness.Output("")[0].Get<Matrix>().rows());
  return harness.Output("")[0].Get<Matrix>();
}

TEST(MelSpectrumTest, AToneIsInTheBandsAroundIt) {
  // Each bin is 31.25 Hz wide, so bin 32 is 1000 Hz. Its squared magnitude is
  // 9.
  Matrix frames = Matrix::Zero(257, 2);
  frames(32, 1) = 9;
  const auto bands = Features("MelSpectrumCalculator", frames, "");
  SYNCLINE_ASSERT_OK(bands.status());
  ASSERT_EQ(bands->rows(), 20);
  EXPECT_EQ(bands->col(0).sum(), 0);
  // Where two neighbouring triangles overlap, they add up to 1.
  EXPECT_NEAR(bands->col(1).sum(), 3, 1e-5);
  const auto mel = [](double hertz) { return std::log(1 + hertz / 700); };
  const double place = (mel(1000) - mel(125)) / (mel(3800) - mel(125)) * 21;
  Eigen::Index peak = 0;
  bands->col(1).maxCoeff(&peak);
  EXPECT_EQ(peak, std::lround(place) - 1);
  EXPECT_EQ((bands->col(1).array() > 0).count(), 2);
}

TEST(MelSpectrumTest, BandsEndWhereTheOptionsSay) {
  Matrix frames = Matrix::Zero(257, 1);
  frames(4, 0) = 1;    // 125 Hz
  frames(3, 0) = 1;    // below
  frames(122, 0) = 1;  // 3812.5 Hz
  EXPECT_EQ(Features("MelSpectrumCalculator", frames, "")->sum(), 0);
  frames(121, 0) = 1;
  EXPECT_GT(Features("MelSpectrumCalculator", frames, "")->sum(), 0);
}

TEST(MelSpectrumTest, ABinHalfABinAboveTheLowestFrequencyCounts) {
  // Bins are 43.066 Hz wide: 1.5 + 125 / 43.066 is 4.4, so bin 4 is the first
  // that counts, though bin 3 is at 129.2 Hz.
  TimeSeriesHeader header = SpectrogramHeader().Get<TimeSeriesHeader>();
  header.set_audio_sample_rate(44100);
  header.set_num_channels(513);
  const auto sum_of = [&header](Eigen::Index bin) {
    Matrix frames = Matrix::Zero(513, 1);
    frames(bin, 0) = 100;
    return Features("MelSpectrumCalculator", frames, "",
                    MakePacket<TimeSeriesHeader>(header))
        ->sum();
  };
  EXPECT_EQ(sum_of(3), 0);
  EXPECT_GT(sum_of(4), 0);
}

TEST(MelSpectrumTest, ABandBetweenTwoBinsIsZero) {
  // Bins are 31.25 Hz wide, and the lowest of 200 bands are narrower.
  const auto mel = Features("MelSpectrumCalculator", Matrix::Ones(257, 1),
                            "channel_count: 200");
  SYNCLINE_ASSERT_OK(mel.status());
  EXPECT_EQ(mel->minCoeff(), 0);
  EXPECT_GT(mel->maxCoeff(), 0);
  // Its logarithm is that of the least sum, 1e-12.
  const auto mfcc = Features("MfccCalculator", Matrix::Ones(257, 1),
                             "mel_spectrum_params { channel_count: 200 }");
  SYNCLINE_ASSERT_OK(mfcc.status());
  const double sum = mel->array().max(1e-12f).log().sum();
  EXPECT_NEAR((*mfcc)(0, 0), std::sqrt(0.01) * sum, 1e-2);
}

TEST(MfccTest, IsTheCosineTransformOfTheLogarithms) {
  const Matrix frames = Matrix::Random(257, 3).cwiseAbs();
  const auto mel = Features("MelSpectrumCalculator", frames, "");
  const auto mfcc = Features("MfccCalculator", frames, "");
  SYNCLINE_ASSERT_OK(mfcc.status());
  ASSERT_EQ(mfcc->rows(), 13);
  for (int i = 0; i < 13; ++i) {
    double sum = 0;
    for (int b = 0; b < 20; ++b) {
      sum += std::log((*mel)(b, 1)) * std::cos(M_PI * i * (b + 0.5) / 20);
    }
    EXPECT_NEAR((*mfcc)(i, 1), std::sqrt(0.1) * sum, 1e-3) << i;
  }
}

TEST(MfccTest, BandsThatAreAllAlikeHaveOneCoefficientOnly) {
  // Silence counts as 1e-12 in each band.
  const auto mfcc = Features("MfccCalculator", Matrix::Zero(257, 1), "");
  EXPECT_NEAR((*mfcc)(0, 0), std::sqrt(0.1) * 20 * std::log(1e-12), 0.01);
  EXPECT_LT(mfcc->col(0).tail(12).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(MfccTest, RefusesWhatCannotBe) {
  const Matrix frames = Matrix::Ones(257, 1);
  for (const char* options :
       {"channel_count: 0", "channel_count: 100000", "min_frequency_hertz: -1",
        "max_frequency_hertz: 9000", "min_frequency_hertz: 4000",
        "max_frequency_hertz: nan"}) {
    EXPECT_THAT(Features("MelSpectrumCalculator", frames, options).status(),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << options;
  }
  for (const char* options : {"mfcc_count: 0", "mfcc_count: 21"}) {
    EXPECT_THAT(
        Features("MfccCalculator", frames, options).status(),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("mfcc_count")))
        << options;
  }
  EXPECT_THAT(
      Features("MfccCalculator", frames, "", AudioHeader(100, 257)).status(),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("audio_sample_rate")));
  TimeSeriesHeader vast = SpectrogramHeader().Get<TimeSeriesHeader>();
  vast.set_num_channels(2000000000);
  EXPECT_THAT(
      Features("MfccCalculator", frames, "", MakePacket<TimeSeriesHeader>(vast))
          .status(),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("2000000000 bins")));
  EXPECT_THAT(Features("MfccCalculator", -frames, "").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("SQUARED_MAGNITUDE")));
}

}  // namespace
}  // namespace syncline
