#include "tools/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace syncline {
namespace {

constexpr absl::Duration kBetweenTries = absl::Milliseconds(20);
constexpr absl::Duration kUntilItIsTold = absl::Seconds(1);

absl::Status Refusal(int error) {
  return absl::UnavailableError(std::strerror(error));
}

bool IsPipe(const std::string& path) {
  struct stat about = {};
  return stat(path.c_str(), &about) == 0 && S_ISFIFO(about.st_mode);
}

// -1, and errno, for what cannot be opened.
int OpenToWrite(const std::string& path) {
  absl::Duration waited = absl::ZeroDuration();
  while (true) {
    // Without O_NONBLOCK a pipe that nobody reads would be waited for in
    // silence.
    const int fd =
        open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (fd >= 0) {
      // Whoever writes waits for whoever reads.
      fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
      return fd;
    }
    if (errno == EINTR) continue;
    if (errno != ENXIO || !IsPipe(path)) return -1;
    absl::SleepFor(kBetweenTries);
    waited += kBetweenTries;
    if (waited != kUntilItIsTold) continue;
    std::cerr << absl::StrCat("waiting for a program that reads the pipe \"",
                              path, "\"\n")
              << std::flush;
  }
}

}  // namespace

OutputFile::~OutputFile() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

absl::Status OutputFile::Open(const std::string& path) {
  if (path == "-") {
    file_ = stdout;
    return absl::OkStatus();
  }
  const int fd = OpenToWrite(path);
  if (fd < 0) return Refusal(errno);
  file_ = fdopen(fd, "w");
  if (file_ != nullptr) return absl::OkStatus();
  const int error = errno;
  close(fd);
  return Refusal(error);
}

int OutputFile::fd() const { return fileno(file_); }

absl::Status OutputFile::Begin() {
  struct stat about = {};
  if (file_ == stdout || fstat(fd(), &about) != 0 || !S_ISREG(about.st_mode)) {
    return absl::OkStatus();
  }
  return ftruncate(fd(), 0) == 0 ? absl::OkStatus() : Refusal(errno);
}

absl::Status OutputFile::Write(absl::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) == text.size()) {
    return absl::OkStatus();
  }
  return Refusal(errno);
}

absl::Status OutputFile::Flush() {
  return std::fflush(file_) == 0 && std::ferror(file_) == 0 ? absl::OkStatus()
                                                            : Refusal(errno);
}

absl::Status OutputFile::Close() {
  absl::Status flushed = Flush();
  if (file_ == stdout) return flushed;
  const bool is_closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!flushed.ok() || is_closed) return flushed;
  return Refusal(errno);
}

}  // namespace syncline
