// What a program says of itself instead of working: --help, which fits one
// screen and has examples, --help=all, which explains each flag, and --version.
// These are answered before the flag library is asked, which would end the
// program with exit status 1.
//
// Thread rule: free functions.
// Tested by about_program_test and run_graph_test.

#ifndef SYNCLINE_TOOLS_ABOUT_PROGRAM_H_
#define SYNCLINE_TOOLS_ABOUT_PROGRAM_H_

#include <string>

#include "absl/types/optional.h"

namespace syncline {

struct AboutProgram {
  std::string help;      // at most 40 lines of 80 columns
  std::string all_help;  // that of --help=all; empty: `help`
  std::string version;   // ends with a newline
};

// "recording (Syncline 0.1.0)\n"
std::string VersionLine(const std::string& program);

// Prints on standard output what the command line asks for, and returns the
// exit status: 1 if it cannot be written. Not set: nothing of this is asked
// for.
absl::optional<int> PrintAboutProgram(int argc, char** argv,
                                      const AboutProgram& about);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_ABOUT_PROGRAM_H_
