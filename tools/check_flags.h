// Checks a command line before the flag library sees it. The library would end
// the program with exit status 1, and with a text that does not say what to do.
//
// Thread rule: free functions.
// Tested by check_flags_test and run_graph_test.

#ifndef SYNCLINE_TOOLS_CHECK_FLAGS_H_
#define SYNCLINE_TOOLS_CHECK_FLAGS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace syncline {

// `own` are the names of the program's flags, which have values of their own
// afterwards; those of the library are left to it. INVALID_ARGUMENT: a flag
// that nobody knows, a value that is missing, a text that is empty, or a value
// that does not read.
absl::Status CheckFlags(absl::Span<const std::string> args,
                        absl::Span<const std::string> own);

// True if the command line asks for help in any of the usual ways. Asked before
// the flag library is, which would end with exit status 1.
bool WantsHelp(int argc, char** argv);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_CHECK_FLAGS_H_
