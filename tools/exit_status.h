// Exit statuses of our programs: 0 means that the program has done what was
// asked for; the two others are below.
//
// Thread rule: free functions.
// Tested by exit_status_test, run_graph_test and recording_tool_test.

#ifndef SYNCLINE_TOOLS_EXIT_STATUS_H_
#define SYNCLINE_TOOLS_EXIT_STATUS_H_

#include <cstddef>
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "tools/terminal_colour.h"

namespace syncline {

inline constexpr int kFailed = 1;
inline constexpr int kUsageIsWrong = 2;

// Text with names of others, in which nothing is a command to a terminal: its
// control characters are escaped, those that UTF-8 writes in two bytes too, but
// for the ends of lines and tabs.
inline std::string Shown(absl::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto last = static_cast<unsigned char>(i == 0 ? 0 : text[i - 1]);
    const bool is_start =
        byte == 0xc2 && i + 1 < text.size() &&
        (static_cast<unsigned char>(text[i + 1]) & 0xe0) == 0x80;
    const bool is_rest = last == 0xc2 && (byte & 0xe0) == 0x80;
    if (is_start || is_rest ||
        (absl::ascii_iscntrl(byte) && byte != '\n' && byte != '\t')) {
      absl::StrAppend(&shown, "\\x", absl::Hex(byte, absl::kZeroPad2));
    } else {
      shown += text[i];
    }
  }
  return shown;
}

// A name in a line of its own making: ends of lines are escaped, too.
inline std::string ShownName(absl::string_view name) {
  return absl::StrReplaceAll(Shown(name), {{"\n", "\\n"}, {"\t", "\\t"}});
}

// Says why on standard error, and returns the exit status.
inline int Fail(absl::string_view program, int exit_status,
                absl::string_view message) {
  std::cerr << AsError(absl::StrCat(program, ":")) << " "
            << Shown(absl::StripLeadingAsciiWhitespace(message)) << "\n";
  return exit_status;
}

// Where INVALID_ARGUMENT means the command line.
inline int ExitStatusOf(const absl::Status& status) {
  return absl::IsInvalidArgument(status) ? kUsageIsWrong : kFailed;
}

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_EXIT_STATUS_H_
