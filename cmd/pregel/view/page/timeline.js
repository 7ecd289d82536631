import {axis, bins, frame, html, svg} from './chart.js';
import {count, duration} from './number.js';
import {linear, niceStep} from './scale.js';

const left = 62, right = 10, height = 46, gap = 20;

// What is drawn over the supersteps, each in a row of its own: arcs only where there
// are phases that send no messages.
const rows = [
  {title: 'awake', of: (s) => s.awake, write: count, class: 'bar-awake'},
  {title: 'messages', of: (s) => s.sent, write: count, class: 'bar-messages'},
  {title: 'arcs', of: (s) => s.arcs, when: (s) => s.sent === undefined, write: count, class: 'bar-arcs'},
  {title: 'time', of: (s) => s.nanoseconds, write: duration, class: 'bar-time'},
];

// timeline draws active set, messages, time, direction and form of the frontier by
// superstep. A click goes to the superstep. Where there are many, a column stands
// for several, with their maximum. It returns what marks the superstep looked at.
export function timeline(host, trace, width, go) {
  const shown = rows.filter((row) => trace.steps.some((s) => row.of(s) > 0 && (row.when?.(s) ?? true)));
  const marked = marks.filter((mark) => trace.steps.some((s) => s[mark.title]));
  const under = shown.length * (height + gap) + 4, total = under + marked.length * 15 + 24;
  const chart = frame(width, total, `Timeline of ${trace.steps.length} supersteps: ${[...shown, ...marked].map((r) => r.title).join(', ')}`);
  const columns = bins(trace.steps, Math.max(20, Math.floor((width - left - right) / 3)));
  const step = (width - left - right) / Math.max(columns.length, 1);
  const cursor = svg('rect', {class: 'cursor', y: 1, height: total - 2, width: Math.max(step, 3), x: -10});
  chart.append(cursor);
  shown.forEach((row, i) => bars(chart, columns, row, i * (height + gap), step, width));
  marked.forEach((mark, i) => strip(chart, columns, mark, under + 15 * i, step));
  numbers(chart, columns, total - 7, step);
  hits(chart, columns, step, total, go);
  host.replaceChildren(chart, legend(marked));
  return (s) => {
    const i = columns.findIndex((column) => s <= column.at(-1).superstep);
    cursor.setAttribute('x', s < 0 || i < 0 ? -10 : left + i * step + (step - Math.max(step, 3)) / 2);
    cursor.setAttribute('visibility', s < 0 ? 'hidden' : 'visible');
  };
}

function bars(chart, columns, row, top, step, width) {
  const values = columns.map((column) => Math.max(...column.map((s) => row.of(s) ?? 0)));
  const scale = linear([0, Math.max(...values, 1)], [top + gap + height, top + gap]);
  chart.append(svg('text', {x: left, y: top + 13, class: 'row-title'}, row.title));
  axis(chart, Object.assign((v) => scale(v), {ticks: () => [Math.max(...values, 1)]}), left, width - right, row.write);
  columns.forEach((_, i) => {
    if (!(values[i] > 0)) return;
    const tall = Math.max(1, scale(0) - scale(values[i]));
    chart.append(svg('rect', {class: row.class, x: left + i * step + step * 0.1, width: Math.max(1, step * 0.8), y: scale(0) - tall, height: tall}));
  });
}

// What is marked below the bars, and how: in words for the legend.
const marks = [
  {title: 'direction', signs: ['push', 'pull'], mark: (chart, kind, at) => chart.append(svg('rect', {class: `mark-${kind}`, height: 11, ...at}))},
  {title: 'frontier', signs: ['list', 'bits'], mark: (chart, kind, {y, ...at}) => chart.append(svg('rect', {class: 'mark-frontier', y: kind === 'bits' ? y : y + 4, height: kind === 'bits' ? 10 : 2, ...at}))},
];

// strip tells direction (push full, pull hatched) or frontier (list: a thin mark,
// bits: a thick one) below the bars.
function strip(chart, columns, {title, mark}, top, step) {
  chart.append(svg('text', {x: left - 5, y: top + 10, class: 'tick end'}, title));
  columns.forEach((column, i) => {
    const kind = column[0][title];
    if (kind) mark(chart, kind, {x: left + i * step + step * 0.1, y: top, width: Math.max(1, step * 0.8)});
  });
}

// numbers writes which supersteps the columns are, as many as find room.
function numbers(chart, columns, y, step) {
  chart.append(svg('text', {x: left - 5, y, class: 'tick end'}, 'superstep'));
  const by = Math.max(1, niceStep(40 / step, 1));
  for (let i = 0; i < columns.length; i += by) chart.append(svg('text', {x: left + (i + 0.5) * step, y, class: 'tick middle'}, columns[i][0].superstep));
}

function hits(chart, columns, step, total, go) {
  columns.forEach((column, i) => {
    const [first, last] = [column[0], column.at(-1)];
    const name = first === last ? `superstep ${first.superstep} (${first.program})` : `supersteps ${first.superstep} to ${last.superstep}`;
    const hit = svg('rect', {class: 'hit', x: left + i * step, y: 0, width: step, height: total, 'data-superstep': first.superstep},
      svg('title', {}, `${name}: ${count(first.awake)} awake, ${duration(first.nanoseconds)}${first.direction ? ', ' + first.direction : ''}`));
    hit.addEventListener('click', () => go(first.superstep));
    chart.append(hit);
  });
}

function legend(marked) {
  const item = (kind) => html('span', {class: 'key'}, html('i', {class: `swatch ${kind}`, 'aria-hidden': 'true'}), kind);
  return html('p', {class: 'legend'}, ...marked.flatMap(({title, signs}) => [html('span', {}, `${title}:`), ...signs.map(item)]));
}
