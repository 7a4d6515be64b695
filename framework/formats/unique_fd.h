// UniqueFd: an open file descriptor that belongs to one owner and is closed
// with it.
//
// Thread rule: for one thread at a time.
// Tested by small_formats_test.

#ifndef SYNCLINE_FRAMEWORK_FORMATS_UNIQUE_FD_H_
#define SYNCLINE_FRAMEWORK_FORMATS_UNIQUE_FD_H_

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace syncline {

class UniqueFd {
 public:
  // No descriptor.
  UniqueFd() = default;
  // Takes ownership of the descriptor. A number below 0 is no descriptor.
  explicit UniqueFd(int fd) : fd_(fd < 0 ? -1 : fd) {}
  ~UniqueFd() { Reset(); }
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.Release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) Reset(other.Release());
    return *this;
  }

  bool IsValid() const { return fd_ >= 0; }
  // -1 when there is no descriptor.
  int Get() const { return fd_; }
  // Gives the descriptor away: the caller must close it.
  int Release() { return std::exchange(fd_, -1); }
  // Closes the descriptor, and takes ownership of another.
  void Reset(int fd = -1) {
    if (fd_ >= 0) close(fd_);
    fd_ = fd < 0 ? -1 : fd;
  }

  // Another descriptor of the same open file. FAILED_PRECONDITION when there is
  // none to duplicate; otherwise the error of the system.
  absl::StatusOr<UniqueFd> Dup() const {
    if (!IsValid()) {
      return absl::FailedPreconditionError(
          "There is no file descriptor to duplicate.");
    }
    UniqueFd copy(fcntl(fd_, F_DUPFD_CLOEXEC, 0));
    if (copy.IsValid()) return copy;
    return absl::ErrnoToStatus(
        errno, absl::StrCat("cannot duplicate the file descriptor ", fd_));
  }

 private:
  int fd_ = -1;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_FORMATS_UNIQUE_FD_H_
