#include "calculators/audio/audio_reader.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace syncline {

absl::StatusOr<OpenFile> OpenForReading(absl::string_view path) {
  const std::string name(path);
  // Before it is opened: a pipe would wait for somebody to write into it.
  struct stat about = {};
  if (stat(name.c_str(), &about) == 0 && !S_ISREG(about.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat("Cannot read \"", path,
                     "\": it is no file with a beginning and an end"));
  }
  OpenFile file(std::fopen(name.c_str(), "rb"));
  if (file != nullptr) return file;
  return absl::ErrnoToStatus(errno, absl::StrCat("Cannot open \"", path, "\""));
}

}  // namespace syncline
