import {css} from './scale.js';

// What drawings are made of.

// shape adds a circle, or a square, to a path.
export function shape(pen, x, y, r, square) {
  if (square) pen.rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8);
  else {
    pen.moveTo(x + r, y);
    pen.arc(x, y, r, 0, 2 * Math.PI);
  }
}

// vertexShape draws a circle, of an awake vertex a square with a thick edge; hollow
// and crossed out where there is no value; with a ring when it has just changed.
export function vertexShape(pen, theme, {color, awake, changed}, r, x, y) {
  if (r < 3) return speck(pen, theme, color, awake, r, x, y);
  pen.beginPath();
  shape(pen, x, y, r, awake);
  pen.fillStyle = color ? css(color) : theme.ground;
  pen.fill();
  pen.strokeStyle = awake ? theme.awake : theme.edge;
  pen.lineWidth = awake ? Math.min(3, Math.max(1, r / 3)) : r > 4 ? 1 : 0.4;
  pen.stroke();
  if (!color && r > 4) crossOut(pen, r, x, y);
  if (!changed) return;
  pen.beginPath();
  shape(pen, x, y, r + ring(r), awake);
  pen.strokeStyle = theme.changed;
  pen.lineWidth = 1.6;
  pen.stroke();
}

function crossOut(pen, r, x, y) {
  pen.beginPath();
  pen.moveTo(x - r * 0.5, y + r * 0.5);
  pen.lineTo(x + r * 0.5, y - r * 0.5);
  pen.lineWidth = 0.8;
  pen.globalAlpha = 0.5;
  pen.stroke();
  pen.globalAlpha = 1;
}

// ring is how far out the ring of a vertex that has changed is.
export function ring(r) { return Math.min(3.5, 1 + r / 4); }

// speck draws a vertex of a few pixels: ten thousand of them must not take long.
function speck(pen, theme, color, awake, r, x, y) {
  pen.fillStyle = awake ? theme.awake : color ? css(color) : theme.edge;
  const out = awake ? r + 0.6 : r;
  pen.fillRect(x - out, y - out, 2 * out, 2 * out);
  if (!awake && color) return;
  pen.fillStyle = color ? css(color) : theme.ground;
  const inner = Math.max(r - 0.5, 0.5);
  pen.fillRect(x - inner, y - inner, 2 * inner, 2 * inner);
}

// corners adds those of a box around a vertex to a path.
export function corners(pen, x, y, out) {
  const end = out + 6;
  for (const [dx, dy] of [[1, 1], [-1, 1], [1, -1], [-1, -1]]) {
    pen.moveTo(x + dx * end, y + dy * out * 0.8);
    pen.lineTo(x + dx * end, y + dy * end);
    pen.lineTo(x + dx * out * 0.8, y + dy * end);
  }
}

// ease starts and ends slowly.
export function ease(t) { return t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) ** 2; }

export function outside([ax, ay], [bx, by], width, height) {
  return Math.max(ax, bx) < 0 || Math.max(ay, by) < 0 || Math.min(ax, bx) > width || Math.min(ay, by) > height;
}

// arrowhead ends a line short of the vertex it points to.
export function arrowhead(pen, [ax, ay], [bx, by], r, size = 6) {
  const length = Math.hypot(bx - ax, by - ay);
  if (length < 2 * r) return;
  const [dx, dy] = [(bx - ax) / length, (by - ay) / length];
  const [x, y] = [bx - dx * (r + 1), by - dy * (r + 1)];
  pen.moveTo(x - dx * size - dy * size * 0.5, y - dy * size + dx * size * 0.5);
  pen.lineTo(x, y);
  pen.lineTo(x - dx * size + dy * size * 0.5, y - dy * size - dx * size * 0.5);
}

// readTheme reads the colours of the page, light or dark.
export function readTheme(element) {
  const style = getComputedStyle(element);
  const names = ['ground', 'text', 'arc', 'edge', 'awake', 'changed', 'message', 'chain'];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}
