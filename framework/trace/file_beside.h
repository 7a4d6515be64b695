// MakeFileBeside: an empty file with a name that nobody else has, in the folder
// of another one: for what takes the place of that one once it is whole.
//
// Thread rule: any thread.
// Tested by file_beside_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_FILE_BESIDE_H_
#define SYNCLINE_FRAMEWORK_TRACE_FILE_BESIDE_H_

#include <string>

#include "absl/status/statusor.h"

namespace syncline {

// Returns the path of the file: `path`, a point, and six hexadecimal digits.
// Who may read it follows from the umask, as for any file; that is why it is
// not one of mkstemp(3), which only its owner may read. The errors are those of
// the file system, and name the file.
absl::StatusOr<std::string> MakeFileBeside(const std::string& path);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_FILE_BESIDE_H_
