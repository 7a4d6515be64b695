// Streams of samples: their headers, and conversion between samples and
// seconds.
//
// The packets of such a stream are a Matrix each (framework/formats/matrix.h):
// a row is a channel, a column is a moment.
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

// Whether `current_timestamp` is `cumulative_samples` after
// `initial_timestamp`, with a tolerance of one sample. If not, it sometimes
// logs a warning with both times.
bool LogWarningIfTimestampIsInconsistent(const Timestamp& current_timestamp,
                                         const Timestamp& initial_timestamp,
                                         std::int64_t cumulative_samples,
                                         double sample_rate);

// INVALID_ARGUMENT unless the header has a sample_rate and num_channels, both
// at least 0.
absl::Status IsTimeSeriesHeaderValid(const TimeSeriesHeader& header);

// Copies the header that the packet holds. INVALID_ARGUMENT if the packet is
// empty or of another type, or if the header is not valid.
absl::Status FillTimeSeriesHeaderIfValid(const Packet& header_packet,
                                         TimeSeriesHeader* header);
absl::Status FillMultiStreamTimeSeriesHeaderIfValid(
    const Packet& header_packet, MultiStreamTimeSeriesHeader* header);

// INVALID_ARGUMENT if the matrix has another number of channels or samples than
// the header says.
absl::Status IsMatrixShapeConsistentWithHeader(const Matrix& matrix,
                                               const TimeSeriesHeader& header);

// The extension that one kind of series adds to its header: a message that
// extends TimeSeriesHeader as `time_series_header_ext`.
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

// Rounds to the nearest integer. A NaN becomes 0, and a number out of range
// becomes the nearest integer in the range.
std::int64_t SecondsToSamples(double time_in_seconds, double sample_rate);
// REQUIRES: sample_rate is not 0
double SamplesToSeconds(std::int64_t samples, double sample_rate);
// The duration of so many samples, rounded to microseconds. Compute each time
// of a stream as its beginning plus this: the error is then at most half a
// microsecond, however many samples there were. REQUIRES: sample_rate is not 0
TimestampDiff SamplesToTimestampDiff(std::int64_t samples, double sample_rate);

}  // namespace time_series_util
}  // namespace syncline

#endif  // SYNCLINE_UTIL_TIME_SERIES_UTIL_H_
