// Runs Graphviz, as a program: DOT in, SVG out.
//
// The program gets the text and gives its result by files in memory, so that
// nothing of it waits for anything of ours. It has no more time than the
// options say, and is killed then, with all that it has started.
//
// Thread rule: a free function; any number of calls may run at once.
// Tested by graphviz_test and graphviz_svg_test.

#ifndef SYNCLINE_PAGES_DOT_GRAPHVIZ_H_
#define SYNCLINE_PAGES_DOT_GRAPHVIZ_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace syncline {

struct GraphvizOptions {
  // Looked for in $PATH, unless it has a "/".
  std::string program = "dot";
  // As Graphviz calls it.
  std::string format = "svg";
  absl::Duration timeout = absl::Seconds(60);
};

// NOT_FOUND: there is no such program; DEADLINE_EXCEEDED: it took too long;
// INTERNAL: it failed, or gave nothing. Each says what to do.
absl::StatusOr<std::string> RunGraphviz(absl::string_view dot,
                                        const GraphvizOptions& options = {});

}  // namespace syncline

#endif  // SYNCLINE_PAGES_DOT_GRAPHVIZ_H_
