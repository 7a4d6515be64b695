#include "util/time_series_util.h"

#include <cmath>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/deps/mathutil.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/packet.h"
#include "framework/port/logging.h"
#include "framework/port/status_macros.h"
#include "framework/timestamp.h"

namespace syncline {
namespace time_series_util {
namespace {

template <typename Header>
absl::Status FillHeader(const Packet& packet, Header* header) {
  if (packet.IsEmpty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("There is no header: the stream needs one of type ",
                     Header::descriptor()->name(), "."));
  }
  const absl::Status status = packet.ValidateAsType<Header>();
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("The header of the stream is no ",
                     Header::descriptor()->name(), ": ", status.message()));
  }
  *header = packet.Get<Header>();
  return absl::OkStatus();
}

}  // namespace

bool LogWarningIfTimestampIsInconsistent(const Timestamp& current_timestamp,
                                         const Timestamp& initial_timestamp,
                                         std::int64_t cumulative_samples,
                                         double sample_rate) {
  const double seconds =
      current_timestamp.Seconds() - initial_timestamp.Seconds();
  const double samples = seconds * sample_rate;
  // Timestamps are whole microseconds, so a difference below one microsecond is
  // no error.
  const double tolerance =
      1 + sample_rate / Timestamp::kTimestampUnitsPerSecond;
  if (std::abs(samples - static_cast<double>(cumulative_samples)) <=
      tolerance) {
    return true;
  }
  LOG_EVERY_N(WARNING, 20) << "After " << cumulative_samples << " samples at "
                           << sample_rate << " Hz from "
                           << initial_timestamp.DebugString()
                           << " on, the timestamp is "
                           << current_timestamp.DebugString() << ", which is "
                           << samples << " samples.";
  return false;
}

absl::Status IsTimeSeriesHeaderValid(const TimeSeriesHeader& header) {
  if (header.has_sample_rate() && header.sample_rate() >= 0 &&
      header.has_num_channels() && header.num_channels() >= 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "TimeSeriesHeader is missing critical fields: it needs sample_rate and "
      "num_channels, neither below 0, and is {",
      header.ShortDebugString(), "}."));
}

absl::Status FillTimeSeriesHeaderIfValid(const Packet& header_packet,
                                         TimeSeriesHeader* header) {
  SYNCLINE_RETURN_IF_ERROR(FillHeader(header_packet, header));
  return IsTimeSeriesHeaderValid(*header);
}

absl::Status FillMultiStreamTimeSeriesHeaderIfValid(
    const Packet& header_packet, MultiStreamTimeSeriesHeader* header) {
  SYNCLINE_RETURN_IF_ERROR(FillHeader(header_packet, header));
  if (header->num_streams() <= 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "MultiStreamTimeSeriesHeader needs num_streams above 0, and is {",
        header->ShortDebugString(), "}."));
  }
  return IsTimeSeriesHeaderValid(header->time_series_header());
}

absl::Status IsMatrixShapeConsistentWithHeader(const Matrix& matrix,
                                               const TimeSeriesHeader& header) {
  if (header.has_num_samples() && matrix.cols() != header.num_samples()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Matrix size is inconsistent with header. Expected ",
        header.num_samples(), " columns, but found ", matrix.cols(), "."));
  }
  if (header.has_num_channels() && matrix.rows() != header.num_channels()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Matrix size is inconsistent with header. Expected ",
        header.num_channels(), " rows, but found ", matrix.rows(), "."));
  }
  return absl::OkStatus();
}

std::int64_t SecondsToSamples(double time_in_seconds, double sample_rate) {
  return MathUtil::SafeRound<std::int64_t>(time_in_seconds * sample_rate);
}

double SamplesToSeconds(std::int64_t samples, double sample_rate) {
  return static_cast<double>(samples) / sample_rate;
}

TimestampDiff SamplesToTimestampDiff(std::int64_t samples, double sample_rate) {
  // A long double has 64 bits of precision, so days of samples are exact. A
  // double has only 53.
  return TimestampDiff(MathUtil::SafeRound<std::int64_t>(
      static_cast<long double>(samples) * 1000000 /
      static_cast<long double>(sample_rate)));
}

}  // namespace time_series_util
}  // namespace syncline
