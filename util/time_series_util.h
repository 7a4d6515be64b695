// Streams of samples: their headers, and samples and seconds.
//
// The packets of such a stream are a Matrix each (framework/formats/matrix.h):
// a row is a channel, a column a moment.
//
// Thread rule: free functions.
// Tested by time_series_util_test.

#ifndef SYNCLINE_UTIL_TIME_SERIES_UTIL_H_
#define SYNCLINE_UTIL_TIME_SERIES_UTIL_H_

#include <cstdint>

#include "absl/status/status.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/packet.h"
#include "framework/timestamp.h"

namespace syncline {
namespace time_series_util {

// Whether `current_timestamp` is where it should be, `cumulative_samples` after
// `initial_timestamp`, give or take a sample. If not, now and then logs a
// warning that says both.
bool LogWarningIfTimestampIsInconsistent(const Timestamp& current_timestamp,
                                         const Timestamp& initial_timestamp,
                                         std::int64_t cumulative_samples,
                                         double sample_rate);

// INVALID_ARGUMENT unless it has a sample_rate and num_channels, neither below
// 0.
absl::Status IsTimeSeriesHeaderValid(const TimeSeriesHeader& header);

// Copies the header that the packet holds. INVALID_ARGUMENT when it is empty,
// of another type, or not valid.
absl::Status FillTimeSeriesHeaderIfValid(const Packet& header_packet,
                                         TimeSeriesHeader* header);
absl::Status FillMultiStreamTimeSeriesHeaderIfValid(
    const Packet& header_packet, MultiStreamTimeSeriesHeader* header);

// INVALID_ARGUMENT when the header says another number of channels or samples.
absl::Status IsMatrixShapeConsistentWithHeader(const Matrix& matrix,
                                               const TimeSeriesHeader& header);

// What a kind of series adds to its header: a message that extends
// TimeSeriesHeader as `time_series_header_ext`.
template <typename Extension>
void SetExtensionInHeader(const Extension& extension,
                          TimeSeriesHeader* header) {
  *header->MutableExtension(Extension::time_series_header_ext) = extension;
}
template <typename Extension>
bool HasExtensionInHeader(const TimeSeriesHeader& header) {
  return header.HasExtension(Extension::time_series_header_ext);
}
template <typename Extension>
const Extension& GetExtensionFromHeader(const TimeSeriesHeader& header) {
  return header.GetExtension(Extension::time_series_header_ext);
}

// Rounded; 0 where it is not a number, and the nearest end of the range where
// it is beyond that.
std::int64_t SecondsToSamples(double time_in_seconds, double sample_rate);
// REQUIRES: sample_rate is not 0
double SamplesToSeconds(std::int64_t samples, double sample_rate);
// How long so many samples take, rounded to microseconds. Times of a stream
// that are its beginning plus this do not drift: each is off by half a
// microsecond at most, however many samples there were. REQUIRES: sample_rate
// is not 0
TimestampDiff SamplesToTimestampDiff(std::int64_t samples, double sample_rate);

}  // namespace time_series_util
}  // namespace syncline

#endif  // SYNCLINE_UTIL_TIME_SERIES_UTIL_H_
