// The page of a graph: the picture, and beside it what is said of the selection.
//
// Thread rule: the page's one thread.
// Tested by browser_test.
'use strict';
(function(pages) {

const picture =
    JSON.parse(document.getElementById('picture').textContent);
const stateText = document.getElementById('state').textContent;
const state = stateText.trim() ? JSON.parse(stateText) : null;
document.title = picture.title || 'Graph';

const place = document.getElementById('graph');
const panel = document.getElementById('panel');
const view = new pages.GraphView(place, picture);

function show(selection) {
  panel.replaceChildren(pages.detailsOf(
      picture, selection, state, other => view.Select(other, true)));
  panel.scrollTop = 0;
}
place.addEventListener('graph-select', event => show(event.detail));

if (state) {
  view.SetState(state);
  const told = state.error || state.standstill;
  if (told) {
    const banner = document.getElementById('banner');
    banner.textContent = told;
    banner.hidden = false;
  }
}
show(null);
pages.view = view;  // for tests

})(globalThis.synclinePages);
