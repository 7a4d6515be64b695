#include "framework/trace/file_beside.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <random>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace syncline {

absl::StatusOr<std::string> MakeFileBeside(const std::string& path) {
  constexpr int kMostTries = 100;
  constexpr std::uint32_t kMaxNumber = 0xffffff;
  std::random_device random;
  int error = EEXIST;
  for (int i = 0; i < kMostTries && error == EEXIST; ++i) {
    const std::string beside = absl::StrCat(
        path, ".", absl::Hex(random() & kMaxNumber, absl::kZeroPad6));
    const int fd =
        open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
      close(fd);
      return beside;
    }
    error = errno;
  }
  return absl::ErrnoToStatus(
      error, absl::StrCat("No file can be made beside \"", path, "\""));
}

}  // namespace syncline
