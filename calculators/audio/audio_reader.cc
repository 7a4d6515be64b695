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
  // Checked before the file is opened: opening a pipe would wait until somebody
  // writes into it.
  struct stat about = {};
  if (stat(name.c_str(), &about) == 0 && !S_ISREG(about.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat("Cannot read \"", path,
                     "\": it is a pipe, a device or a folder; samples are read "
                     "from regular files only"));
  }
  OpenFile file(std::fopen(name.c_str(), "rb"));
  if (file != nullptr) return file;
  return absl::ErrnoToStatus(errno, absl::StrCat("Cannot open \"", path, "\""));
}

}  // namespace syncline
