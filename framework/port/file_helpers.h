// Reading, writing and finding files, with errors that name the file.
//
// Thread rule: free functions; the caller prevents two writes to one file at
// once.
// Tested by file_helpers_test.

#ifndef SYNCLINE_FRAMEWORK_PORT_FILE_HELPERS_H_
#define SYNCLINE_FRAMEWORK_PORT_FILE_HELPERS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/port/file_path.h"

namespace syncline {
namespace file {

// The whole file. NOT_FOUND if there is no such file; other errors get the code
// that fits the system's error. The third argument exists for older code: it is
// ignored, since files are always read as binary.
absl::Status GetContents(absl::string_view file_name, std::string* contents,
                         bool read_as_binary = true);

// Replaces the file.
absl::Status SetContents(absl::string_view file_name,
                         absl::string_view contents);

absl::Status AppendStringToFile(absl::string_view file_name,
                                absl::string_view contents);

// OK if a file or folder of that name exists.
absl::Status Exists(absl::string_view file_name);
absl::Status IsDirectory(absl::string_view file_name);

// Makes the folder and its parent folders. OK if it exists already.
absl::Status RecursivelyCreateDir(absl::string_view path);

// The paths of files in `folder` whose names end in `suffix`, sorted.
absl::Status MatchFileTypeInDirectory(absl::string_view folder,
                                      absl::string_view suffix,
                                      std::vector<std::string>* results);

// The paths of files called `file_name` in the folders directly under `parent`,
// sorted.
absl::Status MatchInTopSubdirectories(absl::string_view parent,
                                      absl::string_view file_name,
                                      std::vector<std::string>* results);

}  // namespace file
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_FILE_HELPERS_H_
