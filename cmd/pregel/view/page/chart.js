// Small charts in SVG, of elements made by hand.
const space = 'http://www.w3.org/2000/svg';

export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

// defs are the patterns that tell apart, without colour, what bars stand for.
export function patterns() {
  const hatch = svg('pattern', {id: 'hatch', width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)'},
    svg('rect', {class: 'hatch-ground', width: 5, height: 5}), svg('rect', {class: 'hatch-line', width: 2, height: 5}));
  const dots = svg('pattern', {id: 'dots', width: 5, height: 5, patternUnits: 'userSpaceOnUse'},
    svg('rect', {class: 'dots-ground', width: 5, height: 5}), svg('circle', {class: 'dots-dot', cx: 2.5, cy: 2.5, r: 1.3}));
  return svg('svg', {width: 0, height: 0, 'aria-hidden': 'true', class: 'patterns'}, svg('defs', {}, hatch, dots));
}

// canvasOf is an empty chart of a width and height, with what it shows in words.
export function frame(width, height, label) {
  return svg('svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label, class: 'chart'});
}

// axis draws ticks at the left, with lines across.
export function axis(chart, scale, left, right, write) {
  for (const tick of scale.ticks()) {
    const y = scale(tick);
    chart.append(svg('line', {x1: left, x2: right, y1: y, y2: y, class: 'gridline'}),
      svg('text', {x: left - 5, y: y + 4, class: 'tick end'}, write(tick)));
  }
}

// polyline of points, left open where there is none.
export function path(points) {
  let text = '', pen = 'M';
  for (const p of points) {
    if (!p) { pen = 'M'; continue; }
    text += `${pen}${p[0].toFixed(1)} ${p[1].toFixed(1)}`;
    pen = 'L';
  }
  return text;
}

// marker is a small shape: a circle for the first trace, a square for the second.
export function marker(kind, x, y, r, attributes = {}) {
  return kind === 0 ? svg('circle', {cx: x, cy: y, r, ...attributes})
    : svg('rect', {x: x - r, y: y - r, width: 2 * r, height: 2 * r, ...attributes});
}

// bins cut supersteps into at most so many columns, each with its first and last.
export function bins(steps, most) {
  const by = Math.max(1, Math.ceil(steps.length / most));
  const list = [];
  for (let i = 0; i < steps.length; i += by) list.push(steps.slice(i, i + by));
  return list;
}
