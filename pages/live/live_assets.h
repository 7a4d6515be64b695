// What the page of a run is made of in the browser, beside the drawing of the
// graph (pages/assets/graph_assets.h). No file is downloaded.
//
// Thread rule: pure functions; the texts live as long as the program.
// Tested by live_page_test and live_browser_test.

#ifndef SYNCLINE_PAGES_LIVE_LIVE_ASSETS_H_
#define SYNCLINE_PAGES_LIVE_LIVE_ASSETS_H_

#include "absl/strings/string_view.h"

namespace syncline {

// The document, which refers to /page.css, /graph.js, /live.js and /icon.svg.
// It holds no script, no style and no name of the graph.
absl::string_view LiveHtml();
absl::string_view LiveIcon();

absl::string_view LiveScript();
absl::string_view LiveScriptHash();
absl::string_view LiveStyle();
absl::string_view LiveStyleHash();

}  // namespace syncline

#endif  // SYNCLINE_PAGES_LIVE_LIVE_ASSETS_H_
