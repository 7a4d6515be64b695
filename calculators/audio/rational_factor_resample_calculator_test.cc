// Samples at another rate: tones keep their frequencies and times, frequencies
// that are too high are filtered out, and nothing drifts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "calculators/audio/audio_test_support.h"
#include "calculators/audio/resampler.h"
#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "glog/logging.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Resample(const std::string& options) {
  return absl::StrCat(
      R"pb(calculator: "RationalFactorResampleCalculator"
           input_stream: "in"
           output_stream: "out")pb",
      " options { [syncline.RationalFactorResampleCalculatorOptions.ext] {",
      options, "} }");
}

// All samples of the output, one after the other.
Matrix Joined(const std::vector<Packet>& packets, Eigen::Index channels) {
  Matrix result(channels, 0);
  for (const Packet& packet : packets) {
    const auto& matrix = packet.Get<Matrix>();
    result.conservativeResize(channels, result.cols() + matrix.cols());
    result.rightCols(matrix.cols()) = matrix;
  }
  return result;
}

Matrix Resampled(const Matrix& samples, double from, double to,
                 std::int64_t packet_size = 500) {
  CalculatorHarness harness(Resample(absl::StrCat("target_sample_rate: ", to)));
  harness.SetHeader("", AudioHeader(from, static_cast<int>(samples.rows())));
  harness.Feed("", InPackets(samples, packet_size, from));
  SYNCLINE_EXPECT_OK(harness.Run());
  return Joined(harness.Output(""), samples.rows());
}

TEST(ResampleTest, AToneStaysWhatItIsWhereItIs) {
  for (const auto& [from, to] :
       std::vector<std::pair<double, double>>{{16000, 48000},
                                              {48000, 16000},
                                              {44100, 48000},
                                              {48000, 44100},
                                              {8000, 11025},
                                              {11025, 192000}}) {
    const Matrix out = Resampled(Tone(440, from, 4000), from, to);
    const auto length = static_cast<std::int64_t>(std::ceil(4000 * to / from));
    ASSERT_EQ(out.cols(), length) << from << " to " << to;
    // Not at the ends, where silence begins.
    const std::int64_t edge = length / 20 + 20;
    const Matrix expected = Tone(440, to, length);
    EXPECT_LT((out - expected)
                  .middleCols(edge, length - 2 * edge)
                  .cwiseAbs()
                  .maxCoeff(),
              0.002)
        << from << " to " << to;
  }
}

TEST(ResampleTest, WhatTheLowerRateCannotHoldIsFilteredOut) {
  const Matrix out = Resampled(Tone(6000, 48000, 10000), 48000, 8000);
  EXPECT_LT(out.middleCols(100, out.cols() - 200).cwiseAbs().maxCoeff(), 0.01);
}

TEST(ResampleTest, WhatStaysTheSameKeepsItsValue) {
  const Matrix out = Resampled(Matrix::Ones(2, 5000), 44100, 16000);
  EXPECT_LT((out.middleCols(50, out.cols() - 100).array() - 1).abs().maxCoeff(),
            1e-5);
}

TEST(ResampleTest, HowPacketsAreCutMakesNoDifference) {
  const Matrix in = Tone(300, 8000, 1000);
  const Matrix whole = Resampled(in, 8000, 11025, 1000);
  for (const std::int64_t size : {1, 7, 160, 999}) {
    const Matrix cut = Resampled(in, 8000, 11025, size);
    ASSERT_EQ(cut.cols(), whole.cols()) << size;
    EXPECT_LT((cut - whole).cwiseAbs().maxCoeff(), 1e-6) << size;
  }
}

TEST(ResampleTest, TimesAreThoseOfTheSamples) {
  CalculatorHarness harness(Resample("target_sample_rate: 11025"));
  harness.SetHeader("", AudioHeader(8000, 1));
  harness.Feed("", InPackets(Tone(300, 8000, 8000), 160, 8000, 5000));
  SYNCLINE_ASSERT_OK(harness.Run());
  std::int64_t samples = 0;
  for (const Packet& packet : harness.Output("")) {
    EXPECT_EQ(packet.Timestamp(),
              Timestamp(5000) +
                  time_series_util::SamplesToTimestampDiff(samples, 11025));
    samples += packet.Get<Matrix>().cols();
  }
  EXPECT_EQ(samples, 11025);
  EXPECT_EQ(harness.OutputHeader("").Get<TimeSeriesHeader>().sample_rate(),
            11025);
}

TEST(ResampleTest, LengthsAreExactAfterHours) {
  auto resampler =
      Resampler::Create({.input_rate = 80, .output_rate = 79, .radius = 1});
  SYNCLINE_ASSERT_OK(resampler.status());
  const Matrix minute = Matrix::Zero(1, 80 * 60);
  for (int i = 0; i < 120; ++i) resampler->Process(minute);
  resampler->Flush();
  EXPECT_EQ(resampler->samples_out(), 79 * 60 * 120);
}

TEST(ResampleTest, RatesWithoutAShortRatioAreApproximated) {
  struct Case {
    double from;
    double to;
    std::int64_t in;   // as many samples
    std::int64_t out;  // give as many
    double error;
  };
  for (const Case& test : std::vector<Case>{
           // 44100 / 48000 = 147 / 160, and so on: exact.
           {44100, 48000, 147 * 100, 160 * 100, 0},
           {11025, 192000, 147 * 100, 2560 * 100, 0},
           {4000, 1999, 4000, 1999, 0},
           {8000, 0.5, 16000, 1, 0},
           // 4000 / 2105.26 is 1.9000028..., nearest to 19 / 10; that makes
           // 2105.26316 Hz.
           {4000, 2105.26, 19000, 10000, 2105.2631578947 / 2105.26 - 1},
           {2105.26, 4000, 10000, 19000, 2105.26 / 2105.2631578947 - 1},
           // 16000 / 15999 is nearer to 1 than to 2001 / 2000.
           {16000, 15999, 10000, 10000, 16000.0 / 15999 - 1},
           // Half way from 1 to 2001 / 2000 it is 0.025 %, as far as it gets.
           {4000.99, 4000, 10000, 10000, 4000.99 / 4000 - 1},
           {4001.01, 4000, 2001 * 5, 2000 * 5,
            4001.01 * 2000 / 2001 / 4000 - 1},
           // Pi is nearest to 355 / 113; the next convergent has 33102.
           {3.14159265358979, 1, 3550, 1130,
            3.14159265358979 * 113 / 355 - 1}}) {
    auto resampler = Resampler::Create(
        {.input_rate = test.from, .output_rate = test.to, .radius = 1});
    if (test.from > test.to) {
      resampler = Resampler::Create({.input_rate = test.from,
                                     .output_rate = test.to,
                                     .radius = test.from / test.to});
    }
    SYNCLINE_ASSERT_OK(resampler.status());
    resampler->Process(Matrix::Zero(1, test.in));
    resampler->Flush();
    EXPECT_EQ(resampler->samples_out(), test.out)
        << test.from << " to " << test.to;
    EXPECT_NEAR(resampler->rate_error(), test.error, 1e-12)
        << test.from << " to " << test.to;
    EXPECT_LE(std::abs(resampler->rate_error()), 0.00025);
  }
}

// The lines of the log while it exists.
class LinesOfLog : public google::LogSink {
 public:
  LinesOfLog() { google::AddLogSink(this); }
  ~LinesOfLog() override { google::RemoveLogSink(this); }

  void send(google::LogSeverity /*severity*/, const char* /*full_filename*/,
            const char* /*base_filename*/, int /*line*/,
            const google::LogMessageTime& /*time*/, const char* message,
            std::size_t length) override {
    lines_.emplace_back(message, length);
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

TEST(ResampleTest, AnApproximationIsLogged) {
  {
    const LinesOfLog log;
    Resampled(Tone(440, 8000, 100), 8000, 11025);
    EXPECT_THAT(log.lines(), IsEmpty());
  }
  const LinesOfLog log;
  const Matrix out = Resampled(Tone(440, 4000, 1900), 4000, 2105.26);
  EXPECT_EQ(out.cols(), 1000);
  EXPECT_THAT(log.lines(),
              ElementsAre(AllOf(HasSubstr("0.00015"), HasSubstr("4000 Hz"),
                                HasSubstr("2105.26 Hz"))));
}

TEST(ResampleTest, TheSameRatePassesThrough) {
  const Matrix in = Tone(3999, 8000, 100);
  EXPECT_EQ(Resampled(in, 8000, 8000), in);
}

TEST(ResampleTest, RefusesWhatCannotBe) {
  const auto run = [](const std::string& options, double rate = 8000) {
    CalculatorHarness harness(Resample(options));
    harness.SetHeader("", AudioHeader(rate, 1));
    return harness.Run();
  };
  for (const char* filter :
       {"cutoff: 5000", "cutoff: -1", "radius: 0.5", "radius: 1e12",
        "radius: nan", "kaiser_beta: -1", "kaiser_beta: 1e6"}) {
    EXPECT_THAT(run(absl::StrCat("target_sample_rate: 16000 "
                                 "resampler_rational_factor_options {",
                                 filter, "}")),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << filter;
  }
  for (const char* rate : {"0", "-1", "nan", "inf", "1e10", "0.0009"}) {
    EXPECT_THAT(run(absl::StrCat("target_sample_rate: ", rate)),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << rate;
  }
  EXPECT_THAT(run("target_sample_rate: 1e9", 100),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("nearer to each other")));
  EXPECT_THAT(
      Resampler::Create(
          {.input_rate = 8000, .output_rate = 16000, .channels = 2000000000})
          .status(),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("2000000000 channels")));
  EXPECT_THAT(run("target_sample_rate: 16000", 0),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace syncline
