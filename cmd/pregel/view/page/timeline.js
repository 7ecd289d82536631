import {axis, bins, frame, html, svg} from './chart.js';
import {count, duration} from './number.js';
import {linear} from './scale.js';

const left = 54, right = 10, height = 46, gap = 20;

// What is drawn over the supersteps, each in a row of its own.
const rows = [
  {title: 'awake', of: (s) => s.awake, write: count, class: 'bar-awake'},
  {title: 'messages', plain: 'arcs', of: (s) => s.sent ?? s.arcs, write: count, class: 'bar-messages'},
  {title: 'time', of: (s) => s.nanoseconds, write: duration, class: 'bar-time'},
];

// timeline draws active set, messages, time, direction and form of the frontier by
// superstep. A click goes to the superstep. Where there are many, a column stands
// for several, with their maximum. It returns what marks the superstep looked at.
export function timeline(host, trace, width, go) {
  const sends = trace.steps.some((s) => s.sent !== undefined || s.direction || s.frontier); // else all are plain phases
  const shown = rows.filter((row) => trace.steps.some((s) => row.of(s) > 0)).map((row) => ({...row, title: sends ? row.title : row.plain ?? row.title}));
  const total = shown.length * (height + gap) + (sends ? 40 : 12);
  const chart = frame(width, total, `Timeline of ${trace.steps.length} supersteps: ${shown.map((r) => r.title).join(', ')}${sends ? ', direction and frontier' : ''}`);
  const columns = bins(trace.steps, Math.max(20, Math.floor((width - left - right) / 3)));
  const step = (width - left - right) / Math.max(columns.length, 1);
  const cursor = svg('rect', {class: 'cursor', y: 0, height: total - 9, width: Math.max(step, 3), x: -10});
  chart.append(cursor);
  shown.forEach((row, i) => bars(chart, columns, row, i * (height + gap), step, width));
  if (sends) strip(chart, columns, shown.length * (height + gap) + 4, step);
  hits(chart, columns, step, total, go);
  host.replaceChildren(...(sends ? [chart, legend()] : [chart]));
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
  axis(chart, Object.assign((v) => scale(v), {ticks: () => [scale.ticks().at(-1)]}), left, width - right, row.write);
  columns.forEach((_, i) => {
    if (!(values[i] > 0)) return;
    const tall = Math.max(1, scale(0) - scale(values[i]));
    chart.append(svg('rect', {class: row.class, x: left + i * step + step * 0.1, width: Math.max(1, step * 0.8), y: scale(0) - tall, height: tall}));
  });
}

// strip tells direction (push full, pull hatched) and frontier (list: a thin mark,
// bits: a thick one) below the bars.
function strip(chart, columns, top, step) {
  chart.append(svg('text', {x: left - 5, y: top + 10, class: 'tick end'}, 'direction'), svg('text', {x: left - 5, y: top + 24, class: 'tick end'}, 'frontier'));
  columns.forEach((column, i) => {
    const x = left + i * step, wide = Math.max(1, step * 0.8), {direction, frontier} = column[0];
    if (direction) chart.append(svg('rect', {class: `mark-${direction}`, x: x + step * 0.1, y: top, width: wide, height: 11}));
    if (frontier) chart.append(svg('rect', {class: 'mark-frontier', x: x + step * 0.1, y: top + (frontier === 'bits' ? 15 : 19), width: wide, height: frontier === 'bits' ? 10 : 2}));
  });
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

function legend() {
  const item = (kind, text) => html('span', {class: 'key'}, html('i', {class: `swatch ${kind}`, 'aria-hidden': 'true'}), text);
  return html('p', {class: 'legend'}, item('push', 'push'), item('pull', 'pull'), item('list', 'list'), item('bits', 'bits'));
}
