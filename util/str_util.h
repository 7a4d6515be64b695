// Splits a text into lines.
//
// Thread rule: free functions.
// Tested by label_map_util_test.

#ifndef SYNCLINE_UTIL_STR_UTIL_H_
#define SYNCLINE_UTIL_STR_UTIL_H_

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

namespace syncline {

// Calls `line_callback` with each line, without the "\n" or "\r\n" at its end.
// After a line end at the end of the text there is no further, empty line.
void ForEachLine(absl::string_view text,
                 absl::FunctionRef<void(absl::string_view line)> line_callback);

}  // namespace syncline

#endif  // SYNCLINE_UTIL_STR_UTIL_H_
