// What drawings are made of.

// shape adds a circle, or a square, to a path.
export function shape(pen, x, y, r, square) {
  if (square) pen.rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8);
  else {
    pen.moveTo(x + r, y);
    pen.arc(x, y, r, 0, 2 * Math.PI);
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
