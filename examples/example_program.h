// What the programs of the examples share: --help, --version, errors of the
// command line, and the exit status.
//
//   int main(int argc, char** argv) {
//     return syncline::RunExample(
//         argc, argv,
//         {.summary = "Counts the words of files.",
//          .arguments = "[FILE...]",
//          .flags = {"longest"},
//          .examples = {"count_words --longest=20 *.txt"}},
//         [](const std::vector<std::string>& files) {
//           return syncline::Run(files);
//         });
//   }
//
// Thread rule: for main().
// Tested by the tests of the examples, and by every_program_test.

#ifndef SYNCLINE_EXAMPLES_EXAMPLE_PROGRAM_H_
#define SYNCLINE_EXAMPLES_EXAMPLE_PROGRAM_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace syncline {

// Lines have at most 80 columns.
struct ExampleProgram {
  // What it does: one sentence, or a paragraph.
  std::string summary;
  // What it takes besides flags, as "[FILE...]"; empty: nothing.
  std::string arguments = "";
  // The names of the flags that the program defines.
  std::vector<std::string> flags = {};
  // Command lines, each with the name of the program.
  std::vector<std::string> examples = {};
};

// Calls `run` with the arguments of the command line that are not flags.
// Returns 0 if `run` succeeded, 1 if it failed, 2 if the command line is wrong.
// Errors go to standard error with the name of the program.
int RunExample(int argc, char** argv, const ExampleProgram& program,
               const std::function<absl::Status(
                   const std::vector<std::string>& arguments)>& run);

// --help of an example, with its flags and the exit statuses.
std::string ExampleHelp(const std::string& name, const ExampleProgram& program);

}  // namespace syncline

#endif  // SYNCLINE_EXAMPLES_EXAMPLE_PROGRAM_H_
