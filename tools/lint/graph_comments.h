// Comments of a graph's text, and the blocks at its top level that they stand
// in or beside.
//
//   node {              # line 1: one block from line 1 to line 3
//     calculator: "A"   # a comment
//   }
//
// Knows no more of Protobuf text than strings, comments, brackets and the rules
// of templates, so that it reads every text that the parser accepts.
//
// Thread rule: pure functions.
// Tested by graph_comments_test.

#ifndef SYNCLINE_TOOLS_LINT_GRAPH_COMMENTS_H_
#define SYNCLINE_TOOLS_LINT_GRAPH_COMMENTS_H_

#include <vector>

#include "absl/strings/string_view.h"

namespace syncline {

// Lines count from 1.
struct GraphComment {
  int line = 0;
  // After the '#', to the end of the line. Lives as long as the text.
  absl::string_view text;
};

// `field { ... }` or `field < ... >` at the top level.
struct TopBlock {
  // That of the field's name.
  int first_line = 0;
  // That of the last bracket.
  int last_line = 0;
};

struct GraphComments {
  std::vector<GraphComment> comments;
  // By their lines.
  std::vector<TopBlock> blocks;
};

// Linear in the length of the text, whatever is in it.
GraphComments FindGraphComments(absl::string_view text);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_LINT_GRAPH_COMMENTS_H_
