#include "tools/replace_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"
#include "framework/trace/file_beside.h"
#include "tools/exit_status.h"
#include "tools/output_file.h"
#include "tools/remove_on_signal.h"

namespace syncline {
namespace {

// Behind links, also those to files that are not there so far.
std::string RealPath(const std::string& path) {
  std::error_code error;
  std::filesystem::path real = path;
  // As many links as the system follows.
  for (int i = 0; i < 40 && std::filesystem::is_symlink(real, error); ++i) {
    const std::filesystem::path to = std::filesystem::read_symlink(real, error);
    if (error) return path;
    real = real.parent_path() / to;
  }
  return real.string();
}

}  // namespace

absl::Status ReplaceFile(absl::string_view program, const std::string& path,
                         absl::string_view bytes) {
  return ReplaceFile(program, path,
                     [bytes](WritePiece write) { return write(bytes); });
}

absl::Status ReplaceFile(absl::string_view program, const std::string& path,
                         absl::FunctionRef<absl::Status(WritePiece)> content,
                         std::function<bool()> gives_up) {
  struct stat about = {};
  const bool is_there = stat(path.c_str(), &about) == 0;
  if (path == "-" || (is_there && !S_ISREG(about.st_mode))) {
    return WriteFile(program, path, content, std::move(gives_up));
  }
  const std::string real = RealPath(path);
  const absl::StatusOr<std::string> made = MakeFileBeside(real);
  // The file may be one that can be written, in a folder that cannot. Where
  // there is none, the words of the error are those of any file.
  if (!made.ok() && (!is_there || absl::IsPermissionDenied(made.status()))) {
    return WriteFile(program, path, content, std::move(gives_up));
  }
  SYNCLINE_RETURN_IF_ERROR(made.status());
  const std::string& beside = *made;
  const RemoveOnSignal unfinished(beside);
  const absl::Status written = WriteFile(program, beside, content);
  if (!written.ok()) {
    unlink(beside.c_str());
    // The name of a file that is gone helps nobody.
    return absl::Status(
        written.code(),
        absl::StrReplaceAll(written.message(),
                            {{ShownName(beside), ShownName(path)}}));
  }
  if (is_there) chmod(beside.c_str(), about.st_mode & 07777);
  if (std::rename(beside.c_str(), real.c_str()) == 0) return absl::OkStatus();
  const int error = errno;
  unlink(beside.c_str());
  return absl::ErrnoToStatus(
      error, absl::StrCat("cannot write \"", ShownName(path), "\""));
}

}  // namespace syncline
