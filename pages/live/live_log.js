// The last lines of the program's log.
//
// Thread rule: the page's one thread.
// Tested by live_browser_test.
'use strict';
(function(pages) {

const MOST_LINES = 400;
const {html} = pages;
const NAMES = {I: 'info', W: 'warning', E: 'error', F: 'fatal'};

class LogList {
  constructor(box, count) {
    this.box = box;
    this.count = count;
    this.last = 0;
    this.warnings = 0;
    this.isAsking = false;
  }

  // The log has lines up to this number.
  async Follow(last) {
    if (last <= this.last || this.isAsking) return;
    this.isAsking = true;
    try {
      const answer = await fetch('/log.json?since=' + this.last);
      if (answer.status === 200) this.add((await answer.json()).lines);
    } catch (error) {
      // The page itself says that the program does not answer.
    }
    this.isAsking = false;
  }

  add(lines) {
    const box = this.box;
    const isAtEnd =
        box.scrollTop + box.clientHeight >= box.scrollHeight - 20;
    for (const line of lines) {
      this.last = line.number;
      const kind = NAMES[line.severity] || 'info';
      if (kind !== 'info') ++this.warnings;
      const row = html('div', 'line ' + kind);
      row.append(html('span', 'when', line.time + ' ' + line.severity),
                 html('span', 'said', line.text),
                 html('span', 'where', line.place));
      box.appendChild(row);
    }
    while (box.childNodes.length > MOST_LINES) box.firstChild.remove();
    if (isAtEnd) box.scrollTop = box.scrollHeight;
    this.count.textContent = this.last === 0 ? '' :
        ' — ' + this.last + (this.last === 1 ? ' line' : ' lines') +
            (this.warnings > 0 ? ', ' + this.warnings +
                 (this.warnings === 1 ? ' warning or error' :
                                        ' warnings or errors') : '');
  }
}
pages.LogList = LogList;

})(globalThis.synclinePages);
