// Tables beside the picture of a run: how long packets take to each sink, which
// nodes are busy, what was dropped, and what is to be said of a node.
//
// Names go in as text only.
//
// Thread rule: the page's one thread.
// Tested by live_browser_test.
'use strict';
(function(pages) {

const MOST_ROWS = 12;
const {listOf, textOf, html} = pages;

// `rows` are the first of `all`.
function table(title, names, rows, className, all) {
  const box = html('section', className);
  box.appendChild(html('h3', '', title));
  const body = html('table', 'numbers');
  const head = html('tr');
  for (const name of names) head.appendChild(html('th', '', name));
  body.appendChild(head);
  for (const row of rows) {
    const line = html('tr');
    for (const cell of row) {
      const place = html('td');
      place.append(cell);
      line.appendChild(place);
    }
    body.appendChild(line);
  }
  box.appendChild(body);
  if (all > rows.length) {
    box.appendChild(html('p', 'kind', all - rows.length + ' more'));
  }
  return box;
}

function link(text, selection, select) {
  const element = html('button', 'link', text);
  element.type = 'button';
  element.addEventListener('click', () => select(selection));
  return element;
}

function nodeLink(picture, index, select) {
  const node = listOf(picture.nodes)[index] || {};
  return link(textOf(node.name), {kind: 'node', index}, select);
}

function latencies(picture, sample, select) {
  // The slowest first.
  const sinks = listOf(sample.latencies)
      .slice().sort((a, b) => b.p99_us - a.p99_us);
  const rows = sinks.slice(0, MOST_ROWS).map(sink => {
    const list = listOf(sink.is_node ? picture.nodes : picture.streams);
    const index = list.findIndex(thing => thing.name === sink.name);
    const kind = sink.is_node ? 'node' : 'stream';
    return [
      index < 0 ? sink.name : link(sink.name, {kind, index}, select),
      pages.durationText(sink.p50_us), pages.durationText(sink.p99_us),
      pages.durationText(sink.longest_us)
    ];
  });
  return table('Latency by sink', ['sink', 'median', 'p99', 'longest'], rows,
               'latencies', sinks.length);
}

function busiest(picture, sample, select) {
  const busy = listOf(sample.calls)
      .map((call, index) => ({call, index}))
      .filter(entry => entry.call)
      .sort((a, b) => b.call[3] - a.call[3])
      .slice(0, MOST_ROWS);
  return table('Busiest nodes', ['node', 'busy', 'a call', 'calls'],
               busy.map(({call, index}) => [
                 nodeLink(picture, index, select), pages.percentText(call[3]),
                 pages.durationText(call[1]), pages.rateText(call[0])
               ]), 'busiest', 0);
}

function drops(picture, sample, select) {
  const all = listOf(sample.drops).length + listOf(sample.refusals).length;
  const rows = listOf(sample.drops).slice(0, MOST_ROWS).map(drop => {
    const node = listOf(picture.nodes)[drop.node] || {};
    const port = listOf(node.inputs)[drop.input] || {};
    const stream = listOf(picture.streams)[pages.positionOf(port.stream)] || {};
    return [nodeLink(picture, drop.node, select), textOf(stream.name),
            drop.cause, String(drop.packets)];
  });
  for (const refusal of listOf(sample.refusals).slice(0, MOST_ROWS)) {
    rows.push(['input of the graph', refusal.name, refusal.why,
               String(refusal.packets)]);
  }
  return table('Dropped packets', ['at', 'stream', 'why', 'packets'], rows,
               'drops', all);
}

// Of the whole run.
pages.overviewOf = function(picture, sample, select) {
  const box = html('div', 'details overview');
  if (listOf(sample.latencies).length > 0) {
    box.appendChild(latencies(picture, sample, select));
  }
  if (listOf(sample.calls).some(Boolean)) {
    box.appendChild(busiest(picture, sample, select));
  } else {
    box.appendChild(html('p', 'kind', listOf(sample.calls).length > 0 ?
        'There were no calls in the last second.' :
        'Calls have no times while nothing traces the run.'));
  }
  if (listOf(sample.drops).length + listOf(sample.refusals).length > 0) {
    box.appendChild(drops(picture, sample, select));
  }
  return box;
};

// Of one node, beside what detailsOf says.
pages.nodeNumbersOf = function(picture, sample, index) {
  const box = html('div', 'live-numbers');
  const call = listOf(sample.calls)[index];
  const list = html('dl');
  const row = (name, value) => {
    list.appendChild(html('dt', '', name));
    list.appendChild(html('dd', '', value));
  };
  if (call) {
    row('time of a call', pages.durationText(call[1]) + ', the longest ' +
            pages.durationText(call[2]));
    row('calls', pages.rateText(call[0]));
    row('busy', pages.percentText(call[3]) + ' of the last second');
  }
  for (const drop of listOf(sample.drops)) {
    if (drop.node !== index) continue;
    const node = listOf(picture.nodes)[index] || {};
    const port = listOf(node.inputs)[drop.input] || {};
    const stream = listOf(picture.streams)[pages.positionOf(port.stream)] || {};
    row('dropped', drop.packets + ' of ' + textOf(stream.name) + ': ' +
            drop.cause);
  }
  if (list.childNodes.length > 0) box.appendChild(list);
  return box;
};

})(globalThis.synclinePages);
