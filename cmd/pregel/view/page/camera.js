// A Camera is where on a canvas the vertices of a graph are. Distances grow with
// its zoom k, vertices less.
export class Camera {
  constructor(canvas, n, places) {
    Object.assign(this, {canvas, n, places, k: 1, x: 0, y: 0});
    this.radius = n <= 60 ? 13 : n <= 400 ? 9 : n <= 2500 ? 6 : 4;
    const {left, right, top, bottom} = this.bounds();
    this.apart = Math.min(40, Math.sqrt((right - left) * (bottom - top) / n) || 40); // arcs are about 40 long
  }

  bounds() {
    const span = (list) => list.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
    const [left, right] = span(this.places.x), [top, bottom] = span(this.places.y);
    return {left, right, top, bottom};
  }

  resize() {
    const {width, height} = this.canvas.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    Object.assign(this, {width, height, ratio});
    [this.canvas.width, this.canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  }

  // fit shows the whole graph.
  fit() {
    const {left, right, top, bottom} = this.bounds();
    const margin = Math.min(34, this.width / 9);
    const k = Math.min((this.width - 2 * margin) / Math.max(right - left, 1), (this.height - 2 * margin) / Math.max(bottom - top, 1), 2.5);
    Object.assign(this, {k, x: this.width / 2 - k * (left + right) / 2, y: this.height / 2 - k * (top + bottom) / 2});
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const k = Math.min(Math.max(this.k * factor, 0.005), 20);
    const by = k / this.k;
    Object.assign(this, {k, x: x - (x - this.x) * by, y: y - (y - this.y) * by});
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
  }

  // center brings a vertex into the middle, unless it is well in sight.
  center(v) {
    const [x, y] = this.at(v);
    if (x > 20 && y > 20 && x < this.width - 20 && y < this.height - 20) return;
    this.pan(this.width / 2 - x, this.height / 2 - y);
  }

  at(v) {
    return [this.places.x[v] * this.k + this.x, this.places.y[v] * this.k + this.y];
  }

  // size of a vertex on the screen: it grows slower than distances.
  size() {
    const apart = this.k * this.apart;
    return Math.min(this.radius * 1.6, Math.max(1.2, Math.min(this.radius, apart * 0.32)), apart > 90 ? this.radius * 1.6 : this.radius);
  }

  // hit finds the vertex at a point, -1 if there is none near.
  hit(x, y) {
    let best = -1, nearest = Math.max(this.size() + 4, 12) ** 2;
    for (let v = 0; v < this.n; v++) {
      const [a, b] = this.at(v);
      const d = (a - x) ** 2 + (b - y) ** 2;
      if (d < nearest) [best, nearest] = [v, d];
    }
    return best;
  }
}
