// Colour for people who look at a terminal, and for nobody else.
//
// Thread rule: free functions.
// Tested by terminal_colour_test and run_graph_test.

#ifndef SYNCLINE_TOOLS_TERMINAL_COLOUR_H_
#define SYNCLINE_TOOLS_TERMINAL_COLOUR_H_

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace syncline {

// Whether what is written to file descriptor `fd` may have colours: it is a
// terminal that knows them, and NO_COLOR is not set to anything.
inline bool ShowsColour(int fd) {
  const char* const no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != 0) return false;
  const char* const terminal = std::getenv("TERM");
  return terminal != nullptr && absl::string_view(terminal) != "dumb" &&
         isatty(fd) == 1;
}

// `text` in bold red on standard error, where that shows colours.
inline std::string AsError(absl::string_view text) {
  if (!ShowsColour(STDERR_FILENO)) return std::string(text);
  return absl::StrCat("\033[1;31m", text, "\033[0m");
}

// The same in yellow, of a warning.
inline std::string AsWarning(absl::string_view text) {
  if (!ShowsColour(STDERR_FILENO)) return std::string(text);
  return absl::StrCat("\033[33m", text, "\033[0m");
}

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_TERMINAL_COLOUR_H_
