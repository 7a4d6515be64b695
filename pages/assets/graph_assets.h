// The script and the style that draw a graph in a browser, which every page
// with a graph has: see graph_view.js.
//
// The script is all of the files graph_*.js and layered_layout.js; it defines
// `synclinePages`, and does nothing by itself. Neither needs a network.
//
// Thread rule: pure functions; the texts live as long as the program.
// Tested by view_page_test and browser_test.

#ifndef SYNCLINE_PAGES_ASSETS_GRAPH_ASSETS_H_
#define SYNCLINE_PAGES_ASSETS_GRAPH_ASSETS_H_

#include "absl/strings/string_view.h"

namespace syncline {

// JavaScript and CSS, in UTF-8, without "</" in them.
absl::string_view GraphScript();
absl::string_view GraphStyle();

// "sha256-...": how a Content-Security-Policy names a script or a style that
// has exactly this text.
absl::string_view GraphScriptHash();
absl::string_view GraphStyleHash();

}  // namespace syncline

#endif  // SYNCLINE_PAGES_ASSETS_GRAPH_ASSETS_H_
