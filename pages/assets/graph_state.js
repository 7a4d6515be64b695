// What a run does, on the picture of its graph: packets by stream, the lengths
// of queues, who is in a call, what waits, and for whom.
//
// Thread rule: the page's one thread.
// Tested by browser_test.
'use strict';
(function(pages) {

const {listOf, positionOf, textOf} = pages;

// 1234567 is 1.2M: a count has to fit beside an arrow.
pages.shortCount = function(count) {
  const units = [[1e9, 'G'], [1e6, 'M'], [1e4, 'k']];
  for (const [size, unit] of units) {
    if (count < size) continue;
    const value = count / (unit === 'k' ? 1e3 : size);
    return value.toFixed(value < 100 ? 1 : 0) + unit;
  }
  return String(count);
};

function chipText(entry, state) {
  const {chip, side} = entry;
  if (chip.kind !== 'stream') return {text: ''};
  if (side === 'foot') {
    const count = listOf(state.num_packets)[chip.stream] || 0;
    // The page of a run that goes on knows rates, too.
    const rate = listOf(state.packets_per_second)[chip.stream];
    return {text: rate ? pages.rateText(rate) : pages.shortCount(count)};
  }
  let size = 0;
  let isFull = false;
  let dropped = 0;
  for (const reader of listOf(chip.readers)) {
    const node = listOf(state.nodes)[positionOf(reader.node)] || {};
    const queue = listOf(node.queues)[reader.port || 0] || {};
    size += queue.size || 0;
    dropped += queue.num_dropped || 0;
    isFull = isFull || (queue.limit > 0 && queue.size >= queue.limit);
  }
  const text = (size > 0 ? '≡' + pages.shortCount(size) : '') +
      (dropped > 0 ? ' −' + pages.shortCount(dropped) : '');
  return {text, className: isFull ? 'full' : dropped > 0 ? 'dropped' : ''};
}

function showChips(view, state, svg) {
  for (const entry of view.chips) {
    const {text, className} = state ? chipText(entry, state) : {text: ''};
    const value = text + '|' + (className || '');
    if (value === entry.value) continue;
    entry.value = value;
    if (!entry.text) {
      entry.text = svg('text', {
        x: entry.x + 4, y: entry.side === 'foot' ? entry.y + 26 : entry.y - 4
      }, entry.parent);
    }
    entry.text.textContent = text;
    entry.text.setAttribute('class', 'count ' + (className || ''));
  }
}

function waitsOf(state) {
  const nodes = new Map();
  const edges = new Set();
  const causes = new Set();
  for (const wait of listOf(state && state.waits)) {
    const waiting = positionOf(wait.waiting);
    nodes.set(waiting, textOf(wait.why));
    if (positionOf(wait.stream) >= 0) {
      edges.add(waiting + ' ' + wait.stream);
    }
    if (positionOf(wait.for_node) < 0) causes.add(waiting);
  }
  return {nodes, edges, causes};
}

function showWaits(view, state) {
  const {nodes, edges, causes} = waitsOf(state);
  for (const shown of view.drawn) {
    const {item, element} = shown;
    if (item.kind !== 'node' && item.kind !== 'closed') continue;
    const members = item.kind === 'node' ? [item.index] : item.nodes;
    const states = listOf(state && state.nodes);
    element.classList.toggle('waits', members.some(i => nodes.has(i)));
    element.classList.toggle('cause', members.some(i => causes.has(i)));
    element.classList.toggle(
        'in-call', members.some(i => states[i] && states[i].is_in_call));
    element.classList.toggle('held', members.some(i =>
        listOf(states[i] && states[i].condition_states)
            .some(s => textOf(s).startsWith('WAIT'))));
  }
  for (const shown of view.edges) {
    const {edge} = shown;
    shown.element.classList.toggle(
        'waits', edge.kind === 'stream' &&
                     edge.readers.some(r => edges.has(positionOf(r.node) + ' ' +
                                                      edge.stream)));
  }
}

pages.showState = function(view, state, svg) {
  showChips(view, state, svg);
  showWaits(view, state);
};

})(globalThis.synclinePages = globalThis.synclinePages || {});
