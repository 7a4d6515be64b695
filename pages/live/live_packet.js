// The last packet of a stream: as a picture, as a spectrogram or curves, or as
// a text.
//
// Thread rule: the page's one thread.
// Tested by live_browser_test.
'use strict';
(function(pages) {

const PERIOD_MS = 100;
// Packets of one column are the newest columns of what is drawn.
const MOST_COLUMNS = 256;
// A matrix of so few rows is drawn as curves.
const MOST_CURVES = 8;
const {html} = pages;

// From dark blue over green to yellow; readable in gray, too.
const COLORS = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98],
                [253, 231, 37]];

function colorOf(share) {
  const place = Math.max(0, Math.min(0.9999, share)) * (COLORS.length - 1);
  const i = Math.floor(place);
  return COLORS[i].map(
      (c, k) => Math.round(c + (COLORS[i + 1][k] - c) * (place - i)));
}

function rangeOf(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (typeof value !== 'number') continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? {low, high} : {low: 0, high: 0};
}

// Magnitudes differ by powers of ten, so their logarithms are drawn.
function scaleOf(values) {
  const {low, high} = rangeOf(values);
  if (low < 0 || high <= 0) {
    const size = high - low || 1;
    return value => (value - low) / size;
  }
  const floor = high / 1e5;
  const size = Math.log(high / floor);
  return value => Math.log(Math.max(value, floor) / floor) / size;
}

// `columns`: each from row 0 on, which is drawn at the bottom.
function drawHeat(canvas, columns) {
  const rows = columns[0].length;
  canvas.width = columns.length;
  canvas.height = rows;
  const scale = scaleOf(columns.flat());
  const context = canvas.getContext('2d');
  const image = context.createImageData(columns.length, rows);
  columns.forEach((column, x) => column.forEach((value, row) => {
    const at = ((rows - 1 - row) * columns.length + x) * 4;
    const color = typeof value === 'number' ? colorOf(scale(value)) :
                                              [128, 128, 128];
    image.data.set([...color, 255], at);
  }));
  context.putImageData(image, 0, 0);
}

function drawCurves(canvas, rows) {
  canvas.width = 480;
  canvas.height = 160;
  const context = canvas.getContext('2d');
  const {low, high} = rangeOf(rows.flat());
  const size = high - low || 1;
  const style = getComputedStyle(canvas);
  rows.forEach((row, i) => {
    context.strokeStyle = style.getPropertyValue('--e' + (i % 7 + 1));
    context.beginPath();
    row.forEach((value, x) => {
      if (typeof value !== 'number') return;
      const px = row.length > 1 ? x * (canvas.width - 1) / (row.length - 1) : 0;
      const py = (canvas.height - 9) * (1 - (value - low) / size) + 4;
      x === 0 ? context.moveTo(px, py) : context.lineTo(px, py);
    });
    context.stroke();
  });
}

class PacketViewer {
  constructor(box) {
    this.box = box;
    this.stream = -1;
    this.number = 0;
    this.history = [];
  }

  // -1: of no stream.
  Show(stream) {
    if (stream === this.stream) return;
    this.stream = stream;
    this.number = 0;
    this.history = [];
    this.box.hidden = stream < 0;
    if (stream < 0) return;
    this.say('No packet has come since the stream was chosen. (Without a ' +
             'flight recorder none can be shown.)');
    this.schedule();
  }

  schedule() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.poll(), PERIOD_MS);
  }

  async poll() {
    const stream = this.stream;
    if (stream < 0) return;
    try {
      if (!document.hidden) await this.fetchNext(stream);
    } catch (error) {
      // The page itself says that the program does not answer.
    }
    if (stream === this.stream) this.schedule();
  }

  async fetchNext(stream) {
    const answer = await fetch('/packet.json?stream=' + stream + '&since=' +
                               this.number);
    if (answer.status !== 200 || stream !== this.stream) return;
    const packet = await answer.json();
    if (!packet.number || stream !== this.stream) return;
    this.number = packet.number;
    if (packet.kind === 'picture') {
      await this.showPicture(stream, packet);
    } else if (packet.kind === 'matrix') {
      this.showMatrix(packet);
    } else {
      this.show(packet, html('pre', '', packet.text));
    }
  }

  async showPicture(stream, packet) {
    const answer = await fetch('/packet.rgba?stream=' + stream);
    if (answer.status !== 200 || stream !== this.stream) return;
    const width = Number(answer.headers.get('X-Width'));
    const height = Number(answer.headers.get('X-Height'));
    const pixels = new Uint8ClampedArray(await answer.arrayBuffer());
    if (pixels.length !== width * height * 4 || pixels.length === 0) return;
    const canvas = this.canvas('picture');
    canvas.width = width;
    canvas.height = height;
    canvas.getContext('2d').putImageData(
        new ImageData(pixels, width, height), 0, 0);
    this.show(packet, canvas, packet.text);
  }

  showMatrix(packet) {
    const {width, height, values} = packet;
    const rows = [];
    for (let y = 0; y < height; ++y) {
      rows.push(values.slice(y * width, (y + 1) * width));
    }
    const canvas = this.canvas('matrix');
    if (height <= MOST_CURVES && width > 1) {
      drawCurves(canvas, rows);
    } else {
      const columns =
          rows[0].map((_, x) => rows.map(row => row[x]));
      if (this.history.length > 0 && this.history[0].length !== height) {
        this.history = [];
      }
      this.history =
          width === 1 ? this.history.concat(columns).slice(-MOST_COLUMNS) : [];
      drawHeat(canvas, width === 1 ? this.history : columns);
    }
    this.show(packet, canvas, packet.text);
  }

  canvas(kind) {
    if (!this.kept || this.kept.dataset.kind !== kind) {
      this.kept = html('canvas', 'packet-' + kind);
      this.kept.dataset.kind = kind;
      this.kept.setAttribute('role', 'img');
    }
    return this.kept;
  }

  show(packet, element, text) {
    this.box.replaceChildren(
        html('h3', '', 'Last packet'),
        html('p', 'kind', packet.timestamp + (packet.type ? ', ' + packet.type :
                                                            '')),
        element);
    if (text) {
      element.setAttribute('aria-label', text);
      this.box.appendChild(html('p', 'kind', text));
    }
  }

  say(text) {
    this.box.replaceChildren(html('h3', '', 'Last packet'),
                             html('p', 'kind', text));
  }
}
pages.PacketViewer = PacketViewer;

})(globalThis.synclinePages);
