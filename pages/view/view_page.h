// The page of a graph as one HTML file, which needs no server and no network.
//
// Names are in it as JSON only (pages/model/picture_json.h), and the scripts
// put them into the page as text, so no name can be markup. A
// Content-Security-Policy lets nothing run but these scripts, and nothing be
// fetched.
//
// Thread rule: a pure function.
// Tested by view_page_test and browser_test.

#ifndef SYNCLINE_PAGES_VIEW_VIEW_PAGE_H_
#define SYNCLINE_PAGES_VIEW_VIEW_PAGE_H_

#include <string>

#include "pages/model/graph_picture.h"

namespace syncline {

// `state` may be null: no run is shown.
std::string ViewPage(const GraphPicture& picture,
                     const PictureState* state = nullptr);

}  // namespace syncline

#endif  // SYNCLINE_PAGES_VIEW_VIEW_PAGE_H_
