#include "framework/port/file_helpers.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace syncline {
namespace file {
namespace {

namespace fs = std::filesystem;

fs::path ToPath(absl::string_view name) { return fs::path(std::string(name)); }

absl::Status FileError(int error, absl::string_view what,
                       absl::string_view file_name) {
  return absl::ErrnoToStatus(
      error, absl::StrCat("Cannot ", what, " \"",
                          absl::Utf8SafeCHexEscape(file_name), "\""));
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

absl::Status Write(absl::string_view file_name, absl::string_view contents,
                   const char* mode) {
  File file(std::fopen(std::string(file_name).c_str(), mode));
  if (file == nullptr) return FileError(errno, "open", file_name);
  const std::size_t written =
      std::fwrite(contents.data(), 1, contents.size(), file.get());
  // fclose writes the last part of the data, so its error is an error of the
  // write.
  if (written != contents.size() || std::fclose(file.release()) != 0) {
    return FileError(errno, "write", file_name);
  }
  return absl::OkStatus();
}

// Calls `visit` with each entry of a folder.
template <typename Visit>
absl::Status ForEachEntry(absl::string_view folder, Visit visit) {
  std::error_code error;
  fs::directory_iterator entry(ToPath(folder), error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    visit(*entry);
  }
  if (error) return FileError(error.value(), "list the folder", folder);
  return absl::OkStatus();
}

}  // namespace

absl::Status GetContents(absl::string_view file_name, std::string* contents,
                         bool /*read_as_binary*/) {
  File file(std::fopen(std::string(file_name).c_str(), "rb"));
  if (file == nullptr) return FileError(errno, "open", file_name);
  contents->clear();
  char buffer[1 << 14];
  std::size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof(buffer), file.get())) > 0) {
    contents->append(buffer, count);
  }
  if (std::ferror(file.get())) return FileError(errno, "read", file_name);
  return absl::OkStatus();
}

absl::Status SetContents(absl::string_view file_name,
                         absl::string_view contents) {
  return Write(file_name, contents, "wb");
}

absl::Status AppendStringToFile(absl::string_view file_name,
                                absl::string_view contents) {
  return Write(file_name, contents, "ab");
}

absl::Status Exists(absl::string_view file_name) {
  std::error_code error;
  if (fs::exists(ToPath(file_name), error)) return absl::OkStatus();
  return FileError(error ? error.value() : ENOENT, "find", file_name);
}

absl::Status IsDirectory(absl::string_view file_name) {
  std::error_code error;
  if (fs::is_directory(ToPath(file_name), error)) return absl::OkStatus();
  if (error) return FileError(error.value(), "find", file_name);
  return absl::FailedPreconditionError(
      absl::StrCat("\"", file_name, "\" is not a folder."));
}

absl::Status RecursivelyCreateDir(absl::string_view path) {
  if (path.empty() || IsDirectory(path).ok()) return absl::OkStatus();
  std::error_code error;
  fs::create_directories(ToPath(path), error);
  if (error) return FileError(error.value(), "make the folder", path);
  return absl::OkStatus();
}

absl::Status MatchFileTypeInDirectory(absl::string_view folder,
                                      absl::string_view suffix,
                                      std::vector<std::string>* results) {
  results->clear();
  absl::Status status =
      ForEachEntry(folder, [&](const fs::directory_entry& entry) {
        const std::string name = entry.path().string();
        if (absl::EndsWith(name, suffix)) results->push_back(name);
      });
  std::sort(results->begin(), results->end());
  return status;
}

absl::Status MatchInTopSubdirectories(absl::string_view parent,
                                      absl::string_view file_name,
                                      std::vector<std::string>* results) {
  results->clear();
  absl::Status status =
      ForEachEntry(parent, [&](const fs::directory_entry& entry) {
        const fs::path candidate = entry.path() / ToPath(file_name);
        std::error_code error;
        if (entry.is_directory(error) && fs::exists(candidate, error)) {
          results->push_back(candidate.string());
        }
      });
  std::sort(results->begin(), results->end());
  return status;
}

}  // namespace file
}  // namespace syncline
