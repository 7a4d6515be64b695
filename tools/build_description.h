// What a program was built from, in a few lines for --version.
//
// Bug reports start here: version, compiler, mode, sanitizer, libraries, and
// which GPUs this build can use on this machine.
//
// Thread rule: safe from any thread.
// Tested by build_description_test.
#ifndef SYNCLINE_TOOLS_BUILD_DESCRIPTION_H_
#define SYNCLINE_TOOLS_BUILD_DESCRIPTION_H_

#include <string>

#include "absl/strings/string_view.h"

namespace syncline {

// Lines of text, ending with a newline; the first names `program`.
std::string DescribeBuild(absl::string_view program);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_BUILD_DESCRIPTION_H_
