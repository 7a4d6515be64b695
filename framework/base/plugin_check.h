// Reads the file of a shared library and says whether this process can open it
// safely. To open an unsuitable one would end the process.
//
// Thread rule: free functions.
// Tested by plugin_test, and by tools/install:plugin_test with whole
// installations.

#ifndef SYNCLINE_FRAMEWORK_BASE_PLUGIN_CHECK_H_
#define SYNCLINE_FRAMEWORK_BASE_PLUGIN_CHECK_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/library_file.h"

namespace syncline {

// What the checks below look at.
absl::StatusOr<LibraryFile> ReadPluginFile(const std::string& path);

// FAILED_PRECONDITION with the reason and what to do.
absl::Status CheckFitsThisProcess(const LibraryFile& plugin);

// True if it adds protos to Protobuf's tables, which nothing takes out again.
// Copies of protos that the program offers add nothing: they are not used.
bool HasProtos(const LibraryFile& plugin);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_PLUGIN_CHECK_H_
