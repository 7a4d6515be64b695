// The script and the style of the page of a graph: see view.js.
//
// Thread rule: pure functions; the texts live as long as the program.
// Tested by view_page_test and browser_test.

#ifndef SYNCLINE_PAGES_VIEW_VIEW_ASSETS_H_
#define SYNCLINE_PAGES_VIEW_VIEW_ASSETS_H_

#include "absl/strings/string_view.h"

namespace syncline {

absl::string_view ViewScript();
absl::string_view ViewStyle();
// As in graph_assets.h.
absl::string_view ViewScriptHash();
absl::string_view ViewStyleHash();

}  // namespace syncline

#endif  // SYNCLINE_PAGES_VIEW_VIEW_ASSETS_H_
