#include "tools/file_uses.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tools/exit_status.h"
#include "tools/path_hint.h"

namespace syncline {
namespace {

// Devices and pipes hold nothing that could be overwritten.
bool HasBytesToLose(const struct stat& about) {
  return S_ISREG(about.st_mode) || S_ISBLK(about.st_mode);
}

}  // namespace

const FileUses::Use* FileUses::Find(const struct stat& about) const {
  for (const Use& use : uses_) {
    if (use.device == about.st_dev && use.file == about.st_ino) return &use;
  }
  return nullptr;
}

void FileUses::Add(const struct stat& about, bool is_written,
                   absl::string_view what, const std::string& path) {
  if (!HasBytesToLose(about)) return;
  uses_.push_back(
      {about.st_dev, about.st_ino, is_written, std::string(what), path});
}

absl::Status FileUses::CheckIsFree(const struct stat& about,
                                   absl::string_view what,
                                   const std::string& path) const {
  const Use* const use = HasBytesToLose(about) ? Find(about) : nullptr;
  if (use == nullptr) return absl::OkStatus();
  const std::string other_name =
      use->path == path ? "" : absl::StrCat(" \"", ShownName(use->path), "\"");
  return absl::InvalidArgumentError(absl::StrCat(
      what, " cannot write to \"", ShownName(path), "\": ", use->what,
      other_name, use->is_written ? " writes to" : " reads", " the same file",
      other_name.empty() ? "" : " by another name",
      ". Nothing was written: ", "choose another file to write to"));
}

void FileUses::AddRead(absl::string_view what, const std::string& path) {
  struct stat about = {};
  if (stat(path.c_str(), &about) == 0) Add(about, false, what, path);
}

void FileUses::AddRead(absl::string_view what, const std::string& path,
                       int fd) {
  struct stat about = {};
  if (fstat(fd, &about) == 0) Add(about, false, what, path);
}

absl::Status FileUses::AddWritten(absl::string_view what,
                                  const std::string& path) {
  written_.push_back(path);
  struct stat about = {};
  if (stat(path.c_str(), &about) != 0) return AddNew(what, path);
  const absl::Status is_free = CheckIsFree(about, what, path);
  if (is_free.ok()) Add(about, true, what, path);
  return is_free;
}

absl::Status FileUses::AddNew(absl::string_view what, const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder =
      slash == std::string::npos ? "." : path.substr(0, slash + 1);
  struct stat about = {};
  // Whoever writes the file says that the folder is not there.
  if (stat(folder.c_str(), &about) != 0) return absl::OkStatus();
  const std::string name =
      slash == std::string::npos ? path : path.substr(slash + 1);
  for (const New& other : new_) {
    if (other.device != about.st_dev || other.folder != about.st_ino ||
        other.name != name) {
      continue;
    }
    return absl::InvalidArgumentError(absl::StrCat(
        what, " cannot write to \"", ShownName(path), "\": ", other.what,
        " writes to the same file. Nothing was written: choose another file "
        "to write to"));
  }
  new_.push_back({about.st_dev, about.st_ino, name, std::string(what)});
  return absl::OkStatus();
}

absl::Status FileUses::AddWritten(absl::string_view what,
                                  const std::string& path, int fd) {
  written_.push_back(path);
  struct stat about = {};
  if (fstat(fd, &about) != 0) return absl::OkStatus();
  const absl::Status is_free = CheckIsFree(about, what, path);
  if (is_free.ok()) Add(about, true, what, path);
  return is_free;
}

void FileUses::TellPlaces(absl::string_view program) const {
  std::error_code error;
  const std::string folder = std::filesystem::current_path(error).string();
  for (const std::string& path : written_) {
    const std::string hint = path == "-" ? "" : PathHint(path);
    // What a run that fails would have written may not be there.
    if (hint.empty() || access(path.c_str(), F_OK) != 0) continue;
    std::cerr << program << ": \"" << ShownName(path) << "\" is in "
              << ShownName(folder) << ShownName(hint) << "\n";
  }
}

}  // namespace syncline
