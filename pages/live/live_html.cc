// The document of the page of a run, and its icon.
#include "absl/strings/string_view.h"
#include "pages/live/live_assets.h"

namespace syncline {

absl::string_view LiveHtml() {
  return R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Graph</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/page.css">
<script src="/graph.js" defer></script>
<script src="/live.js" defer></script>
</head>
<body>
<header>
<h1 id="title"></h1>
<span id="phase" class="phase" role="status"></span>
<span id="run" class="number"></span>
<span id="elapsed" class="number"></span>
<span id="rate" class="number"></span>
<div id="control" hidden>
<span id="trace-text" role="status"></span>
<button id="trace" type="button">Start trace</button>
<a id="save" href="/trace/file" download hidden>Save trace</a>
<a id="recent" href="/trace/recent" download>Save last events</a>
</div>
</header>
<div id="banner" role="alert" hidden></div>
<main>
<div id="graph"></div>
<aside id="panel" tabindex="0" aria-label="What is selected">
<button id="overview" type="button" hidden>Overview</button>
<div id="packet" hidden></div>
<div id="details"></div>
</aside>
</main>
<details id="log">
<summary>Log<span id="log-count"></span></summary>
<div id="log-lines" tabindex="0" role="log"></div>
</details>
</body>
</html>
)html";
}

absl::string_view LiveIcon() {
  return R"svg(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<path d="M8 3v4M8 7l-4 6M8 7l4 6" stroke="#3f8fd6" stroke-width="1.6"/>
<circle cx="8" cy="3" r="2.4" fill="#3f8fd6"/>
<circle cx="4" cy="13" r="2.4" fill="#3fa66b"/>
<circle cx="12" cy="13" r="2.4" fill="#d98324"/>
</svg>
)svg";
}

}  // namespace syncline
