// ClaimedSize: how long a video file says that it is.
//
// OpenCV reads the frames of a file that was cut off up to where it ends, and
// then says what it says at the end of every file. The containers in use say
// themselves how long they are: AVI in the sizes of its RIFF chunks, MP4 and
// QuickTime in those of their boxes, Matroska and WebM in that of the segment.
// A file that is shorter was cut off.
//
// Thread rule: a pure function of the file.
// Tested by video_source_test.

#ifndef SYNCLINE_CALCULATORS_VIDEO_CONTAINER_SIZE_H_
#define SYNCLINE_CALCULATORS_VIDEO_CONTAINER_SIZE_H_

#include <cstdint>
#include <string>

#include "absl/types/optional.h"

namespace syncline {

// In bytes. Nothing if the file cannot be read, is of another kind, or leaves
// it open, as what was recorded live does.
absl::optional<std::uint64_t> ClaimedSize(const std::string& path);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VIDEO_CONTAINER_SIZE_H_
