// Finds files that belong to a program, by a path that need not be the real
// one.
//
// A calculator should use cc->GetResources(), which its application may
// replace. These functions are for code without a calculator's context.
//
// A path that begins with "/" is used unchanged. Other paths are relative to
// --resource_root_dir if it is set; otherwise to the current folder and, in
// programs that Bazel runs, to their runfiles.
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

// The real path of the file. NOT_FOUND if there is no such file; the message
// lists the places that were tried. The second argument exists for older code.
absl::StatusOr<std::string> PathToResourceAsFile(const std::string& path,
                                                 bool shadow_copy = true);

// The whole file. The third argument exists for older code: it is ignored,
// since files are always read as binary. If a provider is set
// (resource_util_custom.h), it is asked instead of reading a file.
absl::Status GetResourceContents(const std::string& path, std::string* output,
                                 bool read_as_binary = true);

}  // namespace syncline

#endif  // SYNCLINE_UTIL_RESOURCE_UTIL_H_
