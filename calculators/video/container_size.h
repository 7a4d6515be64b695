// ClaimedSize: the size that a video file states for itself.
//
// At the end of a file that was cut off, OpenCV reports the same as at the end
// of every file. But the usual containers state how long they are: AVI in the
// sizes of its RIFF chunks, MP4 and QuickTime in those of their boxes, Matroska
// and WebM in that of the segment. A file that is shorter was cut off.
//
// Thread rule: a pure function of the file.
// Tested by video_source_test.

#ifndef SYNCLINE_CALCULATORS_VIDEO_CONTAINER_SIZE_H_
#define SYNCLINE_CALCULATORS_VIDEO_CONTAINER_SIZE_H_

#include <cstdint>
#include <string>

#include "absl/types/optional.h"

namespace syncline {

// In bytes. Nothing if the file cannot be read, is of another kind, or does not
// state its size, as with live recordings.
absl::optional<std::uint64_t> ClaimedSize(const std::string& path);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VIDEO_CONTAINER_SIZE_H_
