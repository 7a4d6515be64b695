// The bar above a GraphView: search, zoom, folding, side packets, and which
// color stands for which executor.
//
// Thread rule: the page's one thread.
// Tested by browser_test.
'use strict';
(function(pages) {

const {listOf, positionOf, textOf} = pages;

function html(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = pages.visible(String(text));
  return element;
}
pages.html = html;

function button(text, title, onClick) {
  const element = html('button', '', text);
  element.type = 'button';
  element.title = title;
  element.addEventListener('click', onClick);
  return element;
}

// --- Search

function rank(words, name, others) {
  const lower = name.toLowerCase();
  const rest = others.toLowerCase();
  if (!words.every(w => lower.includes(w) || rest.includes(w))) return -1;
  if (lower === words.join(' ')) return 0;
  if (lower.startsWith(words[0])) return 1;
  return words.every(w => lower.includes(w)) ? 2 : 3;
}

pages.searchPicture = function(picture, text, most) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = [];
  const look = (kind, index, name, detail) => {
    const r = rank(words, name, detail);
    if (r >= 0) found.push({kind, index, label: name, detail, rank: r});
  };
  listOf(picture.nodes).forEach(
      (n, i) => look('node', i, textOf(n.name),
                     textOf(n.type) + ' ' + textOf(n.location)));
  listOf(picture.subgraphs).forEach(
      (s, i) => look('subgraph', i, textOf(s.name),
                     textOf(s.type) + ' ' + textOf(s.location)));
  listOf(picture.streams).forEach(
      (s, i) => look('stream', i, textOf(s.name), textOf(s.type)));
  listOf(picture.side_packets).forEach(
      (s, i) => look('side_packet', i, textOf(s.name), textOf(s.type)));
  found.sort((a, b) => a.rank - b.rank);
  return found.slice(0, most);
};

const KIND_NAMES = {
  node: 'node', subgraph: 'subgraph', stream: 'stream',
  side_packet: 'side packet'
};

function addSearch(view, bar) {
  const box = html('div', 'graph-search');
  const field = html('input');
  field.type = 'search';
  field.placeholder = 'Search  ( / )';
  field.setAttribute('aria-label', 'Search nodes, streams and types');
  // From anywhere in the page but where one writes.
  document.addEventListener('keydown', event => {
    if (event.key !== '/' || event.ctrlKey || event.altKey || event.metaKey ||
        event.target.closest?.('input, textarea, select')) {
      return;
    }
    field.focus();
    event.preventDefault();
  });
  const results = html('ul', 'graph-results');
  results.hidden = true;
  const choose = hit => {
    results.hidden = true;
    view.Select({kind: hit.kind, index: hit.index}, true);
    view.canvas.focus();
  };
  const show = () => {
    results.textContent = '';
    const hits = view.Search(field.value);
    results.hidden = !field.value.trim();
    if (hits.length === 0) {
      results.appendChild(html('li', 'nothing', 'Nothing has this name.'));
    }
    for (const hit of hits) {
      const entry = html('li');
      const hitButton = button(hit.label, hit.detail, () => choose(hit));
      hitButton.appendChild(html('span', 'kind', KIND_NAMES[hit.kind]));
      entry.appendChild(hitButton);
      results.appendChild(entry);
    }
  };
  field.addEventListener('input', show);
  field.addEventListener('focus', show);
  box.addEventListener('keydown', event => {
    const buttons = [...results.querySelectorAll('button')];
    const current = buttons.indexOf(document.activeElement);
    if (event.key === 'Enter' && document.activeElement === field) {
      const hits = view.Search(field.value, 1);
      if (hits.length > 0) choose(hits[0]);
    } else if (event.key === 'ArrowDown' && buttons.length > 0) {
      buttons[Math.min(current + 1, buttons.length - 1)].focus();
    } else if (event.key === 'ArrowUp') {
      (current > 0 ? buttons[current - 1] : field).focus();
    } else if (event.key === 'Escape') {
      results.hidden = true;
      view.canvas.focus();
    } else {
      return;
    }
    event.preventDefault();
  });
  box.addEventListener('focusout', event => {
    if (!box.contains(event.relatedTarget)) results.hidden = true;
  });
  box.append(field, results);
  bar.appendChild(box);
  view.searchField = field;
}

// --- Executors

function addLegend(view, bar) {
  const executors = listOf(view.picture.executors);
  if (executors.length < 2) return;
  const counts = executors.map(() => 0);
  for (const node of listOf(view.picture.nodes)) {
    ++counts[positionOf(node.executor || 0)];
  }
  const legend = html('details', 'graph-legend');
  legend.appendChild(html('summary', '', 'Executors'));
  const list = html('ul');
  executors.forEach((executor, i) => {
    const entry = html('li');
    entry.appendChild(html('span', 'swatch executor-' + i % 8));
    const name = textOf(executor.name) || 'default';
    entry.appendChild(html('span', '', name + ' · ' +
        textOf(executor.description) + ' · ' + counts[i] +
        (counts[i] === 1 ? ' node' : ' nodes')));
    list.appendChild(entry);
  });
  legend.appendChild(list);
  bar.appendChild(legend);
}

pages.addToolbar = function(view) {
  const bar = html('div', 'graph-toolbar');
  bar.setAttribute('role', 'toolbar');
  addSearch(view, bar);
  bar.append(
      button('−', 'Smaller ( - )', () => view.ZoomBy(0.8)),
      button('+', 'Larger ( + )', () => view.ZoomBy(1.25)),
      button('Fit', 'All of it ( 0 )', () => view.Fit()));
  if (listOf(view.picture.subgraphs).length > 0) {
    bar.append(
        button('Unfold', 'Unfold all subgraphs', () => view.SetAllFolded(false)),
        button('Fold', 'Fold all subgraphs', () => view.SetAllFolded(true)));
  }
  if (listOf(view.picture.side_packets).length > 0) {
    const label = html('label', '', ' side packets');
    const box = html('input');
    box.type = 'checkbox';
    box.checked = view.showsSidePackets;
    box.addEventListener('change',
                         () => view.SetShowsSidePackets(box.checked));
    label.prepend(box);
    bar.appendChild(label);
  }
  addLegend(view, bar);
  view.container.insertBefore(bar, view.canvas);
};

})(globalThis.synclinePages = globalThis.synclinePages || {});
