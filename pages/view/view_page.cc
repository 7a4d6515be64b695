#include "pages/view/view_page.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "pages/assets/graph_assets.h"
#include "pages/model/graph_picture.h"
#include "pages/model/picture_json.h"
#include "pages/view/view_assets.h"

namespace syncline {

std::string ViewPage(const GraphPicture& picture, const PictureState* state) {
  return absl::StrCat(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\""
      "default-src 'none'; base-uri 'none'; form-action 'none'; script-src '",
      GraphScriptHash(), "' '", ViewScriptHash(), "'; style-src '",
      GraphStyleHash(), "' '", ViewStyleHash(),
      "'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>Graph</title>\n<style>",
      GraphStyle(), "</style>\n<style>", ViewStyle(),
      "</style>\n</head>\n<body>\n<div id=\"banner\" role=\"status\" hidden>"
      "</div>\n<main>\n<div id=\"graph\"></div>\n"
      "<aside id=\"panel\" aria-label=\"Details\" tabindex=\"0\"></aside>\n"
      "</main>\n<noscript>This page draws a graph with JavaScript, which is "
      "switched off here.</noscript>\n"
      "<script type=\"application/json\" id=\"picture\">",
      ToJson(picture),
      "</script>\n<script type=\"application/json\" id=\"state\">",
      state == nullptr ? "" : ToJson(*state), "</script>\n<script>",
      GraphScript(), "</script>\n<script>", ViewScript(),
      "</script>\n</body>\n</html>\n");
}

}  // namespace syncline
