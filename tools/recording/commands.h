// What `recording` does with recordings: info, cut, diff and export.
//
// Thread rule: free functions.
// Tested by commands_test.

#ifndef SYNCLINE_TOOLS_RECORDING_COMMANDS_H_
#define SYNCLINE_TOOLS_RECORDING_COMMANDS_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/recording/recording_reader.h"

namespace syncline {

// Which part of a recording.
struct RecordingPart {
  // Timestamps, as RecordingRange has them.
  RecordingRange range;
  // Empty: all.
  std::vector<std::string> streams;
};

// NOT_FOUND names a stream of `part` that the recording does not have.
absl::Status CheckStreams(const RecordingReader& recording,
                          const RecordingPart& part);

// What is in a recording, for people.
absl::Status PrintRecording(const std::string& path, std::ostream* out);

// Writes a part of a recording, or what can be read of a damaged one, to a new
// one. The side packets and the graph stay.
absl::Status CutRecording(const std::string& path, const RecordingPart& part,
                          const std::string& out);

// Compares types, and packet by packet; bounds and times of arrival do not
// count. True: they are the same. False: the first difference of each stream is
// printed, and how many packets a recording had to leave out. That is also
// said, and no difference, where only these numbers are not the same.
absl::StatusOr<bool> DiffRecordings(const std::string& path,
                                    const std::string& other,
                                    const RecordingPart& part,
                                    std::ostream* out);

struct ExportOptions {
  enum Format { kCsv, kJson, kImages, kWav };
  Format format = kCsv;
  // A file, a folder for images, or "-" for standard output.
  std::string out = "-";
  // Of kWav: frames a second. 0: as the header of the stream says.
  std::int64_t sample_rate = 0;
};

// `part` has one stream, unless the format is kJson.
absl::Status ExportRecording(const std::string& path, const RecordingPart& part,
                             const ExportOptions& options);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_RECORDING_COMMANDS_H_
