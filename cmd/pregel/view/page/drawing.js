import {arcsLayer} from './arcs.js';
import {Camera} from './camera.js';
import {Labels} from './labels.js';
import {field, short, toNumber} from './number.js';
import {ink} from './scale.js';
import {arrowhead, corners, ease, readTheme, ring, vertexShape} from './shapes.js';

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
    this.layer ??= arcsLayer(this);
    this.pen.drawImage(this.layer, 0, 0, this.camera.width, this.camera.height);
    this.#messages();
    this.#chain();
    this.#vertices();
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
    const labelled = seen.length <= 120 && r >= 5;
    for (const awake of [false, true]) {
      for (const v of seen) {
        if (state.awake.has(v) === awake) vertexShape(this.pen, this.theme, {color: palette.color(state.values[v]), awake, changed: changed.has(v)}, r, ...this.at(v));
      }
    }
    if (selected >= 0) this.#selected(selected, r);
    this.labels = this.#labels(labelled ? seen : seen.filter((v) => v === selected), r, labelled);
  }

  // #labels writes ids into vertices that are large enough, and what is left beside
  // them, as far as there is room: of the chosen vertex always, then of those that
  // changed or are awake.
  #labels(seen, r, labelled) {
    const {state, changed, selected} = this.scene;
    const out = (v) => v === selected ? Math.max(r, 4) + 10 : changed.has(v) ? r + ring(r) + 1 : r + 1;
    const boxes = labelled ? seen.map((v) => { const [x, y] = this.at(v), o = changed.has(v) ? r + ring(r) : r; return [x - o, y - o, x + o, y + o]; }) : [];
    const labels = new Labels(this.camera.width, this.camera.height, boxes);
    const rank = (v) => (v === selected ? 4 : 0) + (changed.has(v) ? 2 : 0) + (state.awake.has(v) ? 1 : 0);
    for (const v of [...seen].sort((a, b) => rank(b) - rank(a))) {
      const [x, y] = this.at(v);
      const id = this.trace.id(v), inside = labelled && this.#id(id, x, y, r, state.values[v]);
      const value = this.#text(state.values[v]);
      const text = inside ? value : value ? `${id}: ${value}` : v === selected ? `${id}: none` : id;
      this.#beside(labels, text, x, y, out(v), v === selected);
    }
    return labels;
  }

  #beside(labels, text, x, y, r, must) {
    if (!text) return;
    this.pen.font = '10.5px system-ui, sans-serif';
    const at = labels.place(text, this.pen.measureText(text).width, x, y, r, must);
    if (at) this.#halo(text, ...at);
  }

  // #id writes an id into a vertex; false if there is no room.
  #id(id, x, y, r, value) {
    const {pen} = this;
    if (r < 9) return false;
    const color = this.scene.palette.color(value);
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.font = `${Math.min(14, r * 0.9)}px system-ui, sans-serif`;
    if (pen.measureText(id).width > 1.8 * r) return false;
    pen.fillStyle = color ? ink(color) : this.theme.text;
    pen.fillText(id, x, y);
    return true;
  }

  #text(value) {
    const x = field(value, this.scene.palette.name);
    if (x === undefined || x === null) return '';
    const v = toNumber(x);
    return this.scene.palette.named && v !== null && v < this.trace.n ? this.trace.id(v) : short(v ?? x);
  }

  #halo(text, x, y) {
    const {pen, theme} = this;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.lineWidth = 3;
    pen.strokeStyle = theme.ground;
    pen.strokeText(text, x, y);
    pen.fillStyle = theme.text;
    pen.fillText(text, x, y);
  }

  #selected(v, r) {
    const {pen, theme} = this;
    const [x, y] = this.at(v);
    pen.strokeStyle = theme.chain;
    pen.lineWidth = 2.5;
    pen.beginPath();
    corners(pen, x, y, Math.max(r, 4) + 4);
    pen.stroke();
  }
}
