// Files that a program brings along, by a path that need not be where they are.
//
// A calculator has cc->GetResources(), which its application may replace; these
// functions are for code that has no calculator's context.
//
// A path that begins with "/" is taken as it is. Others are looked for under
// --resource_root_dir, where that is set, and else in the current folder and,
// in what Bazel runs, among the program's files.
//
// Thread rule: free functions.
// Tested by resource_util_test.

#ifndef SYNCLINE_UTIL_RESOURCE_UTIL_H_
#define SYNCLINE_UTIL_RESOURCE_UTIL_H_

#include <string>

#include "absl/flags/declare.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "util/resource_util_custom.h"

ABSL_DECLARE_FLAG(std::string, resource_root_dir);

namespace syncline {

// The path of the file, where it is now. NOT_FOUND when there is none, with the
// places that were looked at. The second argument exists for older code.
absl::StatusOr<std::string> PathToResourceAsFile(const std::string& path,
                                                 bool shadow_copy = true);

// The whole file. The third argument exists for older code: files are always
// read as they are. A provider (resource_util_custom.h) is asked instead, if
// there is one.
absl::Status GetResourceContents(const std::string& path, std::string* output,
                                 bool read_as_binary = true);

}  // namespace syncline

#endif  // SYNCLINE_UTIL_RESOURCE_UTIL_H_
