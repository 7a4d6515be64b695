// What samples of a run say one after the other: packets per second, and the
// time that calls take, on the picture.
//
// Thread rule: the page's one thread.
// Tested by live_browser_test.
'use strict';
(function(pages) {

const SVG = 'http://www.w3.org/2000/svg';
// Rates are means over so many milliseconds.
const WINDOW_MS = 1500;
const {listOf} = pages;

// "3.2 ms" of microseconds.
pages.durationText = function(us) {
  if (us < 1000) return us.toFixed(us < 10 ? 1 : 0) + ' µs';
  const ms = us / 1000;
  if (ms < 1000) return ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0) + ' ms';
  const s = ms / 1000;
  if (s < 120) return s.toFixed(s < 10 ? 2 : 1) + ' s';
  const minutes = Math.floor(s / 60);
  if (minutes < 120) return minutes + ' min ' + Math.floor(s % 60) + ' s';
  return Math.floor(minutes / 60) + ' h ' + minutes % 60 + ' min';
};

pages.rateText = function(rate) {
  if (!rate) return '0/s';
  return (rate < 10 ? rate.toFixed(1) : pages.shortCount(Math.round(rate))) +
      '/s';
};

pages.percentText = share => (share * 100).toFixed(share < 0.1 ? 1 : 0) + ' %';

class Rates {
  constructor() {
    this.run = -1;
    this.samples = [];
  }

  // By stream; empty until there are two samples of the run.
  Add(sample) {
    if (sample.run !== this.run) {
      this.run = sample.run;
      this.samples = [];
    }
    const now = {ms: sample.unix_us / 1000,
                 counts: listOf(sample.state.num_packets)};
    this.samples.push(now);
    while (this.samples.length > 2 &&
           now.ms - this.samples[1].ms > WINDOW_MS) {
      this.samples.shift();
    }
    const first = this.samples[0];
    const seconds = (now.ms - first.ms) / 1000;
    if (seconds <= 0 || sample.state.phase !== 'running') return [];
    return now.counts.map(
        (count, i) => Math.max(0, count - (first.counts[i] || 0)) / seconds);
  }
}
pages.Rates = Rates;

function make(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  parent.appendChild(element);
  return element;
}

// A bar at the right end of each node for the share of time that it is in
// calls, and above it how long a call takes: above the line with the lengths of
// the input queues. `calls` as in the sample.
pages.showCalls = function(view, calls) {
  for (const shown of view.drawn) {
    const {item, element} = shown;
    // What is out of sight gets its times when it is seen.
    if (item.kind !== 'node' || !shown.isShown) continue;
    const call = calls[item.index];
    if (!call && !shown.calls) continue;
    if (!shown.calls) {
      shown.calls = {
        bar: make('rect', {class: 'busy', x: item.width - 5, width: 5, rx: 2},
                  element),
        text: make('text', {class: 'count call-time', x: item.width,
                            y: item.tops.length > 0 ? -17 : -4}, element)
      };
    }
    const busy = call ? Math.min(1, call[3]) : 0;
    const height = Math.round(busy * item.height);
    const text = call ? pages.durationText(call[1]) : '';
    const value = height + text;
    if (value === shown.calls.value) continue;
    shown.calls.value = value;
    shown.calls.bar.setAttribute('height', height);
    shown.calls.bar.setAttribute('y', item.height - height);
    shown.calls.text.textContent = text;
  }
};

})(globalThis.synclinePages);
