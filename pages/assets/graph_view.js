// GraphView: a graph to look at in a browser: pan, zoom, unfold, search, select,
// by pointer and by keyboard; and, with SetState, what a run of it does.
//
//   const view = new synclinePages.GraphView(element, picture);
//   element.addEventListener('graph-select', e => show(e.detail));
//   view.SetState(state);
//
// The picture and the state are the JSON of pages/model/picture_json.h. Names
// go into the page as text only, whatever is in them.
//
// A graph of many nodes stays quick: what is out of sight is not drawn, and
// from far away the small texts are left out (graph.css).
//
// Thread rule: the page's one thread.
// Tested by browser_test.
'use strict';
(function(pages) {

const SVG = 'http://www.w3.org/2000/svg';
const MOST_NODES_UNFOLDED = 60;
const MOST_SIDE_PACKET_ARROWS = 80;
const NUM_COLORS = 8;
const FONTS = {
  title: '600 13px system-ui, sans-serif',
  subtitle: '11px system-ui, sans-serif',
  chip: '10.5px system-ui, sans-serif'
};
const {listOf, positionOf, textOf} = pages;

function svg(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes || {})) {
    element.setAttribute(key, value);
  }
  if (parent) parent.appendChild(element);
  return element;
}

function textAt(parent, x, y, text, className) {
  const element = svg('text', {x, y, class: className}, parent);
  element.textContent = pages.visible(String(text));
  return element;
}

function setTooltip(element, text) {
  svg('title', {}, element).textContent = pages.visible(text);
}

function makeMeasure() {
  const context = document.createElement('canvas').getContext('2d');
  const known = new Map();
  return (text, style) => {
    if (!text) return 0;
    const key = style + text;
    if (!known.has(key)) {
      context.font = FONTS[style];
      known.set(key, context.measureText(text).width);
    }
    return known.get(key);
  };
}

function pathOf(points) {
  let path = 'M' + points[0].x.toFixed(1) + ' ' + points[0].y.toFixed(1);
  for (let i = 1; i < points.length; ++i) {
    const a = points[i - 1];
    const b = points[i];
    const x = b.x.toFixed(1);
    const y = b.y.toFixed(1);
    if (Math.abs(a.x - b.x) < 0.5) {
      path += 'L' + x + ' ' + y;
      continue;
    }
    // Leaves downward and arrives from above; around the end of a way up, it
    // bends twice.
    const bend = Math.max(18, Math.abs(b.y - a.y) / 2);
    path += 'C' + a.x.toFixed(1) + ' ' + (a.y + bend).toFixed(1) + ' ' + x +
        ' ' + (b.y - bend).toFixed(1) + ' ' + x + ' ' + y;
  }
  return path;
}

// A lane that goes up is left by its upper end, and entered by its lower one.
function upwardPathOf(points) {
  const at = p => p.x.toFixed(1) + ' ' + p.y.toFixed(1);
  const shifted = (p, dy) => p.x.toFixed(1) + ' ' + (p.y + dy).toFixed(1);
  let path = 'M' + at(points[0]);
  for (let i = 1; i < points.length; ++i) {
    const a = points[i - 1];
    const b = points[i];
    if (i === 1) {
      path += 'C' + shifted(a, 22) + ' ' + shifted(b, 22) + ' ' + at(b);
    } else if (i === points.length - 1) {
      path += 'C' + shifted(a, -22) + ' ' + shifted(b, -22) + ' ' + at(b);
    } else if (Math.abs(a.x - b.x) < 0.5) {
      path += 'L' + at(b);
    } else {
      const bend = (b.y - a.y) / 2;
      path += 'C' + shifted(a, bend) + ' ' + shifted(b, -bend) + ' ' + at(b);
    }
  }
  return path;
}

class GraphView extends pages.GraphMotion {
  // options: toolbar (true), closed (positions of subgraphs that are closed at
  // first; by default all of a graph of more than 60 nodes).
  constructor(container, picture, options) {
    super(container);
    options = options || {};
    this.picture = picture;
    this.measure = makeMeasure();
    this.state = null;
    this.selection = null;
    const subgraphs = listOf(picture.subgraphs).map((_, i) => i);
    this.closed = new Set(
        options.closed ||
        (listOf(picture.nodes).length > MOST_NODES_UNFOLDED ? subgraphs : []));
    const arrows = listOf(picture.side_packets)
                       .reduce((n, s) => n + listOf(s.readers).length, 0);
    this.showsSidePackets = arrows <= MOST_SIDE_PACKET_ARROWS;
    if (options.toolbar !== false) pages.addToolbar(this);
    this.layOut();
    this.FitReadable();
  }

  // --- What is drawn

  layOut() {
    this.drawing = pages.drawingOf(this.picture, this.closed,
                                   this.showsSidePackets, this.measure);
    this.width = this.drawing.width;
    this.height = this.drawing.height;
    this.world.textContent = '';
    this.byNode = new Map();
    this.bySubgraph = new Map();
    this.chips = [];
    const boxes = svg('g', {}, this.world);
    const edges = svg('g', {}, this.world);
    const nodes = svg('g', {}, this.world);
    this.edges = this.drawing.edges.map(edge => this.drawEdge(edge, edges));
    this.drawn = this.drawing.items.map(
        item => this.drawItem(item, item.kind === 'open' ? boxes : nodes));
    this.markSelection();
    this.showState();
    this.hideUnseen(true);
  }

  drawEdge(edge, parent) {
    const classes = ['edge', edge.kind === 'stream' ? 'of-stream' : 'of-side'];
    if (edge.isStyledBack) classes.push('back');
    const isUp = edge.points.some((p, i) => i > 1 && i < edge.points.length - 1 &&
                                     p.y < edge.points[i - 1].y);
    const path = svg('path', {
      d: isUp ? upwardPathOf(edge.points) : pathOf(edge.points),
      class: classes.join(' ')
    }, parent);
    setTooltip(path, this.streamText(edge.kind, edge.stream));
    path.addEventListener('click', event => {
      event.stopPropagation();
      this.Select({kind: edge.kind, index: edge.stream});
    });
    const xs = edge.points.map(p => p.x);
    const ys = edge.points.map(p => p.y);
    return {
      edge, element: path, isShown: true, x: Math.min(...xs) - 20,
      y: Math.min(...ys) - 30, right: Math.max(...xs) + 20,
      bottom: Math.max(...ys) + 30
    };
  }

  streamText(kind, index) {
    const stream = listOf(kind === 'stream' ? this.picture.streams :
                                              this.picture.side_packets)[index];
    if (!stream) return '';
    return textOf(stream.name) + (stream.type ? ': ' + stream.type : '') +
        (kind === 'stream' ? '' : ' (side packet)');
  }

  drawItem(item, parent) {
    const group = svg('g', {
      transform: 'translate(' + item.x.toFixed(1) + ' ' + item.y.toFixed(1) +
          ')',
      class: 'item ' + item.kind
    }, parent);
    const shown = {
      item, element: group, isShown: true, x: item.x, y: item.y,
      right: item.x + item.width, bottom: item.y + item.height
    };
    if (item.kind === 'node') {
      this.drawNode(item, group);
      this.byNode.set(item.index, shown);
    } else if (item.kind === 'closed' || item.kind === 'open') {
      this.drawSubgraph(item, group);
      this.bySubgraph.set(item.index, shown);
      if (item.kind === 'closed') {
        for (const node of item.nodes) this.byNode.set(node, shown);
      }
    } else {
      this.drawPill(item, group);
    }
    group.addEventListener('click', event => {
      event.stopPropagation();
      this.Select(this.selectionOf(item));
    });
    return shown;
  }

  selectionOf(item) {
    if (item.kind === 'node') return {kind: 'node', index: item.index};
    if (item.kind === 'input' || item.kind === 'output') {
      return {kind: item.of, index: item.stream};
    }
    return {kind: 'subgraph', index: item.index};
  }

  drawNode(item, group) {
    const node = this.picture.nodes[item.index];
    const color = positionOf(node.executor || 0) % NUM_COLORS;
    group.classList.add('executor-' + color);
    if (!node.is_known) group.classList.add('unknown');
    if (node.is_source) group.classList.add('source');
    this.drawBody(item, group);
    svg('rect', {class: 'band', width: 5, height: item.height, rx: 2}, group);
    this.drawRemarks(listOf(node.remarks), item, group);
    setTooltip(group, [node.name, node.type, node.location]
                          .filter(Boolean).join('\n'));
  }

  drawBody(item, group) {
    svg('rect', {class: 'box', width: item.width, height: item.height, rx: 6},
        group);
    const middle = item.width / 2;
    textAt(group, middle, item.titleY, item.title, 'title');
    let y = item.titleY;
    if (item.subtitle) textAt(group, middle, y += 15, item.subtitle, 'small');
    if (item.note) textAt(group, middle, y += 14, item.note, 'small note');
    for (const chip of item.tops) this.drawChip(chip, 0, 'top', group);
    for (const chip of item.feet) {
      this.drawChip(chip, item.height - 15, 'foot', group);
    }
  }

  drawChip(chip, y, side, parent) {
    const group = svg('g', {
      class: 'chip ' + side + (chip.kind === 'stream' ? '' : ' side') +
          (chip.stream < 0 ? ' open-end' : '') + (chip.isBack ? ' back' : '')
    }, parent);
    svg('rect', {x: chip.x, y, width: chip.width, height: 15, rx: 4}, group);
    const middle = chip.x + chip.width / 2;
    if (chip.label) textAt(group, middle, y + 11, chip.label, 'chip-text');
    const type = chip.type ? ': ' + chip.type : '';
    setTooltip(group, chip.stream < 0 ? textOf(chip.label) + type :
                   this.streamText(chip.kind, chip.stream) +
                       (side === 'top' && chip.label ? ' at ' + chip.label :
                                                       ''));
    group.addEventListener('click', event => {
      if (chip.stream < 0) return;
      event.stopPropagation();
      this.Select({kind: chip.kind, index: chip.stream});
    });
    this.chips.push({chip, side, parent, x: middle, y, text: null, value: ''});
  }

  drawSubgraph(item, group) {
    const subgraph = this.picture.subgraphs[item.index];
    if (item.kind === 'closed') {
      this.drawBody(item, group);
      const remarks = listOf(subgraph.remarks).slice();
      for (const node of item.nodes) {
        remarks.push(...listOf(this.picture.nodes[node].remarks));
      }
      this.drawRemarks(remarks, item, group);
    } else {
      svg('rect', {class: 'box', width: item.width, height: item.height, rx: 8},
          group);
      group.classList.add('depth-' + item.depth % 2);
      const label = svg('g', {class: 'open-title'}, group);
      const width = this.measure(item.title, 'title') +
          this.measure(item.subtitle, 'subtitle') + 40;
      svg('rect', {x: 4, y: 4, width, height: 20, rx: 4}, label);
      textAt(label, 10, 18, '▾ ' + item.title, 'title left');
      textAt(label, 26 + this.measure(item.title, 'title'), 18, item.subtitle,
             'small left');
      this.drawRemarks(listOf(subgraph.remarks), item, group);
    }
    setTooltip(group, [subgraph.name, subgraph.type, subgraph.location]
                          .filter(Boolean).join('\n'));
    group.addEventListener('dblclick', event => {
      event.stopPropagation();
      this.SetFolded(item.index, item.kind === 'open');
    });
    // The title of an open one and all of a closed one fold and unfold.
    const handle = item.kind === 'open' ? group.querySelector('.open-title') :
                                          group.querySelector('.note');
    handle.classList.add('handle');
    handle.addEventListener('click', event => {
      event.stopPropagation();
      this.SetFolded(item.index, item.kind === 'open');
    });
  }

  drawPill(item, group) {
    svg('rect', {class: 'box', width: item.width, height: item.height, rx: 10},
        group);
    if (item.of !== 'stream') group.classList.add('side');
    textAt(group, item.width / 2, 14,
           (item.kind === 'input' ? '↓ ' : '') + item.title +
               (item.kind === 'output' ? ' ↓' : ''), 'chip-text');
    setTooltip(group, this.streamText(item.of, item.stream) +
                          (item.kind === 'input' ? '\ninput of the graph' :
                                                   '\noutput of the graph'));
  }

  drawRemarks(remarks, item, group) {
    if (remarks.length === 0) return;
    const isError = remarks.some(r => r.kind === 'error');
    group.classList.add(isError ? 'has-error' : 'has-warning');
    const badge = svg('g', {
      class: 'badge ' + (isError ? 'error' : 'warning'),
      transform: 'translate(' + (item.width - 4) + ' 4)'
    }, group);
    svg('circle', {r: 9}, badge);
    textAt(badge, 0, 4, remarks.length === 1 ? '!' : remarks.length,
           'badge-text');
    setTooltip(badge, remarks.map(r => textOf(r.text)).join('\n\n'));
  }

  // --- Selection

  // {kind: 'node', 'subgraph', 'stream' or 'side_packet', index}, or null.
  // `reveal`: unfolds what is around it, and brings it into view.
  Select(selection, reveal) {
    this.selection = selection;
    if (reveal) this.Reveal(selection);
    this.markSelection();
    this.container.dispatchEvent(
        new CustomEvent('graph-select', {detail: selection}));
  }

  markSelection() {
    const selected = this.selection || {};
    for (const shown of this.drawn || []) {
      const own = this.selectionOf(shown.item);
      shown.element.classList.toggle(
          'selected', own.kind === selected.kind &&
                          own.index === selected.index);
    }
    for (const shown of this.edges || []) {
      const {edge} = shown;
      const isSelected =
          edge.kind === selected.kind && edge.stream === selected.index;
      const stream = listOf(edge.kind === 'stream' ? this.picture.streams :
                                this.picture.side_packets)[edge.stream] || {};
      const touches = selected.kind === 'node' &&
          (positionOf(stream.from_node) === selected.index ||
           edge.readers.some(r => positionOf(r.node) === selected.index));
      shown.element.classList.toggle('selected', isSelected || touches);
    }
  }

  Reveal(selection) {
    if (!selection) return;
    let subgraph = -1;
    if (selection.kind === 'node') {
      subgraph = positionOf(this.picture.nodes[selection.index].subgraph);
    } else if (selection.kind === 'subgraph') {
      subgraph = positionOf(this.picture.subgraphs[selection.index].parent);
    } else {
      return this.revealStream(selection);
    }
    let changed = false;
    for (; subgraph >= 0;
         subgraph = positionOf(this.picture.subgraphs[subgraph].parent)) {
      changed = this.closed.delete(subgraph) || changed;
    }
    if (changed) this.layOut();
    const shown = (selection.kind === 'node' ? this.byNode : this.bySubgraph)
                      .get(selection.index);
    if (shown) this.BringIntoView(shown);
  }

  revealStream(selection) {
    const isSide = selection.kind !== 'stream';
    if (isSide && !this.showsSidePackets) this.SetShowsSidePackets(true);
    const stream = listOf(isSide ? this.picture.side_packets :
                                   this.picture.streams)[selection.index];
    if (!stream) return;
    const reader = listOf(stream.readers)[0];
    const node = positionOf(stream.from_node) >= 0 ? stream.from_node :
        reader ? positionOf(reader.node) : -1;
    if (node >= 0) this.Reveal({kind: 'node', index: node});
  }

  // Things whose name, type or place has the words of `text`, best first:
  // [{kind, index, label, detail}].
  Search(text, most) {
    return pages.searchPicture(this.picture, text, most || 50);
  }

  // --- Folding

  SetFolded(subgraph, isFolded) {
    const before = this.bySubgraph.get(subgraph);
    if (isFolded) {
      this.closed.add(subgraph);
    } else {
      this.closed.delete(subgraph);
    }
    this.layOut();
    // It stays where the hand is.
    this.keepPlace(before, this.bySubgraph.get(subgraph));
  }

  SetAllFolded(areFolded) {
    this.closed =
        new Set(areFolded ? listOf(this.picture.subgraphs).map((_, i) => i) : []);
    this.layOut();
    this.FitReadable();
  }

  SetShowsSidePackets(shows) {
    this.showsSidePackets = shows;
    this.layOut();
  }

  // --- A run

  // The state of a run of the graph, or null. No place changes.
  SetState(state) {
    this.state = state;
    this.showState();
  }

  showState() {
    pages.showState(this, this.state, svg);
  }
}

pages.GraphView = GraphView;

})(globalThis.synclinePages = globalThis.synclinePages || {});
