// Places boxes in rows, so that arrows between them point down: the layout of
// one level of a graph (graph_levels.js has levels in each other).
//
// Debian's dagre was tried first: 1,000 nodes take it 8 seconds, it knows no
// ports, and it lays out boxes within boxes badly. This takes a tenth of a
// second. The steps are those of most layouts in layers:
//
//   rows      the longest way from a box without predecessors; wide rows are
//             broken into several, since nobody scrolls through 100,000 pixels
//   lanes     an arrow over several rows passes each in between at a point of
//             its own; arrows of one stream share these points
//   order     boxes of a row come in the order of what they are joined to
//   places    each box moves as near to its neighbours as the others let it
//
// Arrows that go up (back edges, and what else closes a circle) have a point in
// each row from their end to their start, and so go around the boxes.
//
// Thread rule: pure functions of their arguments.
// Tested by browser_test.
'use strict';
(function(pages) {

const COLUMN_GAP = 22;  // between boxes of a row
const LANE_GAP = 9;     // between an arrow's point and its neighbours
const ROW_GAP = 34;
const MAX_ROW_WIDTH = 2400;

// Marks edges that close a circle; without these there is none.
function markUpwardEdges(items, edges) {
  const outgoing = items.map(() => []);
  edges.forEach(edge => {
    edge.isUp = edge.isBack || edge.from === edge.to;
    if (!edge.isUp) outgoing[edge.from].push(edge);
  });
  const state = new Uint8Array(items.length);  // 1: on the way, 2: done
  for (let start = 0; start < items.length; ++start) {
    if (state[start]) continue;
    const stack = [{item: start, next: 0}];
    state[start] = 1;
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      if (top.next === outgoing[top.item].length) {
        state[top.item] = 2;
        stack.pop();
        continue;
      }
      const edge = outgoing[top.item][top.next++];
      if (state[edge.to] === 1) {
        edge.isUp = true;
      } else if (state[edge.to] === 0) {
        state[edge.to] = 1;
        stack.push({item: edge.to, next: 0});
      }
    }
  }
}

// Items in an order in which downward edges lead on.
function topologicalOrder(items, edges) {
  const waiting = new Int32Array(items.length);
  const outgoing = items.map(() => []);
  for (const edge of edges) {
    if (edge.isUp) continue;
    ++waiting[edge.to];
    outgoing[edge.from].push(edge.to);
  }
  const order = [];
  items.forEach((_, i) => {
    if (waiting[i] === 0) order.push(i);
  });
  for (let i = 0; i < order.length; ++i) {
    for (const to of outgoing[order[i]]) {
      if (--waiting[to] === 0) order.push(to);
    }
  }
  return order;
}

// The row of each item.
function assignRows(items, edges) {
  const order = topologicalOrder(items, edges);
  const row = new Int32Array(items.length);
  const incoming = items.map(() => []);
  const outgoing = items.map(() => []);
  for (const edge of edges) {
    if (edge.isUp) continue;
    incoming[edge.to].push(edge.from);
    outgoing[edge.from].push(edge.to);
  }
  for (const i of order) {
    for (const from of incoming[i]) row[i] = Math.max(row[i], row[from] + 1);
  }
  // What has no predecessors stands directly above what it leads to.
  for (let k = order.length; k-- > 0;) {
    const i = order[k];
    if (incoming[i].length > 0 || outgoing[i].length === 0) continue;
    row[i] = Math.min(...outgoing[i].map(to => row[to])) - 1;
  }
  breakWideRows(items, order, incoming, row);
  setBorders(items, row);
  return row;
}

function breakWideRows(items, order, incoming, row) {
  let area = 0;
  for (const item of items) {
    area += (item.width + COLUMN_GAP) * (item.height + ROW_GAP);
  }
  const limit = Math.max(MAX_ROW_WIDTH, 1.6 * Math.sqrt(area));
  const used = new Map();
  const isFree = items.map((_, i) => incoming[i].length === 0);
  const sorted = order.slice().sort((a, b) => row[a] - row[b]);
  for (const i of sorted) {
    let at = isFree[i] ? Math.max(0, row[i]) : 0;
    for (const from of incoming[i]) at = Math.max(at, row[from] + 1);
    const width = items[i].width + COLUMN_GAP;
    while ((used.get(at) || 0) > 0 && used.get(at) + width > limit) ++at;
    used.set(at, (used.get(at) || 0) + width);
    row[i] = at;
  }
  // Empty rows vanish.
  const rows = [...new Set(row)].sort((a, b) => a - b);
  const place = new Map(rows.map((r, k) => [r, k]));
  row.forEach((r, i) => {
    row[i] = place.get(r);
  });
}

// Where a level has a border, its ports have the first and the last row for
// themselves.
function setBorders(items, row) {
  const hasTop = items.some(item => item.border === 'top');
  const last = row.reduce((a, b) => Math.max(a, b), 0);
  items.forEach((item, i) => {
    if (item.border === 'top') {
      row[i] = 0;
    } else if (item.border === 'bottom') {
      row[i] = last + 2;
    } else if (hasTop) {
      row[i] += 1;
    }
  });
}

// Items and the points of arrows, in rows, with the links between rows.
class Rows {
  constructor(items, edges, row) {
    this.rows = [];
    this.vertices = items.map((item, i) => this.add(row[i], item.width, i));
    this.chains = new Map();
    for (const edge of edges) {
      if (edge.isUp && row[edge.from] >= row[edge.to]) {
        this.addUpward(edge, row);
      } else {
        this.addDownward(edge, row);
      }
    }
  }

  add(row, width, item) {
    while (this.rows.length <= row) this.rows.push([]);
    const vertex = {row, width, item, up: [], down: [], beside: [], x: 0};
    this.rows[row].push(vertex);
    return vertex;
  }

  link(upper, upperX, lower, lowerX) {
    upper.down.push({other: lower, own: upperX, its: lowerX});
    lower.up.push({other: upper, own: lowerX, its: upperX});
  }

  addDownward(edge, row) {
    const key = edge.from + ' ' + edge.fromX + ' ' + edge.key;
    if (!this.chains.has(key)) this.chains.set(key, []);
    const chain = this.chains.get(key);
    const first = row[edge.from] + 1;
    let above = this.vertices[edge.from];
    let aboveX = edge.fromX;
    for (let r = first; r < row[edge.to]; ++r) {
      if (chain.length === r - first) {
        const lane = this.add(r, 0, -1);
        this.link(above, aboveX, lane, 0);
        chain.push(lane);
      }
      above = chain[r - first];
      aboveX = 0;
    }
    this.link(above, aboveX, this.vertices[edge.to], edge.toX);
    edge.lanes = chain.slice(0, Math.max(0, row[edge.to] - first));
  }

  // From the lower item up beside all rows to the upper one.
  addUpward(edge, row) {
    edge.lanes = [];
    for (let r = row[edge.from]; r >= row[edge.to]; --r) {
      const lane = this.add(r, 0, -1);
      if (edge.lanes.length > 0) {
        this.link(lane, 0, edge.lanes[edge.lanes.length - 1], 0);
      }
      edge.lanes.push(lane);
    }
    const lower = edge.lanes[0];
    const upper = edge.lanes[edge.lanes.length - 1];
    lower.beside.push(this.vertices[edge.from]);
    upper.beside.push(this.vertices[edge.to]);
  }
}

function gapBetween(left, right) {
  return left.item < 0 || right.item < 0 ? LANE_GAP : COLUMN_GAP;
}

// --- Order

function setPositions(row) {
  let x = 0;
  row.forEach((vertex, i) => {
    vertex.position = i;
    vertex.x = x;
    x += vertex.width + COLUMN_GAP;
  });
}

// Begins with what hangs together side by side.
function orderAtFirst(rows) {
  const seen = new Set();
  const ordered = rows.map(() => []);
  const visit = start => {
    const stack = [start];
    while (stack.length > 0) {
      const vertex = stack.pop();
      if (seen.has(vertex)) continue;
      seen.add(vertex);
      ordered[vertex.row].push(vertex);
      for (let i = vertex.down.length; i-- > 0;) {
        stack.push(vertex.down[i].other);
      }
    }
  };
  for (const row of rows) row.forEach(visit);
  ordered.forEach((row, r) => {
    rows[r] = row;
    setPositions(row);
  });
}

function sortRow(row, side) {
  const weight = new Map();
  for (const vertex of row) {
    const links = vertex[side];
    let sum = 0;
    for (const link of links) {
      sum += link.other.position +
          (link.other.width > 0 ? link.its / link.other.width : 0.5);
    }
    if (links.length > 0) weight.set(vertex, sum / links.length);
  }
  // What has no links there keeps its place; what goes around a box comes
  // right after it.
  const sorted = row.filter(v => weight.has(v))
                     .sort((a, b) => weight.get(a) - weight.get(b));
  lanesIntoTheMiddle(sorted, weight);
  let next = 0;
  for (let i = 0; i < row.length; ++i) {
    if (weight.has(row[i])) row[i] = sorted[next++];
  }
  setPositions(row);
}

// Of boxes that hang at the same port, as many are left as right of the arrow
// that goes on: else each row would be further aside than the one above.
function lanesIntoTheMiddle(sorted, weight) {
  for (let begin = 0, end = 0; begin < sorted.length; begin = end) {
    while (end < sorted.length &&
           weight.get(sorted[end]) === weight.get(sorted[begin])) {
      ++end;
    }
    if (end - begin < 3) continue;
    const group = sorted.slice(begin, end);
    const boxes = group.filter(v => v.item >= 0);
    const lanes = group.filter(v => v.item < 0);
    boxes.splice(boxes.length >> 1, 0, ...lanes);
    boxes.forEach((v, i) => {
      sorted[begin + i] = v;
    });
  }
}

function countCrossings(rows) {
  let total = 0;
  for (let r = 0; r + 1 < rows.length; ++r) {
    const ends = [];
    for (const vertex of rows[r]) {
      const targets = vertex.down.map(
          link => ({from: link.own, to: link.other.position + link.its / 1e6}));
      targets.sort((a, b) => a.from - b.from || a.to - b.to);
      for (const target of targets) ends.push(target.to);
    }
    total += countInversions(ends);
  }
  return total;
}

function countInversions(values) {
  const ranks = [...new Set(values)].sort((a, b) => a - b);
  const rankOf = new Map(ranks.map((value, i) => [value, i + 1]));
  const tree = new Int32Array(ranks.length + 2);
  let inversions = 0;
  values.forEach((value, seen) => {
    let smaller = 0;
    for (let i = rankOf.get(value); i > 0; i -= i & -i) smaller += tree[i];
    inversions += seen - smaller;
    for (let i = rankOf.get(value); i < tree.length; i += i & -i) ++tree[i];
  });
  return inversions;
}

function orderRows(rows) {
  orderAtFirst(rows);
  const size = rows.reduce((sum, row) => sum + row.length, 0);
  const sweeps = size > 4000 ? 6 : 14;
  let best = rows.map(row => row.slice());
  let fewest = countCrossings(rows);
  for (let sweep = 0; sweep < sweeps && (sweep === 0 || fewest > 0); ++sweep) {
    if (sweep % 2 === 0) {
      for (let r = 1; r < rows.length; ++r) sortRow(rows[r], 'up');
    } else {
      for (let r = rows.length - 1; r-- > 0;) sortRow(rows[r], 'down');
    }
    const crossings = countCrossings(rows);
    if (crossings > fewest || (crossings === fewest && sweep > 0)) continue;
    fewest = crossings;
    best = rows.map(row => row.slice());
  }
  best.forEach((row, r) => {
    rows[r] = row;
    setPositions(row);
  });
  placeBeside(rows);
}

// The ends of arrows that go up stand right of their box.
function placeBeside(rows) {
  rows.forEach((row, r) => {
    const moved = row.filter(v => v.beside.length > 0);
    if (moved.length === 0) return;
    const rest = row.filter(v => v.beside.length === 0);
    for (const vertex of moved) {
      rest.splice(rest.indexOf(vertex.beside[0]) + 1, 0, vertex);
    }
    rows[r] = rest;
    setPositions(rest);
  });
}

// --- Places

// Moves the vertices of a row as near to `wanted` as their order and their
// widths allow: the least sum of squares, by merging neighbours that push each
// other.
function settleRow(row, wanted, weights) {
  let offset = 0;
  const blocks = [];
  row.forEach((vertex, i) => {
    if (i > 0) offset += row[i - 1].width + gapBetween(row[i - 1], vertex);
    vertex.offset = offset;
    let block = {sum: (wanted[i] - offset) * weights[i], weight: weights[i],
                 count: 1};
    while (blocks.length > 0) {
      const last = blocks[blocks.length - 1];
      if (last.sum / last.weight <= block.sum / block.weight) break;
      block = {sum: last.sum + block.sum, weight: last.weight + block.weight,
               count: last.count + block.count};
      blocks.pop();
    }
    blocks.push(block);
  });
  let i = 0;
  for (const block of blocks) {
    for (let k = 0; k < block.count; ++k, ++i) {
      row[i].x = block.sum / block.weight + row[i].offset;
    }
  }
}

function sweepRow(row, sides) {
  const wanted = [];
  const weights = [];
  for (const vertex of row) {
    let sum = 0;
    let weight = 0;
    for (const side of sides) {
      for (const link of vertex[side]) {
        // Straight lanes look calm.
        const w = vertex.item < 0 && link.other.item < 0 ? 8 : 1;
        sum += w * (link.other.x + link.its - link.own);
        weight += w;
      }
    }
    for (const box of vertex.beside) {
      sum += 2 * (box.x + box.width + LANE_GAP);
      weight += 2;
    }
    wanted.push(weight > 0 ? sum / weight : vertex.x);
    weights.push(weight > 0 ? weight : 0.01);
  }
  settleRow(row, wanted, weights);
}

function placeInRows(rows) {
  for (let sweep = 0; sweep < 6; ++sweep) {
    for (let r = 0; r < rows.length; ++r) sweepRow(rows[r], ['up']);
    for (let r = rows.length; r-- > 0;) sweepRow(rows[r], ['down']);
  }
  for (let sweep = 0; sweep < 2; ++sweep) {
    for (let r = 0; r < rows.length; ++r) sweepRow(rows[r], ['up', 'down']);
  }
}

// --- The whole

// `items`: [{width, height, border}], where border is 'top' or 'bottom' for a
// port of the box around the level. `edges`: [{from, fromX, to, toX, key,
// isBack}], by position in items, with the distances of the ports from the left
// sides; edges of one key from one port share lanes.
// Returns {width, height}; items get x and y, and edges get `points`: straight
// pieces, between which an arrow bends.
pages.layOutLevel = function(items, edges) {
  if (items.length === 0) return {width: 0, height: 0};
  markUpwardEdges(items, edges);
  const row = assignRows(items, edges);
  const made = new Rows(items, edges, row);
  const rows = made.rows;
  orderRows(rows);
  placeInRows(rows);

  let left = Infinity;
  let right = -Infinity;
  for (const vertices of rows) {
    for (const vertex of vertices) {
      left = Math.min(left, vertex.x);
      right = Math.max(right, vertex.x + vertex.width);
    }
  }
  const tops = [];
  const bottoms = [];
  let y = 0;
  rows.forEach((vertices, r) => {
    let height = 0;
    let links = 0;
    for (const vertex of vertices) {
      if (vertex.item >= 0) {
        height = Math.max(height, items[vertex.item].height);
      }
      links += vertex.down.length;
    }
    tops.push(y);
    y += height;
    bottoms.push(y);
    if (r + 1 < rows.length) y += ROW_GAP + Math.min(60, 4 * Math.sqrt(links));
  });
  items.forEach((item, i) => {
    const r = row[i];
    item.x = made.vertices[i].x - left;
    item.y = item.border === 'bottom' ? bottoms[r] :
        item.border === 'top'         ? tops[r] :
                                (tops[r] + bottoms[r] - item.height) / 2;
  });
  for (const edge of edges) {
    edge.points = pointsOf(edge, items, left, tops, bottoms);
  }
  return {width: right - left, height: y};
};

function pointsOf(edge, items, left, tops, bottoms) {
  const from = items[edge.from];
  const to = items[edge.to];
  const start = {x: from.x + edge.fromX, y: from.y + from.height};
  const end = {x: to.x + edge.toX, y: to.y};
  const points = [start];
  const goesUp = edge.lanes.length > 0 &&
      (edge.from === edge.to || start.y > end.y) && edge.isUp;
  if (!goesUp) {
    const above = edge.lanes.length > 0 ? edge.lanes[0].row - 1 : -1;
    const below = edge.lanes.length > 0 ?
        edge.lanes[edge.lanes.length - 1].row + 1 : -1;
    if (above >= 0 && bottoms[above] > start.y) {
      points.push({x: start.x, y: bottoms[above]});
    }
    for (const lane of edge.lanes) {
      points.push({x: lane.x - left, y: tops[lane.row]});
      points.push({x: lane.x - left, y: bottoms[lane.row]});
    }
    if (below >= 0 && tops[below] < end.y) {
      points.push({x: end.x, y: tops[below]});
    }
  } else {
    for (const lane of edge.lanes) {
      points.push({x: lane.x - left, y: bottoms[lane.row]});
      points.push({x: lane.x - left, y: tops[lane.row]});
    }
  }
  points.push(end);
  return points;
}

})(globalThis.synclinePages = globalThis.synclinePages || {});
