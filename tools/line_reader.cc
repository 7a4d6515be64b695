#include "tools/line_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"

namespace syncline {
namespace {

absl::Status Refusal(int error) {
  return absl::Status(absl::ErrnoToStatusCode(error), std::strerror(error));
}

}  // namespace

LineReader::~LineReader() {
  if (fd_ >= 0) close(fd_);
}

absl::Status LineReader::Open(const std::string& path) {
  do {
    fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  } while (fd_ < 0 && errno == EINTR);
  if (fd_ < 0) return Refusal(errno);
  struct stat about = {};
  // A folder opens, too.
  if (fstat(fd_, &about) == 0 && S_ISDIR(about.st_mode)) {
    return Refusal(EISDIR);
  }
  return absl::OkStatus();
}

absl::Status LineReader::OpenStandardInput() {
  fd_ = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  return fd_ < 0 ? Refusal(errno) : absl::OkStatus();
}

absl::Status LineReader::ReadBlock() {
  if (interrupt_fd_ >= 0) {
    pollfd fds[] = {{.fd = fd_, .events = POLLIN, .revents = 0},
                    {.fd = interrupt_fd_, .events = POLLIN, .revents = 0}};
    while (poll(fds, 2, -1) < 0 && errno == EINTR) {
    }
    if (fds[1].revents != 0) return absl::CancelledError("interrupted");
  }
  block_.resize(kBlockBytes);
  ssize_t size = 0;
  do {
    size = read(fd_, block_.data(), block_.size());
  } while (size < 0 && errno == EINTR);
  if (size < 0) {
    return absl::UnavailableError(
        absl::StrCat("the file cannot be read on: ", std::strerror(errno)));
  }
  left_ = absl::string_view(block_).substr(0, static_cast<std::size_t>(size));
  return absl::OkStatus();
}

absl::StatusOr<bool> LineReader::Next(std::string* line) {
  line->clear();
  ++line_number_;
  while (line->size() <= kMaxLineBytes) {
    if (left_.empty()) SYNCLINE_RETURN_IF_ERROR(ReadBlock());
    if (left_.empty()) return !line->empty();
    const std::size_t end = left_.find('\n');
    line->append(left_.data(), std::min(end, left_.size()));
    if (end != absl::string_view::npos) {
      left_.remove_prefix(end + 1);
      return true;
    }
    left_ = {};
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the line is longer than ", kMaxLineBytes,
                   " bytes; a line is TIMESTAMP VALUE"));
}

}  // namespace syncline
