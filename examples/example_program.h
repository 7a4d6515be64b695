// What the programs of the examples share: --help, errors of the command line,
// and the exit status.
//
//   int main(int argc, char** argv) {
//     return syncline::RunExample(argc, argv, kUsage, {"input"},
//                                 [](const std::vector<std::string>& files) {
//                                   return syncline::Run(files);
//                                 });
//   }
//
// Thread rule: for main().
// Tested by the tests of the examples.

#ifndef SYNCLINE_EXAMPLES_EXAMPLE_PROGRAM_H_
#define SYNCLINE_EXAMPLES_EXAMPLE_PROGRAM_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace syncline {

// Calls `run` with the arguments of the command line that are not flags.
// Returns 0 if `run` succeeded, 1 if it failed, 2 if the command line is wrong.
// Errors go to standard error with the name of the program. `flags` are the
// names of the flags that the program defines.
int RunExample(int argc, char** argv, absl::string_view usage,
               const std::vector<std::string>& flags,
               const std::function<absl::Status(
                   const std::vector<std::string>& arguments)>& run);

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_EXAMPLE_PROGRAM_H_
