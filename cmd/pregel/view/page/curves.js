import {axis, bins, frame, html, marker, path, svg} from './chart.js';
import {count, duration, short} from './number.js';
import {linear, log} from './scale.js';

const margin = {left: 62, right: 12, top: 10, bottom: 26};

// lines draws curves over the supersteps, by logarithm where they span much, each
// with marks of its own: lists of {name, kind, points: [[superstep, value]], dashed}.
function lines(host, width, height, label, curves, write, levels = []) {
  const values = curves.flatMap((c) => c.points.map((p) => p[1])).concat(levels.map((l) => l.value)).filter((v) => v > 0);
  const supersteps = curves.flatMap((c) => c.points.map((p) => p[0]));
  const [low, high] = values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, 0]);
  const x = linear([0, Math.max(...supersteps, 1)], [margin.left + 8, width - margin.right - 8]);
  const wide = high > 20 * low;
  const y = (wide ? log : linear)([wide ? low : 0, high], [height - margin.bottom, margin.top]);
  const chart = frame(width, height, label);
  axis(chart, y, margin.left, width - margin.right, write);
  for (const tick of x.ticks(Math.max(2, Math.floor(width / 90)), 1)) chart.append(svg('text', {x: x(tick), y: height - 8, class: 'tick middle'}, tick));
  for (const {value, name} of levels) {
    chart.append(svg('line', {x1: margin.left, x2: width - margin.right, y1: y(value), y2: y(value), class: 'level'}), svg('text', {x: margin.left + 4, y: y(value) - 4, class: 'tick'}, name));
  }
  for (const c of curves) {
    const at = c.points.map(([s, v]) => v > 0 ? [x(s), y(v)] : null);
    chart.append(svg('path', {d: path(at), class: `curve ${c.dashed ? 'dashed' : ''} curve-${c.kind}`}));
    const every = Math.ceil(at.length / 40);
    at.forEach((p, i) => { if (p && i % every === 0) chart.append(marker(c.kind, ...p, radius(c), {class: `point point-${c.kind} ${c.dashed ? 'hollow' : ''}`})); });
  }
  host.replaceChildren(chart, key(curves, wide ? ' (logarithmic scale)' : ''));
}

// radius of a curve's marks: those of a dashed one are rings, in which a dot can be seen.
const radius = (curve) => curve.dashed ? 4.5 : 3;

function key(curves, note) {
  return html('p', {class: 'legend'}, ...curves.map((c) => html('span', {class: 'key'},
    svg('svg', {width: 26, height: 12, 'aria-hidden': 'true'}, svg('path', {d: 'M0 6H26', class: `curve curve-${c.kind} ${c.dashed ? 'dashed' : ''}`}),
      marker(c.kind, 13, 6, radius(c), {class: `point point-${c.kind} ${c.dashed ? 'hollow' : ''}`})), c.name)), note);
}

// residuals draws the metric that runs bring below their tolerance; false if no
// trace has any.
export function residuals(host, traces, width) {
  const found = traces.map((trace, kind) => ({
    kind, name: `${traces.length > 1 ? trace.name + ': ' : ''}${trace.steps.find((s) => s.metric)?.metric.name}`,
    points: trace.steps.filter((s) => s.metric?.value > 0).map((s) => [s.superstep, s.metric.value]),
    tolerance: trace.steps.findLast((s) => s.metric)?.metric.tolerance,
  })).filter((c) => c.points.length);
  if (!found.length) return false;
  const levels = [...new Set(found.map((c) => c.tolerance).filter((t) => t > 0))].map((value) => ({value, name: `tolerance ${short(value)}`}));
  lines(host, width, 210, 'Residual by superstep, on a logarithmic scale', found, short, levels);
  return true;
}

// times draws measured and predicted time of a trace by superstep.
export function times(host, fit, kind, width) {
  const rows = bins(fit.rows, 400).map((group) => group.reduce((a, b) => b.measured > a.measured ? b : a));
  lines(host, width, 190, 'Measured time of each superstep, and that of the BSP model', [
    {name: 'measured', kind, points: rows.map((r) => [r.superstep, r.measured])},
    {name: 'predicted: w + g·h + l', kind, dashed: true, points: rows.map((r) => [r.superstep, r.predicted])},
  ], duration);
}

// phases are the names of the parts of supersteps that were timed, in the order in
// which they come.
function phases(traces) {
  return [...new Set(traces.flatMap((t) => t.steps.flatMap((s) => (s.phases ?? []).map((p) => p.name))))];
}

// slowest is the time of a phase: that of the worker, or of the device, who took
// the longest; null: it was no part of the superstep.
function slowest(step, name) {
  const times = (step.phases ?? []).filter((p) => p.name === name).flatMap((p) => p.workers);
  return times.length ? Math.max(...times) : null;
}

// comparison puts the totals of two runs side by side.
export function comparison(traces) {
  const sum = (trace, of) => trace.steps.reduce((total, s) => of(s) == null ? total : total + of(s), trace.steps.some((s) => of(s) != null) ? 0 : null);
  const measures = [
    ['supersteps', (t) => t.steps.length, count],
    ['time in supersteps', (t) => sum(t, (s) => s.nanoseconds), duration],
    ['slowest superstep', (t) => Math.max(0, ...t.steps.map((s) => s.nanoseconds ?? 0)), duration],
    ['arcs', (t) => sum(t, (s) => s.arcs), count],
    ['messages', (t) => sum(t, (s) => s.sent), count],
    ['bytes', (t) => sum(t, (s) => s.bytes), count],
    ['atomics', (t) => sum(t, (s) => s.atomics), count],
    ['supersteps pushed', (t) => t.steps.filter((s) => s.direction === 'push').length, count],
    ...phases(traces).map((name) => [`time in ${name}`, (t) => sum(t, (s) => slowest(s, name)), duration]),
  ];
  const rows = measures.filter(([, of]) => traces.some((t) => of(t) > 0)).map(([name, of, write]) => {
    const [a, b] = traces.map(of);
    return html('tr', {}, html('th', {scope: 'row'}, name), html('td', {}, a === null ? '–' : write(a)), html('td', {}, b === null ? '–' : write(b)), html('td', {}, a > 0 && b > 0 ? short(a / b) : '–'));
  });
  return html('table', {class: 'numbers'}, html('thead', {}, html('tr', {}, ...['', 'A', 'B', 'A / B'].map((t) => html('th', {scope: 'col'}, t)))), html('tbody', {}, ...rows));
}
