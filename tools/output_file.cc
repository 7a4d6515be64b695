#include "tools/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/status_text.h"
#include "tools/exit_status.h"

namespace syncline {
namespace {

constexpr absl::Duration kBetweenTries = absl::Milliseconds(20);
constexpr absl::Duration kUntilItIsTold = absl::Seconds(1);
// Appending, so that a file that somebody empties is shorter than what was
// written: each write goes to the end that the file has then.
constexpr int kFlags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;

absl::Status Refusal(int error) {
  return absl::UnavailableError(std::strerror(error));
}

// Of what is open.
absl::Status WriteError(int error) {
  const char* advice = "check that it takes what is written";
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) {
    advice = "check that there is room";
  } else if (error == EPIPE) {
    advice = "its reader has gone before the end";
  } else if (error == EBADF) {
    advice = "it is closed, so name a file";
  }
  return absl::UnavailableError(
      absl::StrCat(std::strerror(error), ": ", advice));
}

// As write(), but a reader that has gone is an error, not the end of the
// program: the signal is taken back from this thread.
ssize_t WriteWithoutSignal(int fd, const char* data, std::size_t size) {
  sigset_t pipe;
  sigset_t before;
  sigset_t pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  const ssize_t written = write(fd, data, size);
  const int error = errno;
  if (written < 0 && error == EPIPE && sigismember(&pending, SIGPIPE) == 0) {
    const timespec at_once = {};
    while (sigtimedwait(&pipe, nullptr, &at_once) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

bool IsPipe(const std::string& path) {
  struct stat about = {};
  return stat(path.c_str(), &about) == 0 && S_ISFIFO(about.st_mode);
}

// -1, and errno, for what cannot be opened. `is_new`: it made the file.
int OpenToWrite(absl::string_view program, const std::string& path,
                const std::function<bool()>& gives_up, bool* is_new) {
  int fd = open(path.c_str(), kFlags | O_EXCL, 0666);
  *is_new = fd >= 0;
  if (fd >= 0) return fd;
  absl::Duration waited = absl::ZeroDuration();
  while (true) {
    // Without O_NONBLOCK a pipe that nobody reads would be waited for in
    // silence.
    fd = open(path.c_str(), kFlags | O_NONBLOCK, 0666);
    if (fd >= 0) {
      // Whoever writes waits for whoever reads.
      fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
      return fd;
    }
    if (errno == EINTR) continue;
    if (errno != ENXIO || !IsPipe(path)) return -1;
    if (gives_up && gives_up()) {
      errno = ECANCELED;
      return -1;
    }
    absl::SleepFor(kBetweenTries);
    waited += kBetweenTries;
    if (waited != kUntilItIsTold) continue;
    std::cerr << absl::StrCat(program,
                              ": waiting for a program that reads the pipe \"",
                              ShownName(path), "\"\n")
              << std::flush;
  }
}

}  // namespace

OutputFile::~OutputFile() {
  if (file_ == nullptr || file_ == stdout) return;
  std::fflush(file_);
  RemoveIfEmpty();
  std::fclose(file_);
}

void OutputFile::RemoveIfEmpty() const {
  struct stat about = {};
  if (!is_new_ || fstat(fd(), &about) != 0 || about.st_size != 0) return;
  RemoveName();
}

void OutputFile::RemoveName() const {
  struct stat about = {};
  struct stat there = {};
  if (fstat(fd(), &about) != 0 || !S_ISREG(about.st_mode) ||
      lstat(path_.c_str(), &there) != 0 || there.st_dev != about.st_dev ||
      there.st_ino != about.st_ino) {
    return;
  }
  unlink(path_.c_str());
}

void OutputFile::Abandon() {
  if (file_ == nullptr || file_ == stdout) return;
  RemoveName();
  std::fclose(std::exchange(file_, nullptr));
}

absl::Status OutputFile::Open(const std::string& path) {
  if (path == "-") {
    file_ = stdout;
    return absl::OkStatus();
  }
  path_ = path;
  const int fd = OpenToWrite(program_, path, gives_up_, &is_new_);
  if (fd < 0) return Refusal(errno);
  struct stat about = {};
  is_pipe_ = fstat(fd, &about) == 0 && S_ISFIFO(about.st_mode);
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
  return ftruncate(fd(), 0) == 0 ? absl::OkStatus() : WriteError(errno);
}

absl::Status OutputFile::WriteToPipe(absl::string_view text) {
  constexpr int kTryMs = 20;
  while (!text.empty()) {
    if (gives_up_()) return WriteError(ECANCELED);
    pollfd pipe = {.fd = fd(), .events = POLLOUT, .revents = 0};
    if (poll(&pipe, 1, kTryMs) <= 0) continue;
    // There is room for so much, at least: it does not block.
    const ssize_t written = WriteWithoutSignal(
        fd(), text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return WriteError(errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return absl::OkStatus();
}

absl::Status OutputFile::Write(absl::string_view text) {
  if (is_pipe_ && gives_up_ != nullptr) return WriteToPipe(text);
  if (std::fwrite(text.data(), 1, text.size(), file_) == text.size()) {
    written_ += static_cast<std::int64_t>(text.size());
    return absl::OkStatus();
  }
  return WriteError(errno);
}

absl::Status OutputFile::Flush() {
  return std::fflush(file_) == 0 && std::ferror(file_) == 0 ? absl::OkStatus()
                                                            : WriteError(errno);
}

absl::Status OutputFile::CheckIsWhole() const {
  struct stat about = {};
  if (fstat(fd(), &about) != 0 || !S_ISREG(about.st_mode)) {
    return absl::OkStatus();
  }
  const char* what = nullptr;
  if (about.st_nlink == 0) {
    what = "removed";
  } else if (about.st_size < written_) {
    what = "emptied";
  }
  if (what == nullptr) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(
      "somebody ", what,
      " the file while it was being written: leave it as it is until the "
      "program has ended"));
}

absl::Status OutputFile::Close() {
  absl::Status flushed = Flush();
  if (file_ == stdout) return flushed;
  if (flushed.ok()) flushed = CheckIsWhole();
  if (!flushed.ok()) RemoveIfEmpty();
  const bool is_closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!flushed.ok() || is_closed) return flushed;
  return WriteError(errno);
}

absl::Status WriteFile(absl::string_view program, const std::string& path,
                       absl::FunctionRef<absl::Status(WritePiece)> content,
                       std::function<bool()> gives_up) {
  const std::string prefix =
      absl::StrCat("cannot write \"", ShownName(path), "\": ");
  OutputFile file(program);
  file.set_gives_up(std::move(gives_up));
  if (const absl::Status opened = file.Open(path); !opened.ok()) {
    return absl::UnavailableError(
        absl::StrCat(prefix, opened.message(),
                     ": check that the folder exists and you may write there"));
  }
  absl::Status of_file = file.Begin();
  absl::Status status = of_file;
  if (status.ok()) {
    status = content([&](absl::string_view piece) {
      const absl::Status written = file.Write(piece);
      of_file.Update(written);
      return written;
    });
  }
  if (status.ok()) status = of_file = file.Flush();
  if (status.ok()) {
    status = of_file = file.Close();
  } else {
    file.Abandon();
  }
  return of_file.ok() ? status : PrefixStatus(prefix, of_file);
}

absl::Status WriteFile(absl::string_view program, const std::string& path,
                       absl::string_view bytes) {
  return WriteFile(program, path,
                   [bytes](WritePiece write) { return write(bytes); });
}

}  // namespace syncline
