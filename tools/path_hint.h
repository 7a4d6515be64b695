// PathHint: how to name a file that is not there, for programs that are started
// in another folder than the user's, as `bazel run` does.
//
// Thread rule: a pure function of the environment.
// Tested by graph_files_test.

#ifndef SYNCLINE_TOOLS_PATH_HINT_H_
#define SYNCLINE_TOOLS_PATH_HINT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace syncline {

// The end of an error's text; "" where that is not the reason.
std::string PathHint(absl::string_view path);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_PATH_HINT_H_
