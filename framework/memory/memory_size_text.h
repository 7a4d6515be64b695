// Sizes of memory as text, as GXF and Holoscan write them: "64MB".
//
//   B, KB, MB, GB, TB    powers of 1024; a number alone is bytes
//   "1.9MB"              1 MB: what is behind the point does not count
//
// Thread rule: pure functions.
// Tested by memory_size_text_test.

#ifndef SYNCLINE_FRAMEWORK_MEMORY_MEMORY_SIZE_TEXT_H_
#define SYNCLINE_FRAMEWORK_MEMORY_MEMORY_SIZE_TEXT_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace syncline {

// In bytes. INVALID_ARGUMENT for what is no size and for more than a number of
// bytes can be; `option` names the option in it.
absl::StatusOr<std::size_t> ParseMemorySize(absl::string_view option,
                                            absl::string_view text);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_MEMORY_MEMORY_SIZE_TEXT_H_
