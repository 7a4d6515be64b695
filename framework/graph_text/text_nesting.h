// How deep the brackets of protobuf text are inside each other.
//
// A parser that calls itself for each bracket needs a stack for all of them.
// Protobuf's counts messages, but not the values of Anys, each of which may be
// an Any: so brackets are counted before it sees the text.
//
// Thread rule: a pure function.
// Tested by text_nesting_test and proto_text_bad_input_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEXT_NESTING_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEXT_NESTING_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace syncline {

// The place of the first bracket that is inside `max_depth` others; npos when
// none is. Brackets in strings and comments do not count.
size_t FindTooDeep(absl::string_view text, int max_depth);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEXT_NESTING_H_
