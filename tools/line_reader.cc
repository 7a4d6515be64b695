#include "tools/line_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/status_macros.h"

namespace syncline {
namespace {

constexpr int kBetweenQuestionsMs = 100;
constexpr absl::Duration kUntilItIsTold = absl::Seconds(1);

absl::Status Refusal(int error) {
  return absl::Status(absl::ErrnoToStatusCode(error), std::strerror(error));
}

}  // namespace

LineReader::~LineReader() {
  if (fd_ >= 0) close(fd_);
}

absl::Status LineReader::Open(const std::string& path) {
  do {
    // Without O_NONBLOCK, opening a pipe would wait for who writes to it.
    fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  } while (fd_ < 0 && errno == EINTR);
  return fd_ < 0 ? Refusal(errno) : Look();
}

absl::Status LineReader::OpenStandardInput() {
  fd_ = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  return fd_ < 0 ? Refusal(errno) : Look();
}

absl::Status LineReader::Look() {
  struct stat about = {};
  if (fstat(fd_, &about) != 0) return Refusal(errno);
  // A folder opens, too.
  if (S_ISDIR(about.st_mode)) return Refusal(EISDIR);
  may_wait_ = !S_ISREG(about.st_mode) && !S_ISBLK(about.st_mode);
  return absl::OkStatus();
}

absl::Status LineReader::WaitForInput() {
  if (!may_wait_ && interrupt_fd_ < 0) return absl::OkStatus();
  pollfd fds[] = {{.fd = fd_, .events = POLLIN, .revents = 0},
                  {.fd = interrupt_fd_, .events = POLLIN, .revents = 0}};
  const absl::Time start = absl::Now();
  while (true) {
    const bool has_questions = gives_up_ != nullptr || !wait_text_.empty();
    const int ready = poll(fds, 2, has_questions ? kBetweenQuestionsMs : -1);
    if (ready < 0 && errno == EINTR) continue;
    if (fds[1].revents != 0) return absl::CancelledError("interrupted");
    if (ready != 0) return absl::OkStatus();
    if (gives_up_ != nullptr && gives_up_()) {
      return absl::CancelledError("nobody waits for it any more");
    }
    if (wait_text_.empty() || absl::Now() - start < kUntilItIsTold) continue;
    std::cerr << absl::StrCat(wait_text_, "\n") << std::flush;
    wait_text_.clear();
  }
}

absl::Status LineReader::ReadBlock() {
  block_.resize(kBlockBytes);
  ssize_t size = 0;
  do {
    SYNCLINE_RETURN_IF_ERROR(WaitForInput());
    size = read(fd_, block_.data(), block_.size());
    // Somebody else may have read what was there.
  } while (size < 0 && (errno == EINTR || errno == EAGAIN));
  if (size < 0) {
    return absl::UnavailableError(
        absl::StrCat("the file cannot be read on: ", std::strerror(errno)));
  }
  wait_text_.clear();
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
