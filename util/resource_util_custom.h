// A function that GetResourceContents asks instead of reading files, for
// programs that have their resources elsewhere: in an archive, in memory.
//
// Thread rule: to be set before other threads read resources.
// Tested by resource_util_test.

#ifndef SYNCLINE_UTIL_RESOURCE_UTIL_CUSTOM_H_
#define SYNCLINE_UTIL_RESOURCE_UTIL_CUSTOM_H_

#include <functional>
#include <string>

#include "absl/status/status.h"

namespace syncline {

// Writes the contents of the resource with this path to `output`.
using ResourceProviderFn =
    std::function<absl::Status(const std::string& path, std::string* output)>;

// False when there was one already: the new one is then in its place. A null
// function removes it.
bool SetCustomGlobalResourceProvider(ResourceProviderFn fn);

}  // namespace syncline

#endif  // SYNCLINE_UTIL_RESOURCE_UTIL_CUSTOM_H_
