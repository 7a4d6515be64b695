#include "util/time_series_util.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "util/time_series_util_test.pb.h"

namespace syncline {
namespace time_series_util {
namespace {

using ::testing::HasSubstr;

auto IsInvalid(const std::string& text) {
  return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text));
}

TimeSeriesHeader Header(const std::string& text) {
  return ParseTextProtoOrDie<TimeSeriesHeader>(text);
}

TEST(TimeSeriesUtilTest, AHeaderNeedsItsRateAndItsChannels) {
  SYNCLINE_EXPECT_OK(
      IsTimeSeriesHeaderValid(Header("sample_rate: 16000 num_channels: 2")));
  SYNCLINE_EXPECT_OK(
      IsTimeSeriesHeaderValid(Header("sample_rate: 0 num_channels: 0")));
  for (const char* text :
       {"", "sample_rate: 16000", "num_channels: 2",
        "sample_rate: -1 num_channels: 2", "sample_rate: nan num_channels: 2",
        "sample_rate: 16000 num_channels: -2"}) {
    EXPECT_THAT(IsTimeSeriesHeaderValid(Header(text)),
                IsInvalid("missing critical fields"))
        << text;
  }
}

TEST(TimeSeriesUtilTest, TheHeaderComesOutOfItsPacket) {
  TimeSeriesHeader header;
  SYNCLINE_EXPECT_OK(FillTimeSeriesHeaderIfValid(
      MakePacket<TimeSeriesHeader>(
          Header("sample_rate: 16000 num_channels: 2")),
      &header));
  EXPECT_EQ(header.sample_rate(), 16000);
  EXPECT_THAT(FillTimeSeriesHeaderIfValid(Packet(), &header),
              IsInvalid("There is no header"));
  EXPECT_THAT(FillTimeSeriesHeaderIfValid(MakePacket<int>(3), &header),
              IsInvalid("no TimeSeriesHeader"));
  EXPECT_THAT(
      FillTimeSeriesHeaderIfValid(MakePacket<TimeSeriesHeader>(), &header),
      IsInvalid("missing critical fields"));
}

TEST(TimeSeriesUtilTest, TheHeaderOfSeveralStreamsNeedsTheirNumber) {
  MultiStreamTimeSeriesHeader header;
  const auto fill = [&](const std::string& text) {
    return FillMultiStreamTimeSeriesHeaderIfValid(
        MakePacket<MultiStreamTimeSeriesHeader>(
            ParseTextProtoOrDie<MultiStreamTimeSeriesHeader>(text)),
        &header);
  };
  SYNCLINE_EXPECT_OK(
      fill("time_series_header { sample_rate: 1 num_channels: 1 } "
           "num_streams: 2"));
  EXPECT_EQ(header.num_streams(), 2);
  EXPECT_THAT(fill("time_series_header { sample_rate: 1 num_channels: 1 }"),
              IsInvalid("num_streams"));
  EXPECT_THAT(fill("num_streams: 2"), IsInvalid("missing critical fields"));
}

TEST(TimeSeriesUtilTest, AMatrixHasTheShapeOfItsHeader) {
  const Matrix matrix = Matrix::Zero(2, 5);
  SYNCLINE_EXPECT_OK(IsMatrixShapeConsistentWithHeader(
      matrix, Header("num_channels: 2 num_samples: 5")));
  SYNCLINE_EXPECT_OK(IsMatrixShapeConsistentWithHeader(matrix, Header("")));
  EXPECT_THAT(
      IsMatrixShapeConsistentWithHeader(matrix, Header("num_samples: 4")),
      IsInvalid("Expected 4 columns, but found 5"));
  EXPECT_THAT(
      IsMatrixShapeConsistentWithHeader(matrix, Header("num_channels: 3")),
      IsInvalid("Expected 3 rows, but found 2"));
}

TEST(TimeSeriesUtilTest, SamplesAndSeconds) {
  EXPECT_EQ(SecondsToSamples(1.5, 1000), 1500);
  EXPECT_EQ(SecondsToSamples(0.0016, 1000), 2);
  EXPECT_EQ(SecondsToSamples(1e300, 1000),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_DOUBLE_EQ(SamplesToSeconds(1500, 1000), 1.5);
}

TEST(TimeSeriesUtilTest, TimesOfSamplesDoNotDrift) {
  EXPECT_EQ(SamplesToTimestampDiff(0, 44100), TimestampDiff(0));
  // 22.68 before rounding
  EXPECT_EQ(SamplesToTimestampDiff(1, 44100), TimestampDiff(23));
  EXPECT_EQ(SamplesToTimestampDiff(-1, 44100), TimestampDiff(-23));
  constexpr std::int64_t kYearOfSeconds = 365 * 24 * 3600;
  for (const int rate : {8000, 11025, 44100, 48000, 192000}) {
    EXPECT_EQ(SamplesToTimestampDiff(kYearOfSeconds * rate, rate),
              TimestampDiff(kYearOfSeconds * 1000000))
        << rate;
    EXPECT_EQ(SamplesToTimestampDiff(kYearOfSeconds * rate + rate / 25, rate),
              TimestampDiff(kYearOfSeconds * 1000000 + 40000))
        << rate;
  }
}

TEST(TimeSeriesUtilTest, ATimestampIsWhereItsSamplesPutIt) {
  const Timestamp start(1000000);
  EXPECT_TRUE(LogWarningIfTimestampIsInconsistent(start, start, 0, 1000));
  EXPECT_TRUE(
      LogWarningIfTimestampIsInconsistent(start + 500000, start, 500, 1000));
  EXPECT_TRUE(
      LogWarningIfTimestampIsInconsistent(start + 500900, start, 500, 1000));
  EXPECT_FALSE(
      LogWarningIfTimestampIsInconsistent(start + 502000, start, 500, 1000));
  EXPECT_FALSE(LogWarningIfTimestampIsInconsistent(start, start, 500, 1000));
}

TEST(TimeSeriesUtilTest, AHeaderCarriesWhatAKindOfSeriesAdds) {
  TimeSeriesHeader header;
  EXPECT_FALSE(HasExtensionInHeader<TestSeriesHeader>(header));
  TestSeriesHeader added;
  added.set_window(7);
  SetExtensionInHeader(added, &header);
  EXPECT_TRUE(HasExtensionInHeader<TestSeriesHeader>(header));
  EXPECT_EQ(GetExtensionFromHeader<TestSeriesHeader>(header).window(), 7);
}

}  // namespace
}  // namespace time_series_util
}  // namespace syncline
