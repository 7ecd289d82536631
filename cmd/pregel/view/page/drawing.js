import {Camera} from './camera.js';
import {field, short, toNumber} from './number.js';
import {css, ink} from './scale.js';
import {arrowhead, ease, outside, readTheme, shape} from './shapes.js';

// A Drawing puts a graph on a canvas: arcs, vertices with values, and messages on
// their way. What it shows is in `scene`: {state, before, progress, changed, messages,
// palette, selected, chain}.
export class Drawing {
  constructor(canvas, trace, places) {
    Object.assign(this, {canvas, trace, scene: null});
    this.pen = canvas.getContext('2d');
    this.camera = new Camera(canvas, trace.n, places);
  }

  // move changes the camera; the arcs are then drawn anew.
  move(f) {
    f(this.camera);
    this.layer = null;
  }

  at(v) { return this.camera.at(v); }

  draw() {
    if (!this.scene || !this.camera.width) return;
    this.theme = readTheme(this.canvas);
    this.pen.setTransform(this.camera.ratio, 0, 0, this.camera.ratio, 0, 0);
    this.pen.clearRect(0, 0, this.camera.width, this.camera.height);
    this.layer ??= this.#arcs();
    this.pen.drawImage(this.layer, 0, 0, this.camera.width, this.camera.height);
    this.#messages();
    this.#chain();
    this.#vertices();
  }

  // #arcs draws all arcs once for a camera: they are most of the work.
  #arcs() {
    const layer = document.createElement('canvas');
    [layer.width, layer.height] = [this.canvas.width, this.canvas.height];
    const pen = layer.getContext('2d');
    pen.scale(this.camera.ratio, this.camera.ratio);
    const {sources, targets} = this.trace.graph;
    const many = sources.length > 3000;
    pen.strokeStyle = this.theme.arc;
    pen.globalAlpha = many ? Math.max(0.12, 0.6 * 3000 / sources.length) : 0.8;
    pen.lineWidth = many ? 0.5 : 1;
    pen.beginPath();
    for (let i = 0; i < sources.length; i++) {
      const from = this.at(sources[i]), to = this.at(targets[i]);
      if (outside(from, to, this.camera.width, this.camera.height)) continue;
      pen.moveTo(...from);
      pen.lineTo(...to);
      if (this.trace.directed && !many) arrowhead(pen, from, to, this.camera.size());
    }
    pen.stroke();
    return layer;
  }

  // #messages draws those of this superstep: the arcs they take, and where they are.
  #messages() {
    const {messages, progress} = this.scene;
    if (!messages) return;
    const {pen} = this;
    const few = messages.list.length <= 400;
    pen.strokeStyle = pen.fillStyle = this.theme.message;
    pen.globalAlpha = few ? 0.7 : 0.3;
    pen.lineWidth = messages.list.length <= 80 ? 1.7 : few ? 1 : 0.8;
    pen.beginPath();
    for (const [from, to] of messages.list) {
      const a = this.at(from), b = this.at(to);
      pen.moveTo(...a);
      pen.lineTo(...b);
      if (few && progress >= 1) arrowhead(pen, a, b, this.camera.size());
    }
    pen.stroke();
    pen.globalAlpha = 1;
    if (progress < 1) this.#moving(messages.list, few ? 4 : 2.5);
  }

  #moving(list, r) {
    const {pen} = this;
    const along = ease(this.scene.progress);
    pen.strokeStyle = this.theme.ground;
    pen.lineWidth = 1;
    pen.beginPath();
    for (const [from, to] of list) {
      const [ax, ay] = this.at(from), [bx, by] = this.at(to);
      const x = ax + (bx - ax) * along, y = ay + (by - ay) * along;
      pen.moveTo(x + r, y);
      pen.arc(x, y, r, 0, 7);
    }
    pen.fill();
    if (list.length <= 400) pen.stroke();
  }

  // #chain draws how a value came about: thick, dashed, with arrows.
  #chain() {
    const {pen} = this;
    pen.strokeStyle = this.theme.chain;
    pen.lineWidth = 3.5;
    pen.setLineDash([9, 4]);
    for (const {from, to} of this.scene.chain ?? []) {
      const a = this.at(from), b = this.at(to);
      pen.beginPath();
      pen.moveTo(...a);
      pen.lineTo(...b);
      pen.stroke();
      pen.setLineDash([]);
      pen.beginPath();
      arrowhead(pen, a, b, this.camera.size(), 9);
      pen.stroke();
      pen.setLineDash([9, 4]);
    }
    pen.setLineDash([]);
  }

  #vertices() {
    const {state, changed, palette, selected} = this.scene;
    const r = this.camera.size();
    const seen = [];
    for (let v = 0; v < this.trace.n; v++) {
      const [x, y] = this.at(v);
      if (x > -r && y > -r && x < this.camera.width + r && y < this.camera.height + r) seen.push(v);
    }
    const labels = seen.length <= 120 && r >= 5;
    for (const awake of [false, true]) {
      for (const v of seen) {
        if (state.awake.has(v) === awake) this.#vertex(palette.color(state.values[v]), awake, changed.has(v), r, ...this.at(v));
      }
    }
    if (labels) this.#labels(seen, r);
    if (selected >= 0) this.#selected(selected, r, !labels || r < 9, state.values[selected]);
  }

  // #vertex draws a circle, of an awake vertex a square with a thick edge; hollow and
  // crossed out where there is no value; with a ring when it has just changed.
  #vertex(color, awake, changed, r, x, y) {
    const {pen, theme} = this;
    if (r < 3) return this.#dot(color, awake, r, x, y);
    pen.beginPath();
    shape(pen, x, y, r, awake);
    pen.fillStyle = color ? css(color) : theme.ground;
    pen.fill();
    pen.strokeStyle = awake ? theme.awake : theme.edge;
    pen.lineWidth = awake ? Math.min(3, Math.max(1, r / 3)) : r > 4 ? 1 : 0.4;
    pen.stroke();
    if (!color && r > 4) {
      pen.beginPath();
      pen.moveTo(x - r * 0.5, y + r * 0.5);
      pen.lineTo(x + r * 0.5, y - r * 0.5);
      pen.lineWidth = 0.8;
      pen.globalAlpha = 0.5;
      pen.stroke();
      pen.globalAlpha = 1;
    }
    if (!changed) return;
    pen.beginPath();
    shape(pen, x, y, r + Math.min(3.5, 1 + r / 4), awake);
    pen.strokeStyle = theme.changed;
    pen.lineWidth = 1.6;
    pen.stroke();
  }

  // #dot draws a vertex of a few pixels: ten thousand of them must not take long.
  #dot(color, awake, r, x, y) {
    const {pen, theme} = this;
    pen.fillStyle = awake ? theme.awake : color ? css(color) : theme.edge;
    const out = awake ? r + 0.6 : r;
    pen.fillRect(x - out, y - out, 2 * out, 2 * out);
    if (!awake && color) return;
    pen.fillStyle = color ? css(color) : theme.ground;
    const inner = Math.max(r - 0.5, 0.5);
    pen.fillRect(x - inner, y - inner, 2 * inner, 2 * inner);
  }

  // #labels writes ids into vertices that are large enough, and values below, as far
  // as they find room: first those of vertices that changed or are awake.
  #labels(seen, r) {
    const {state, changed} = this.scene;
    const rank = (v) => (changed.has(v) ? 2 : 0) + (state.awake.has(v) ? 1 : 0);
    const taken = seen.map((v) => { const [x, y] = this.at(v); return [x - r, y - r, x + r, y + r]; });
    for (const v of [...seen].sort((a, b) => rank(b) - rank(a))) {
      const [x, y] = this.at(v);
      const id = this.trace.id(v), inside = r >= 9 && id.length <= 3;
      if (inside) this.#id(id, x, y, r, state.values[v]);
      const text = `${inside ? '' : id} ${this.#text(state.values[v])}`.trim();
      const half = text.length * 3.1, box = [x - half, y + r + 4, x + half, y + r + 14];
      if (taken.some((t) => t[0] < box[2] && t[2] > box[0] && t[1] < box[3] && t[3] > box[1])) continue;
      taken.push(box);
      this.#halo(text, x, y + r + 9);
    }
  }

  #id(id, x, y, r, value) {
    const {pen} = this;
    const color = this.scene.palette.color(value);
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.font = `${Math.max(9, Math.min(14, r * 0.9))}px system-ui, sans-serif`;
    pen.fillStyle = color ? ink(color) : this.theme.text;
    pen.fillText(id, x, y);
  }

  #text(value) {
    const x = field(value, this.scene.palette.name);
    if (x === undefined || x === null) return '';
    const v = toNumber(x);
    return this.scene.palette.named && v !== null && v < this.trace.n ? this.trace.id(v) : short(v ?? x);
  }

  #halo(text, x, y) {
    const {pen, theme} = this;
    if (!text) return;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.font = '10.5px system-ui, sans-serif';
    pen.lineWidth = 3;
    pen.strokeStyle = theme.ground;
    pen.strokeText(text, x, y);
    pen.fillStyle = theme.text;
    pen.fillText(text, x, y);
  }

  #selected(v, r, label, value) {
    const {pen, theme} = this;
    const [x, y] = this.at(v);
    pen.strokeStyle = theme.chain;
    pen.lineWidth = 2.5;
    pen.beginPath();
    const out = Math.max(r, 4) + 4, end = out + 6;
    for (const [dx, dy] of [[1, 1], [-1, 1], [1, -1], [-1, -1]]) {
      pen.moveTo(x + dx * end, y + dy * out * 0.8);
      pen.lineTo(x + dx * end, y + dy * end);
      pen.lineTo(x + dx * out * 0.8, y + dy * end);
    }
    pen.stroke();
    if (label) this.#halo(`${this.trace.id(v)}: ${this.#text(value) || 'none'}`, x, y + out + 14);
  }
}
