// From a picture (picture_json.h) to things with places: which subgraphs are
// open, what stands in them, which arrows lead where.
//
// A level is the graph itself or the inside of a subgraph that is open. Its
// items are nodes, closed subgraphs, and open subgraphs, which are as large as
// their own level; the graph's inputs and outputs are items of the outermost.
// A stream that leaves an open subgraph passes a port on its border, so each
// level is laid out by itself (layered_layout.js), the innermost first.
//
// Thread rule: pure functions of their arguments.
// Tested by browser_test.
'use strict';
(function(pages) {

const PADDING = 14;
const TITLE = 22;
const CHIP_HEIGHT = 15;
const CHIP_GAP = 4;
const MOST_CHIPS_WIDTH = 900;

// Characters that command something, also in which direction others are read,
// are shown as what they are: a name must not look like another one.
const COMMANDS = new RegExp(
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f' +
    '\\u2028-\\u202e\\u2066-\\u2069]', 'g');
pages.visible = text => text.replace(COMMANDS, c => {
  const code = c.charCodeAt(0).toString(16);
  return code.length > 2 ? '\\u' + code.padStart(4, '0') :
                           '\\x' + code.padStart(2, '0');
});
pages.textOf = value => value === undefined ? '' : pages.visible(String(value));
const at = (list, i) => list && i >= 0 ? list[i] : undefined;
const listOf = list => list || [];
pages.listOf = listOf;
pages.positionOf = value => value === undefined ? -1 : value;
const positionOf = pages.positionOf;

// A name that fits, with its two ends, which tell names apart best.
pages.shortened = function(text, most) {
  const letters = Array.from(text);
  if (letters.length <= most) return text;
  const tail = Math.floor((most - 1) / 3);
  return letters.slice(0, most - 1 - tail).join('') + '…' +
      letters.slice(letters.length - tail).join('');
};

// Without the name of the subgraph around it, in which it is drawn. Expansion
// writes that name in small letters, and "_" for some signs.
pages.innerName = function(picture, name, subgraph) {
  const around = at(picture.subgraphs, subgraph);
  const prefix = around ?
      pages.textOf(around.name).toLowerCase().replace(/[. :]/g, '_') + '__' : '';
  return prefix && name.length > prefix.length &&
          name.toLowerCase().startsWith(prefix) ?
      name.slice(prefix.length) : name;
};

// --- Which item stands for what

class Levels {
  constructor(picture, closed, showsSidePackets) {
    this.picture = picture;
    this.closed = closed;
    this.showsSidePackets = showsSidePackets;
    this.levels = new Map();  // by subgraph, -1 for the graph itself
    this.level(-1);
    listOf(picture.nodes).forEach((node, i) => this.addNode(node, i));
    listOf(picture.streams).forEach((s, i) => this.addStream(s, i, 'stream'));
    if (!showsSidePackets) return;
    listOf(picture.side_packets)
        .forEach((s, i) => this.addStream(s, i, 'side_packet'));
  }

  level(subgraph) {
    if (!this.levels.has(subgraph)) {
      this.levels.set(subgraph,
                      {subgraph, items: [], byKey: new Map(), edges: [],
                       byEdge: new Map()});
    }
    return this.levels.get(subgraph);
  }

  item(level, key, make) {
    if (!level.byKey.has(key)) {
      const item = make();
      item.key = key;
      item.index_ = level.items.length;
      item.inputs = item.inputs || new Map();
      item.outputs = item.outputs || new Map();
      level.byKey.set(key, item);
      level.items.push(item);
    }
    return level.byKey.get(key);
  }

  // From the outermost level to the item that is seen for the node.
  way(nodeIndex) {
    const node = this.picture.nodes[nodeIndex];
    const around = [];
    for (let s = positionOf(node.subgraph); s >= 0;
         s = positionOf(this.picture.subgraphs[s].parent)) {
      around.unshift(s);
    }
    const way = [];
    let level = this.level(-1);
    for (const s of around) {
      const isClosed = this.closed.has(s);
      const item = this.item(level, 'subgraph ' + s, () => ({
        kind: isClosed ? 'closed' : 'open', index: s, nodes: []
      }));
      way.push({level, item});
      if (isClosed) return way;
      level = this.level(s);
    }
    const item = this.item(level, 'node ' + nodeIndex,
                           () => ({kind: 'node', index: nodeIndex}));
    way.push({level, item});
    return way;
  }

  addNode(node, index) {
    for (const step of this.way(index)) {
      if (step.item.nodes) step.item.nodes.push(index);
    }
  }

  addStream(stream, index, kind) {
    const from = positionOf(stream.from_node);
    const start = from >= 0 ? this.way(from) : null;
    const id = kind + ' ' + index;
    listOf(stream.readers).forEach(reader => {
      if (positionOf(reader.node) < 0) return;
      const end = this.way(reader.node);
      this.connect(start || this.graphInput(id, kind, index), end,
                   {kind, index, id, from, fromPort: stream.from_port || 0,
                    reader});
    });
    if (!stream.is_graph_output || !start) return;
    const root = this.level(-1);
    const item = this.item(root, 'output ' + id,
                           () => ({kind: 'output', stream: index, of: kind}));
    this.connect(start, [{level: root, item}],
                 {kind, index, id, from, fromPort: stream.from_port || 0,
                  reader: {node: -1, port: 0}});
  }

  graphInput(id, kind, index) {
    const root = this.level(-1);
    const item = this.item(root, 'input ' + id,
                           () => ({kind: 'input', stream: index, of: kind}));
    return [{level: root, item}];
  }

  connect(start, end, what) {
    let k = 0;
    while (k < start.length - 1 && k < end.length - 1 &&
           start[k].item === end[k].item) {
      ++k;
    }
    // Inside of a closed subgraph.
    if (start[k].item === end[k].item && start[k].item.kind !== 'node') return;
    const isBack = Boolean(what.reader.is_back_edge);
    const port = what.id + (isBack ? ' back' : '');
    for (let i = start.length; --i > k;) {
      const border = this.border(start[i].level, 'bottom', what, what.id);
      this.edge(start[i].level, start[i].item, border, what, what.id);
    }
    this.edge(start[k].level, start[k].item, end[k].item, what, port);
    for (let i = k + 1; i < end.length; ++i) {
      const border = this.border(end[i].level, 'top', what, port);
      this.edge(end[i].level, border, end[i].item, what, port);
    }
  }

  border(level, side, what, port) {
    return this.item(level, side + ' ' + port,
                     () => ({kind: 'border', border: side, port}));
  }

  edge(level, from, to, what, port) {
    const fromPort = this.portOf(from, 'outputs', what, what.id,
                                 from.kind === 'node' ? what.fromPort : 0);
    const toPort = this.portOf(to, 'inputs', what, port,
                               to.kind === 'node' ? what.reader.port : 0);
    // One arrow for several readers within one item.
    const isBack = Boolean(what.reader.is_back_edge);
    const key = [from.index_, fromPort, to.index_, toPort].join(' ');
    let edge = level.byEdge.get(key);
    if (!edge) {
      edge = {from: from.index_, to: to.index_, fromPort, toPort,
              key: what.id, kind: what.kind, stream: what.index,
              isBack: isBack && from.kind !== 'border' && to.kind !== 'border',
              isStyledBack: true, readers: []};
      level.byEdge.set(key, edge);
      level.edges.push(edge);
    }
    edge.isStyledBack = edge.isStyledBack && isBack;
    edge.readers.push(what.reader);
  }

  // The key of the port, which the item has from now on.
  portOf(item, side, what, port, position) {
    const key = item.kind === 'node' ? what.kind + ' ' + (position || 0) : port;
    const ports = item[side];
    if (item.kind !== 'node') {
      if (!ports.has(key)) {
        ports.set(key, {key, kind: what.kind, stream: what.index, readers: []});
      }
      if (side === 'inputs') ports.get(key).readers.push(what.reader);
    }
    return key;
  }
}

// --- Sizes

class Sizes {
  constructor(picture, measure) {
    this.picture = picture;
    this.measure = measure;
  }

  // Lays chips out from the left; a port without a text is a dot.
  chips(ports) {
    let x = 0;
    const made = [];
    for (const port of ports) {
      const width = Math.max(port.least,
                             this.measure(port.label, 'chip') + 12);
      made.push(Object.assign({x, width}, port));
      x += width + CHIP_GAP;
    }
    const width = Math.max(0, x - CHIP_GAP);
    if (width <= MOST_CHIPS_WIDTH) return {chips: made, width};
    made.forEach((chip, i) => Object.assign(chip, {x: i * 12, width: 8,
                                                   label: ''}));
    return {chips: made, width: made.length * 12};
  }

  streamLabel(kind, index, subgraph) {
    const list = kind === 'stream' ? this.picture.streams :
                                     this.picture.side_packets;
    const name = pages.textOf((at(list, index) || {}).name);
    return pages.shortened(pages.innerName(this.picture, name, subgraph), 24);
  }

  // Inputs without a tag have the name of their stream.
  inputLabel(kind, port, subgraph) {
    const label = pages.textOf(port.label);
    const name = /^:\d+$/.test(label) ?
        this.streamLabel(kind, positionOf(port.stream), subgraph) : '';
    return pages.shortened(name || label, 16);
  }

  node(item, showsSidePackets) {
    const node = this.picture.nodes[item.index];
    const subgraph = positionOf(node.subgraph);
    const input = kind => (port, i) => ({
      key: kind + ' ' + i, kind, stream: positionOf(port.stream), port: i,
      label: this.inputLabel(kind, port, subgraph),
      readers: [{node: item.index, port: i}], least: 30,
      isBack: Boolean(port.is_back_edge), type: pages.textOf(port.type)
    });
    const output = kind => (port, i) => ({
      key: kind + ' ' + i, kind, stream: positionOf(port.stream), port: i,
      label: this.streamLabel(kind, positionOf(port.stream), subgraph),
      least: 44, type: pages.textOf(port.type)
    });
    const inputs = listOf(node.inputs).map(input('stream'));
    const outputs = listOf(node.outputs).map(output('stream'));
    if (showsSidePackets) {
      inputs.push(...listOf(node.input_side_packets).map(input('side_packet')));
      outputs.push(
          ...listOf(node.output_side_packets).map(output('side_packet')));
    }
    const conditions = listOf(node.conditions)
                           .map(c => pages.textOf(c.name) ||
                                    pages.textOf(c.type));
    this.finish(item, {
      title: pages.innerName(this.picture, pages.textOf(node.name), subgraph),
      subtitle: pages.textOf(node.type),
      note: conditions.length > 0 ? '◇ ' + conditions.join(' ◇ ') : '',
      inputs, outputs
    });
  }

  closed(item) {
    const subgraph = this.picture.subgraphs[item.index];
    const parent = positionOf(subgraph.parent);
    const port = side => p => ({
      key: p.key, kind: p.kind, stream: p.stream, readers: p.readers,
      label: side === 'in' ? '' : this.streamLabel(p.kind, p.stream, parent),
      least: side === 'in' ? 30 : 44, type: ''
    });
    const count = item.nodes.length;
    this.finish(item, {
      title: pages.innerName(this.picture, pages.textOf(subgraph.name), parent),
      subtitle: pages.textOf(subgraph.type),
      note: '▸ ' + count + (count === 1 ? ' node' : ' nodes'),
      inputs: [...item.inputs.values()].map(port('in')),
      outputs: [...item.outputs.values()].map(port('out'))
    });
  }

  pill(item) {
    const label = this.streamLabel(item.of, item.stream, -1);
    item.title = label;
    item.width = Math.max(40, this.measure(label, 'chip') + 24);
    item.height = 20;
    item.portX = () => item.width / 2;
  }

  finish(item, texts) {
    const title = pages.shortened(texts.title, 34);
    const subtitle = pages.shortened(texts.subtitle, 40);
    const note = pages.shortened(texts.note, 40);
    const tops = this.chips(texts.inputs);
    const feet = this.chips(texts.outputs);
    const hasTops = tops.chips.length > 0;
    Object.assign(item, {title, subtitle, note, tops: tops.chips,
                         feet: feet.chips});
    item.width = Math.ceil(Math.max(
        96, this.measure(title, 'title') + 34,
        this.measure(subtitle, 'subtitle') + 20,
        this.measure(note, 'subtitle') + 20, tops.width + 12,
        feet.width + 12));
    item.titleY = (hasTops ? CHIP_HEIGHT : 0) + 17;
    item.height = item.titleY + (subtitle ? 15 : 0) + (note ? 14 : 0) + 8 +
        (feet.chips.length > 0 ? CHIP_HEIGHT : 0);
    const shift = (chips, width) => {
      for (const chip of chips) chip.x += (item.width - width) / 2;
    };
    shift(tops.chips, tops.width);
    shift(feet.chips, feet.width);
    const centre = chips => new Map(chips.map(c => [c.key, c.x + c.width / 2]));
    const topX = centre(tops.chips);
    const footX = centre(feet.chips);
    item.portX = (key, side) => {
      const x = (side === 'inputs' ? topX : footX).get(key);
      return x === undefined ? item.width / 2 : x;
    };
  }
}

// --- Places

function layOut(levels, subgraph, sizes) {
  const level = levels.level(subgraph);
  for (const item of level.items) {
    if (item.kind === 'node') {
      sizes.node(item, levels.showsSidePackets);
    } else if (item.kind === 'closed') {
      sizes.closed(item);
    } else if (item.kind === 'open') {
      layOutOpen(levels, item, sizes);
    } else if (item.kind === 'border') {
      Object.assign(item, {width: 8, height: 0, portX: () => 4});
    } else {
      sizes.pill(item);
    }
  }
  for (const edge of level.edges) {
    edge.fromX = level.items[edge.from].portX(edge.fromPort, 'outputs');
    edge.toX = level.items[edge.to].portX(edge.toPort, 'inputs');
  }
  return pages.layOutLevel(level.items, level.edges);
}

function layOutOpen(levels, item, sizes) {
  const size = layOut(levels, item.index, sizes);
  const inner = levels.level(item.index);
  const subgraph = sizes.picture.subgraphs[item.index];
  item.title = pages.shortened(
      pages.innerName(sizes.picture, pages.textOf(subgraph.name),
                      positionOf(subgraph.parent)), 40);
  item.subtitle = pages.shortened(pages.textOf(subgraph.type), 40);
  const least = sizes.measure(item.title, 'title') +
      sizes.measure(item.subtitle, 'subtitle') + 60;
  item.width = Math.max(size.width + 2 * PADDING, least);
  const hasTop = inner.items.some(i => i.border === 'top');
  const hasBottom = inner.items.some(i => i.border === 'bottom');
  // The title stands below the upper border, in the gap of its ports.
  item.innerX = (item.width - size.width) / 2;
  item.innerY = hasTop ? 0 : TITLE + 6;
  item.height = item.innerY + size.height + (hasBottom ? 0 : PADDING);
  item.portX = (key, side) => {
    const border = inner.byKey.get(
        (side === 'inputs' ? 'top ' : 'bottom ') + key);
    return border ? item.innerX + border.x + 4 : item.width / 2;
  };
}

function flatten(levels, subgraph, x, y, depth, drawing) {
  const level = levels.level(subgraph);
  for (const edge of level.edges) {
    const points = listOf(edge.points).map(p => ({x: p.x + x, y: p.y + y}));
    drawing.edges.push(Object.assign({}, edge, {points}));
  }
  for (const item of level.items) {
    if (item.kind === 'border') continue;
    const placed = Object.assign({}, item,
                                 {x: item.x + x, y: item.y + y, depth});
    drawing.items.push(placed);
    if (item.kind === 'open') {
      flatten(levels, item.index, placed.x + item.innerX,
              placed.y + item.innerY, depth + 1, drawing);
    }
  }
}

// What is drawn of a picture: {width, height, items, edges}, with absolute
// places; open subgraphs come before what is in them. `closed`: a Set of
// positions of subgraphs. `measure`: the width of a text in a style, 'title',
// 'subtitle' or 'chip'.
pages.drawingOf = function(picture, closed, showsSidePackets, measure) {
  const levels = new Levels(picture, closed, showsSidePackets);
  const size = layOut(levels, -1, new Sizes(picture, measure));
  const drawing = {width: size.width, height: size.height, items: [],
                   edges: []};
  flatten(levels, -1, 0, 0, 0, drawing);
  return drawing;
};

})(globalThis.synclinePages = globalThis.synclinePages || {});
