// Texts in DOT, the language of Graphviz. Whatever a name holds, it is shown as
// text: quotes, markup, backslashes and entities as they are, control
// characters as "\x01", and bytes that are no UTF-8 as U+FFFD.
//
// Thread rule: pure functions.
// Tested by dot_escape_test.

#ifndef SYNCLINE_PAGES_DOT_DOT_ESCAPE_H_
#define SYNCLINE_PAGES_DOT_DOT_ESCAPE_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace syncline {

// For a label in <...>, which is markup. In one line: ends of lines are shown
// as "\n".
std::string DotMarkup(absl::string_view text);

// A label in double quotes, with these. Ends of lines stay.
std::string DotQuoted(absl::string_view text);
// The same for a tooltip, whose backslashes Graphviz reads twice.
std::string DotTooltip(absl::string_view text);

// At most `most` characters: the beginning and the end, which tell names apart
// best, with "…" between.
std::string Shortened(absl::string_view text, std::size_t most);

}  // namespace syncline

#endif  // SYNCLINE_PAGES_DOT_DOT_ESCAPE_H_
