// GraphMotion: the part of a GraphView that moves: pan, zoom and the keyboard,
// and which things are in sight.
//
// Keys: arrows go along the graph (with shift: move the picture), + and - zoom,
// 0 fits, Enter unfolds, Escape selects nothing, / searches.
//
// Thread rule: the page's one thread.
// Tested by browser_test.
'use strict';
(function(pages) {

const SVG = 'http://www.w3.org/2000/svg';
const LEAST_SCALE = 0.02;
const MOST_SCALE = 3;
const FAR = 0.45;      // below this scale small texts are left out,
const VERY_FAR = 0.2;  // and below this one all
const LEAST_READABLE = 0.5;
const STEP = 60;

class GraphMotion {
  constructor(container) {
    this.container = container;
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.width = this.height = 0;
    container.classList.add('graph-view');
    this.canvas = document.createElementNS(SVG, 'svg');
    this.canvas.setAttribute('class', 'graph-canvas');
    this.canvas.setAttribute('tabindex', '0');
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute('aria-label', 'The graph. ' +
        'Arrow keys go from node to node, plus and minus zoom, slash searches.');
    this.world = document.createElementNS(SVG, 'g');
    this.canvas.appendChild(this.world);
    container.appendChild(this.canvas);
    this.told = document.createElement('div');
    this.told.className = 'graph-told';
    this.told.setAttribute('aria-live', 'polite');
    container.appendChild(this.told);
    this.pointers = new Map();
    this.listen();
  }

  listen() {
    const canvas = this.canvas;
    canvas.addEventListener('pointerdown', e => this.onPointerDown(e));
    canvas.addEventListener('pointermove', e => this.onPointerMove(e));
    for (const end of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(end, e => this.pointers.delete(e.pointerId));
    }
    canvas.addEventListener('click', event => {
      if (this.hasMoved) event.stopPropagation();
    }, true);
    canvas.addEventListener('click', () => this.Select(null));
    canvas.addEventListener('wheel', event => {
      event.preventDefault();
      const {x, y} = this.pointOf(event);
      this.ZoomBy(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)),
                  x, y);
    }, {passive: false});
    canvas.addEventListener('keydown', event => this.onKey(event));
    if (globalThis.ResizeObserver) {
      new ResizeObserver(() => this.onResize()).observe(this.container);
    }
  }

  onResize() {
    if (this.fitted === 'whole') this.Fit();
    if (this.fitted === 'readable') this.FitReadable();
    if (this.fitted === 'item') this.BringIntoView(this.broughtIntoView);
    this.schedule();
  }

  // --- Pointers

  pointOf(event) {
    const box = this.canvas.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  }

  onPointerDown(event) {
    if (event.button !== 0) return;
    this.pointers.set(event.pointerId, this.pointOf(event));
    this.hasMoved = false;
    this.moved = 0;
  }

  onPointerMove(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.pointOf(event);
    const others = [...this.pointers.entries()]
                       .filter(([id]) => id !== event.pointerId);
    this.moved += Math.hypot(now.x - before.x, now.y - before.y);
    // A hand that trembles still clicks.
    if (this.moved > 4 && !this.hasMoved) {
      this.hasMoved = true;
      this.canvas.setPointerCapture(event.pointerId);
    }
    this.pointers.set(event.pointerId, now);
    if (others.length === 0) {
      this.MoveBy(now.x - before.x, now.y - before.y);
      return;
    }
    const other = others[0][1];
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const is = Math.hypot(now.x - other.x, now.y - other.y);
    if (was > 0) {
      this.ZoomBy(is / was, (now.x + other.x) / 2, (now.y + other.y) / 2);
    }
  }

  // --- Keys

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1],
      ArrowDown: [0, 1]
    };
    const arrow = arrows[event.key];
    if (arrow && event.shiftKey) {
      this.MoveBy(-arrow[0] * STEP, -arrow[1] * STEP);
    } else if (arrow) {
      this.step(arrow[0], arrow[1]);
    } else if (event.key === '+' || event.key === '=') {
      this.ZoomBy(1.25);
    } else if (event.key === '-') {
      this.ZoomBy(0.8);
    } else if (event.key === '0') {
      this.Fit();
    } else if (event.key === 'Escape') {
      this.Select(null);
    } else if (event.key === 'Enter') {
      this.toggleSelected();
    } else if (event.key === '/' && this.searchField) {
      this.searchField.focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  toggleSelected() {
    const selected = this.selection;
    if (!selected) return;
    if (selected.kind !== 'subgraph') {
      this.Select(selected, true);
      return;
    }
    this.SetFolded(selected.index, !this.closed.has(selected.index));
  }

  // To the nearest item in that direction.
  step(dx, dy) {
    const items = this.drawn.filter(s => s.item.kind !== 'open');
    if (items.length === 0) return;
    const middle = s => ({x: (s.x + s.right) / 2, y: (s.y + s.bottom) / 2});
    const current = this.drawn.find(
        s => s.element.classList.contains('selected'));
    let best = null;
    let least = Infinity;
    const from = current ? middle(current) : {x: -1, y: -1};
    for (const shown of items) {
      if (shown === current) continue;
      const to = middle(shown);
      const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
      const across = Math.abs((to.x - from.x) * dy) +
          Math.abs((to.y - from.y) * dx);
      if (current && along < 6) continue;
      const distance = current ? along + 3 * across : to.y * 4 + to.x;
      if (distance >= least) continue;
      least = distance;
      best = shown;
    }
    if (!best) return;
    this.Select(this.selectionOf(best.item));
    this.BringIntoView(best);
    this.told.textContent = best.item.title || '';
  }

  // --- Places

  // The part of the canvas that nothing else covers.
  size() {
    const box = this.canvas.getBoundingClientRect();
    return {width: box.width || 800, height: box.height || 600};
  }

  MoveBy(dx, dy) {
    this.fitted = '';
    this.x += dx;
    this.y += dy;
    this.schedule();
  }

  ZoomBy(factor, x, y) {
    this.fitted = '';
    const size = this.size();
    const atX = x === undefined ? size.width / 2 : x;
    const atY = y === undefined ? size.height / 2 : y;
    const scale =
        Math.min(MOST_SCALE, Math.max(LEAST_SCALE, this.scale * factor));
    this.x = atX - (atX - this.x) * scale / this.scale;
    this.y = atY - (atY - this.y) * scale / this.scale;
    this.scale = scale;
    this.schedule();
  }

  // All of the graph.
  Fit() {
    this.fitTo(LEAST_SCALE);
    this.fitted = 'whole';
  }

  // The same; of a large graph, as much as can be read, from its top.
  FitReadable() {
    this.fitTo(LEAST_READABLE);
    this.fitted = 'readable';
  }

  fitTo(least) {
    const size = this.size();
    const margin = 24;
    const whole = Math.min((size.width - margin) / Math.max(1, this.width),
                           (size.height - margin) / Math.max(1, this.height));
    this.scale = Math.max(least, Math.min(1.2, whole));
    this.x = (size.width - this.width * this.scale) / 2;
    this.y = Math.max(margin / 2,
                      (size.height - this.height * this.scale) / 2);
    this.schedule();
  }

  BringIntoView(shown) {
    this.fitted = 'item';
    this.broughtIntoView = shown;
    const size = this.size();
    if (this.scale < FAR) this.scale = 0.8;
    const left = shown.x * this.scale + this.x;
    const top = shown.y * this.scale + this.y;
    const width = (shown.right - shown.x) * this.scale;
    const height = (shown.bottom - shown.y) * this.scale;
    const isInside = left >= 0 && top >= 0 && left + width <= size.width &&
        top + height <= size.height;
    if (!isInside) {
      this.x = size.width / 2 - (shown.x + shown.right) / 2 * this.scale;
      this.y = size.height / 2 - (shown.y + shown.bottom) / 2 * this.scale;
    }
    this.schedule();
  }

  keepPlace(before, after) {
    if (!before || !after) return;
    this.fitted = '';
    this.x += (before.x - after.x) * this.scale;
    this.y += (before.y - after.y) * this.scale;
    this.schedule();
  }

  // --- What is in sight

  schedule() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      this.hideUnseen(false);
    });
  }

  hideUnseen(isNew) {
    this.world.setAttribute(
        'transform', 'translate(' + this.x.toFixed(2) + ' ' +
            this.y.toFixed(2) + ') scale(' + this.scale.toFixed(4) + ')');
    this.canvas.classList.toggle('far', this.scale < FAR);
    this.canvas.classList.toggle('very-far', this.scale < VERY_FAR);
    const size = this.size();
    const margin = 80 / this.scale;
    const left = -this.x / this.scale - margin;
    const top = -this.y / this.scale - margin;
    const right = (size.width - this.x) / this.scale + margin;
    const bottom = (size.height - this.y) / this.scale + margin;
    for (const list of [this.drawn || [], this.edges || []]) {
      for (const shown of list) {
        const isSeen = shown.right >= left && shown.x <= right &&
            shown.bottom >= top && shown.y <= bottom;
        if (isSeen === shown.isShown && !isNew) continue;
        shown.isShown = isSeen;
        shown.element.style.display = isSeen ? '' : 'none';
      }
    }
  }
}

pages.GraphMotion = GraphMotion;

})(globalThis.synclinePages = globalThis.synclinePages || {});
