// Numbers in the tables of video files, and files that are changed in place.
//
// Thread rule: functions of their arguments.
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

// `count` bytes at `position`, less at the end of the file.
absl::StatusOr<std::string> ReadBytes(const std::string& path,
                                      std::uint64_t position,
                                      std::uint64_t count);

// Writes `bytes` at `position`. With `is_end` the file ends behind them.
absl::Status WriteBytes(const std::string& path, std::uint64_t position,
                        absl::string_view bytes, bool is_end);

// --- avi: the low byte first

std::uint32_t LowFirst(absl::string_view bytes, std::size_t at);
std::string LowFirst(std::uint32_t value);

// --- mp4: the high byte first

std::uint32_t HighFirst(absl::string_view bytes, std::size_t at);
std::string HighFirst(std::uint32_t value);

// --- What video_times.h does with each; times are those of FrameTicks.

struct FrameTicks;

absl::Status SetAviTicks(const std::string& path, const FrameTicks& ticks);
absl::Status SetMp4Times(const std::string& path,
                         const std::vector<std::int64_t>& times_us,
                         double frame_rate);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VIDEO_FILE_TABLES_H_
