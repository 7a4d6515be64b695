// How our programs end: 0 what was asked for was done, and the two below.
//
// Thread rule: free functions.
// Tested by run_graph_test and recording_tool_test.

#ifndef SYNCLINE_TOOLS_EXIT_STATUS_H_
#define SYNCLINE_TOOLS_EXIT_STATUS_H_

#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace syncline {

inline constexpr int kFailed = 1;
inline constexpr int kUsageIsWrong = 2;

// Text with names of others, in which nothing is a command to a terminal: its
// control characters are escaped, but for the ends of lines and tabs.
inline std::string Shown(absl::string_view text) {
  std::string shown;
  for (const char c : text) {
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c)) && c != '\n' &&
        c != '\t') {
      absl::StrAppend(
          &shown, "\\x",
          absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
    } else {
      shown += c;
    }
  }
  return shown;
}

// Says why on standard error, and returns the exit status.
inline int Fail(absl::string_view program, int exit_status,
                absl::string_view message) {
  std::cerr << program << ": "
            << Shown(absl::StripLeadingAsciiWhitespace(message)) << "\n";
  return exit_status;
}

// Where INVALID_ARGUMENT means the command line.
inline int ExitStatusOf(const absl::Status& status) {
  return absl::IsInvalidArgument(status) ? kUsageIsWrong : kFailed;
}

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_EXIT_STATUS_H_
