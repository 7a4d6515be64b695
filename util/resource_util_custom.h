// Sets a function that GetResourceContents calls instead of reading files, for
// programs that keep their resources elsewhere: in an archive, in memory.
//
// Thread rule: set it before other threads read resources.
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

// Sets the function. False if there was one already; the new one replaces it. A
// null function removes it.
bool SetCustomGlobalResourceProvider(ResourceProviderFn fn);

}  // namespace syncline

#endif  // SYNCLINE_UTIL_RESOURCE_UTIL_CUSTOM_H_
