// Reads numbers in the tables of video files, and changes files in place.
//
// Thread rule: free functions; the caller uses a file on one thread at a time.
// Tested by video_times_test.

#ifndef SYNCLINE_CALCULATORS_VIDEO_FILE_TABLES_H_
#define SYNCLINE_CALCULATORS_VIDEO_FILE_TABLES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace syncline {

// Reads `count` bytes at `position`; fewer at the end of the file.
absl::StatusOr<std::string> ReadBytes(const std::string& path,
                                      std::uint64_t position,
                                      std::uint64_t count);

// Writes `bytes` at `position`. With `is_end` the file is cut off after them.
absl::Status WriteBytes(const std::string& path, std::uint64_t position,
                        absl::string_view bytes, bool is_end);

// --- avi: the low byte first

std::uint32_t LowFirst(absl::string_view bytes, std::size_t at);
std::string LowFirst(std::uint32_t value);

// --- mp4: the high byte first

std::uint32_t HighFirst(absl::string_view bytes, std::size_t at);
std::string HighFirst(std::uint32_t value);

// --- Changes the tables of each kind of file, for video_times.h; times are
// those of FrameTicks.

struct FrameTicks;

absl::Status SetAviTicks(const std::string& path, const FrameTicks& ticks);
absl::Status SetMp4Times(const std::string& path,
                         const std::vector<std::int64_t>& times_us,
                         double frame_rate);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VIDEO_FILE_TABLES_H_
