// What the generated tests of documentation pages call.
//
// tools/doc_snippets.py turns each ```pbtxt fence into a call of one of these,
// so that no page can show a graph that the plan compiler would answer
// differently from what the page says.
//
// Thread rule: called from the test's thread only.
#ifndef SYNCLINE_DOCS_SNIPPET_SUPPORT_H_
#define SYNCLINE_DOCS_SNIPPET_SUPPORT_H_

#include "absl/strings/string_view.h"

namespace syncline {
namespace docs {

// Fails the current test unless `graph` (text) compiles to a plan. `page` is
// the Markdown file, for messages.
void ExpectGraphCompiles(absl::string_view graph, absl::string_view page);

// Fails the current test unless `graph` is refused with an error that contains
// every line of `expected`.
void ExpectGraphFails(absl::string_view graph, absl::string_view page,
                      absl::string_view expected);

}  // namespace docs
}  // namespace syncline

#endif  // SYNCLINE_DOCS_SNIPPET_SUPPORT_H_
