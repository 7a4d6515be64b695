// ProfileFiles: where the parts of a GraphProfile go, as the ProfilerConfig of
// a graph says.
//
//   trace_log_path + "0.binarypb"     the first trace_log_interval_count parts
//   trace_log_path + "1.binarypb"     the next ones
//   ...                               trace_log_count files, then the first
//                                     one again, without what was in it
//
// A file is its parts, one behind the other: read as one GraphProfile they
// become one. Only the first part of each file has the config and the names of
// nodes, so that each file can be read by itself.
//
// A part without anything new, such as one after the end of a run, is not
// written, unless it is the first: so it cannot take the place of what is
// there.
//
// When a part cannot be written, no half of it stays in the file, and the next
// one is tried again. The error is returned once, until a part is written.
//
// Thread rule: for one thread at a time.
// Tested by profile_files_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_FILES_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_FILES_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_profile.pb.h"

namespace syncline {

class ProfileFiles {
 public:
  // INVALID_ARGUMENT names the field that is out of range; NOT_FOUND: the
  // folder of trace_log_path does not exist. With an empty path the files are
  // "mediapipe_trace_0.binarypb", ... in the folder for temporary files
  // ($TMPDIR, else /tmp). With trace_log_disabled nothing is ever written.
  static absl::StatusOr<ProfileFiles> Make(const ProfilerConfig& config);

  // Writes one part, as GraphProfileBuilder::Capture returns it. The errors are
  // those of the file system, and name the file.
  absl::Status Write(GraphProfile part);

  // The file of the next part.
  std::string NextPath() const;
  std::int64_t num_written() const { return num_written_; }
  // Parts that are lost, because their file could not be written.
  std::int64_t num_failed() const { return num_failed_; }

 private:
  ProfileFiles() = default;

  bool HasSomethingNew(const GraphProfile& part) const;
  absl::Status WriteTo(const std::string& path, bool is_first_in_file,
                       const std::string& bytes) const;

  bool is_disabled_ = false;
  std::string path_;
  // In a folder that others write to, nothing is written through a link.
  bool follows_links_ = true;
  std::int64_t files_ = 2;
  std::int64_t parts_in_file_ = 10;

  std::int64_t num_written_ = 0;
  std::int64_t num_failed_ = 0;
  bool has_failed_ = false;  // and the error was returned
  // Of Open and Close, of all nodes, in the part before.
  std::int64_t open_and_close_us_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_FILES_H_
