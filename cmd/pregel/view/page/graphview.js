import {html, svg} from './chart.js';
import {Drawing} from './drawing.js';
import {finish, layout} from './layout.js';
import {short} from './number.js';

// A GraphView is the graph of a trace on the page: it lays it out, draws it, and
// turns mouse, touch and wheel into camera and choice of a vertex.
export class GraphView {
  constructor(trace, choose) {
    Object.assign(this, {trace, choose, drawing: null, pointers: new Map()});
    this.canvas = html('canvas', {tabindex: 0, role: 'img', 'aria-label': `Graph of ${trace.n} vertices; the vertex list and the search reach each by keyboard`});
    this.state = html('p', {class: 'busy', role: 'status'}, 'placing vertices…');
    this.legend = html('div', {class: 'legend'});
    this.element = html('div', {class: 'graphbox'}, html('div', {class: 'graph'}, this.canvas, this.state), html('div', {class: 'under'}, this.legend, this.#buttons()));
    this.#listen();
  }

  // start lays out, unless another view has the same graph's places.
  async start(places = null) {
    const {sources, targets} = this.trace.graph;
    this.places = places ?? await finish(layout(this.trace.n, sources, targets), (done) => {
      this.state.textContent = `placing vertices… ${Math.round(done * 100)} %`;
    });
    this.state.hidden = true;
    this.drawing = new Drawing(this.canvas, this.trace, this.places);
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    this.resize();
  }

  // resize fits the graph to a canvas of a new size, and redraws it in new colours.
  resize() {
    if (!this.drawing) return;
    this.drawing.move((camera) => { camera.resize(); camera.fit(); });
    this.drawing.draw();
  }

  show(scene) {
    if (!this.drawing) return;
    this.drawing.scene = scene;
    this.drawing.draw();
  }

  fit() { this.#camera((camera) => camera.fit()); }
  zoom(factor) { this.#camera((camera) => camera.zoom(factor)); }
  center(v) { this.#camera((camera) => camera.center(v)); }

  #camera(f) {
    if (!this.drawing) return;
    this.drawing.move(f);
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.drawing.draw());
  }

  #buttons() {
    const button = (text, label, f) => {
      const element = html('button', {type: 'button', title: label, 'aria-label': label}, text);
      element.addEventListener('click', f);
      return element;
    };
    return html('div', {class: 'zoom'}, button('+', 'Zoom in', () => this.zoom(1.4)), button('−', 'Zoom out', () => this.zoom(1 / 1.4)), button('⤢', 'Show the whole graph', () => this.fit()));
  }

  #listen() {
    const {canvas} = this;
    canvas.addEventListener('wheel', (e) => {
      e.preventDefault();
      this.#camera((camera) => camera.zoom(Math.exp(-e.deltaY / 400), e.offsetX, e.offsetY));
    }, {passive: false});
    canvas.addEventListener('pointerdown', (e) => {
      canvas.setPointerCapture(e.pointerId);
      this.pointers.set(e.pointerId, [e.offsetX, e.offsetY]);
      this.moved = this.pointers.size > 1;
    });
    canvas.addEventListener('pointermove', (e) => this.#move(e));
    for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, (e) => this.#up(e));
  }

  #move(e) {
    const last = this.pointers.get(e.pointerId);
    if (!last || !this.drawing) return;
    const [x, y] = [e.offsetX, e.offsetY];
    const other = [...this.pointers].find(([id]) => id !== e.pointerId)?.[1];
    if (!other && !this.moved && Math.hypot(x - last[0], y - last[1]) < 4) return; // a click that trembles
    this.moved = true;
    this.pointers.set(e.pointerId, [x, y]);
    if (!other) return this.#camera((camera) => camera.pan(x - last[0], y - last[1]));
    const apart = (p) => Math.max(1, Math.hypot(p[0] - other[0], p[1] - other[1]));
    this.#camera((camera) => camera.zoom(apart([x, y]) / apart(last), (x + other[0]) / 2, (y + other[1]) / 2));
  }

  #up(e) {
    const pressed = this.pointers.delete(e.pointerId);
    if (pressed && !this.moved && e.type === 'pointerup' && this.drawing) this.choose(this.drawing.camera.hit(e.offsetX, e.offsetY));
  }

  // key explains shapes and colours.
  key(palette, title) {
    const sign = (element, text) => html('span', {class: 'key'}, svg('svg', {width: 18, height: 18, viewBox: '-9 -9 18 18', 'aria-hidden': 'true'}, ...element), text);
    const signs = [
      sign([svg('rect', {x: -6, y: -6, width: 12, height: 12, class: 'sign awake'})], 'awake'),
      sign([svg('circle', {r: 6, class: 'sign'})], 'asleep'),
      sign([svg('circle', {r: 6, class: 'sign hollow'}), svg('path', {d: 'M-3 3L3-3', class: 'sign'})], 'no value'),
      sign([svg('circle', {r: 4.5, class: 'sign'}), svg('circle', {r: 7.5, class: 'sign ring'})], 'just changed'),
      ...this.trace.messages.size ? [sign([svg('path', {d: 'M-9 0H8M3-4L8 0L3 4', class: 'sign message'})], 'message')] : [],
      sign([svg('path', {d: 'M-9 0H9', class: 'sign way'})], 'why'),
      sign([svg('path', {d: 'M-8-3V-8H-3M3-8H8V-3M8 3V8H3M-3 8H-8V3', class: 'sign chosen'})], 'chosen'),
    ];
    const ramp = () => [html('span', {class: 'key ramp'}, `${title} ${short(palette.low)}`, gradientBar(palette), `${short(palette.high)}${palette.logarithm ? ' (log)' : ''}`)];
    this.legend.replaceChildren(...palette.category ? this.#names(palette, title, sign) : ramp(), ...signs);
  }

  // #names is the key to a palette of names.
  #names(palette, title, sign) {
    const dot = (fill, text) => sign([svg('circle', {r: 6, class: 'name', fill})], text);
    const write = (x) => palette.named && x < this.trace.n ? this.trace.id(x) : short(x);
    return [html('span', {class: 'key'}, palette.enough ? `${title}:` : `${title}, the most frequent at the end:`),
      ...palette.owners().map(([x, fill]) => dot(fill, write(x))), ...palette.enough ? [] : [dot(palette.grey(), 'others')]];
  }
}

function gradientBar(palette) {
  const colors = palette.gradient();
  const bar = svg('svg', {width: 96, height: 11, 'aria-hidden': 'true'});
  colors.forEach((fill, i) => bar.append(svg('rect', {x: i * 6, width: 6.5, height: 11, fill})));
  return bar;
}
