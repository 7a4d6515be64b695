// Flags that may be given several times.
//
//   run_graph --input=a=1.txt --input=b=2.txt
//
// The flag library keeps the last value of a flag and says nothing of the
// others. A flag that takes a list with commas can have all of them: the values
// are joined before the library sees them.
//
// Thread rule: free functions.
// Tested by repeated_flags_test.

#ifndef SYNCLINE_TOOLS_REPEATED_FLAGS_H_
#define SYNCLINE_TOOLS_REPEATED_FLAGS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace syncline {

// `args` with one "--flag=value,value" for each of `flags` that is there, at
// the place of its first use. Nothing after "--" is a flag.
std::vector<std::string> JoinRepeatedFlags(
    absl::Span<const std::string> args,
    absl::Span<const absl::string_view> flags);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_REPEATED_FLAGS_H_
