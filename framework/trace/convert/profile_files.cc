#include "framework/trace/convert/profile_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/trace/convert/graph_profile_builder.h"

namespace syncline {
namespace {

constexpr char kSuffix[] = ".binarypb";
constexpr char kDefaultName[] = "mediapipe_trace_";

absl::Status CheckNotNegative(absl::string_view field, std::int64_t value) {
  if (value >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("profiler_config: ", field, " is ", value,
                   "; it may be 0, which means its default, or more"));
}

std::string TemporaryFolder() {
  const char* const folder = std::getenv("TMPDIR");
  return folder == nullptr || *folder == '\0' ? "/tmp" : folder;
}

std::int64_t OpenAndCloseUs(const GraphProfile& part) {
  std::int64_t sum = 0;
  for (const CalculatorProfile& node : part.calculator_profiles()) {
    sum += node.open_runtime() + node.close_runtime();
  }
  return sum;
}

absl::Status CannotWrite(int error, absl::string_view path) {
  return absl::ErrnoToStatus(
      error, absl::StrCat("cannot write the trace file \"", path, "\""));
}

// 0, or the number of the error.
int WriteAll(int fd, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// Makes the file as long as `size`, and appends the bytes. On an error the file
// is as long as `size` again. 0, or the number of the error.
int AppendAt(int fd, off_t size, absl::string_view bytes) {
  if (ftruncate(fd, size) != 0) return errno;
  if (lseek(fd, size, SEEK_SET) < 0) return errno;
  const int error = WriteAll(fd, bytes);
  if (error != 0 && ftruncate(fd, size) != 0) return errno;
  return error;
}

}  // namespace

absl::StatusOr<ProfileFiles> ProfileFiles::Make(const ProfilerConfig& config) {
  absl::Status status =
      CheckNotNegative("trace_log_count", config.trace_log_count());
  status.Update(CheckNotNegative("trace_log_interval_count",
                                 config.trace_log_interval_count()));
  if (!status.ok()) return status;
  ProfileFiles files;
  files.is_disabled_ = config.trace_log_disabled();
  if (config.trace_log_count() > 0) files.files_ = config.trace_log_count();
  if (config.trace_log_interval_count() > 0) {
    files.parts_in_file_ = config.trace_log_interval_count();
  }
  files.path_ = config.trace_log_path();
  if (files.path_.empty()) {
    files.path_ = absl::StrCat(TemporaryFolder(), "/", kDefaultName);
    files.follows_links_ = false;
  }
  if (files.is_disabled_) return files;
  if (files.path_.find('\0') != std::string::npos) {
    return absl::InvalidArgumentError(
        "profiler_config: trace_log_path has a zero byte");
  }
  const std::size_t slash = files.path_.rfind('/');
  if (slash == std::string::npos) return files;
  const std::string folder = files.path_.substr(0, slash + 1);
  struct stat about = {};
  if (stat(folder.c_str(), &about) != 0 || !S_ISDIR(about.st_mode)) {
    return absl::NotFoundError(absl::StrCat(
        "profiler_config: the folder \"", folder, "\" of trace_log_path \"",
        files.path_, "\" does not exist: make it, or name another path"));
  }
  return files;
}

std::string ProfileFiles::NextPath() const {
  return absl::StrCat(path_, num_written_ / parts_in_file_ % files_, kSuffix);
}

bool ProfileFiles::HasSomethingNew(const GraphProfile& part) const {
  for (const GraphTrace& trace : part.graph_trace()) {
    if (trace.calculator_trace_size() > 0) return true;
  }
  for (const CalculatorProfile& node : part.calculator_profiles()) {
    for (const std::int64_t count : node.process_runtime().count()) {
      if (count > 0) return true;
    }
  }
  return OpenAndCloseUs(part) != open_and_close_us_;
}

absl::Status ProfileFiles::Write(GraphProfile part) {
  if (is_disabled_ || (num_written_ > 0 && !HasSomethingNew(part))) {
    return absl::OkStatus();
  }
  const bool is_first_in_file = num_written_ % parts_in_file_ == 0;
  const std::int64_t open_and_close_us = OpenAndCloseUs(part);
  if (!is_first_in_file) KeepEventsOnly(&part);
  absl::Status status =
      WriteTo(NextPath(), is_first_in_file, part.SerializeAsString());
  if (status.ok()) {
    ++num_written_;
    open_and_close_us_ = open_and_close_us;
    has_failed_ = false;
    return status;
  }
  ++num_failed_;
  const bool was_returned = has_failed_;
  has_failed_ = true;
  return was_returned ? absl::OkStatus() : status;
}

absl::Status ProfileFiles::WriteTo(const std::string& path,
                                   bool is_first_in_file,
                                   const std::string& bytes) const {
  // Without O_NONBLOCK, opening a pipe would wait for who reads it.
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK |
                    (follows_links_ ? 0 : O_NOFOLLOW);
  int fd = open(path.c_str(), flags | O_EXCL, 0666);
  const bool is_new = fd >= 0;
  if (!is_new) fd = open(path.c_str(), flags, 0666);
  if (fd < 0) return CannotWrite(errno, path);
  struct stat about = {};
  int error = fstat(fd, &about) == 0 ? 0 : errno;
  if (error == 0 && !S_ISREG(about.st_mode)) {
    close(fd);
    return absl::FailedPreconditionError(absl::StrCat(
        "\"", path, "\" is no ordinary file: a trace is not written to it"));
  }
  if (error == 0) {
    error = AppendAt(fd, is_first_in_file ? 0 : about.st_size, bytes);
  }
  if (close(fd) != 0 && error == 0) error = errno;
  // An empty file would look like a result.
  if (error != 0 && is_new) unlink(path.c_str());
  return error == 0 ? absl::OkStatus() : CannotWrite(error, path);
}

}  // namespace syncline
