import {field, leaves, same, toNumber} from './number.js';

const compare = {
  '<': (a, b) => a < b, '<=': (a, b) => a <= b, '>': (a, b) => a > b, '>=': (a, b) => a >= b,
  '=': (a, b) => a === b, '==': (a, b) => a === b, '!=': (a, b) => a !== b,
};

// What can be asked of a whole superstep.
const measures = {
  awake: (step, state) => step?.next ?? state.awake.size,
  messages: (step) => step?.sent ?? step?.arcs,
  time: (step) => step?.nanoseconds,
  metric: (step) => step?.metric?.value,
};

// What can happen to a vertex.
const events = {
  wakes: (v, before, now) => now.awake.has(v),
  sleeps: (v, before, now) => !now.awake.has(v),
  changes: (v, before, now) => !same(before.values[v], now.values[v]),
};

export const examples = ['value of X < 3', 'X.FIELD >= 0.1', 'X wakes', 'X sleeps', 'X changes', 'any > 10', 'awake < 5', 'messages > 100', 'metric < 0.001'];

// parseBreakpoint reads a condition into {text, holds(before, now, step)}; an
// error says what was found and what is allowed.
export function parseBreakpoint(text, trace) {
  text = text.trim();
  const event = /^(?:vertex\s+)?(.+?)\s+(\w+)$/i.exec(text);
  if (event && events[event[2].toLowerCase()]) {
    const v = findVertex(event[1], trace);
    const happens = events[event[2].toLowerCase()];
    return {text, once: happens !== events.changes, holds: (before, now) => happens(v, before, now)};
  }
  const parts = /^(?:value\s+of\s+)?(.+?)\s*(<=|>=|!=|==|=|<|>)\s*(\S+)$/i.exec(text);
  if (!parts) throw new Error(`“${text}” is no condition; allowed are, for example, ${examples.slice(0, 3).join(' · ')} · awake < 5`);
  const limit = toNumber(parts[3]) ?? Number(parts[3]);
  if (Number.isNaN(limit)) throw new Error(`found “${parts[3]}” after ${parts[2]}; a number is expected`);
  return {text, once: true, holds: comparing(parts[1], compare[parts[2]], limit, trace)};
}

function comparing(subject, holds, limit, trace) {
  const measure = measures[subject.toLowerCase()];
  if (measure && trace.vertex(subject) < 0) {
    return (before, now, step) => known(measure(step, now), (x) => holds(x, limit));
  }
  const test = (value, name) => leaves(name ? field(value, name) : value)
    .some(([, x]) => known(toNumber(x), (number) => holds(number, limit)));
  if (subject.toLowerCase() === 'any') return (before, now) => now.values.some((value) => test(value));
  const [v, name] = vertexAndField(subject, trace);
  return (before, now) => test(now.values[v], name);
}

function known(x, f) { return x !== null && x !== undefined && f(x); }

function vertexAndField(subject, trace) {
  const dot = subject.lastIndexOf('.');
  if (trace.vertex(subject) < 0 && dot > 0) return [findVertex(subject.slice(0, dot), trace), subject.slice(dot + 1)];
  return [findVertex(subject, trace), ''];
}

function findVertex(id, trace) {
  const v = trace.vertex(id.trim());
  if (v < 0) throw new Error(`there is no vertex “${id.trim()}” in ${trace.header.graph?.name || 'the graph'}`);
  return v;
}

// fires tells whether a breakpoint stops a run at superstep s: its condition
// holds after s, and, but for changes, did not before.
export async function fires(point, trace, states, s) {
  if (s <= trace.first) return false;
  const before = await states.at(s - 1);
  const now = await states.at(s);
  if (!point.holds(before, now, trace.bySuperstep.get(s))) return false;
  return !point.once || !point.holds(null, before, trace.bySuperstep.get(s - 1));
}

// seek looks from superstep s on, forwards (+1) or backwards (-1), for the next
// one where a breakpoint fires; null if there is none.
export async function seek(points, trace, states, s, direction) {
  for (let t = s + direction; t >= trace.first && t <= trace.last; t += direction) {
    for (const point of points) {
      if (await fires(point, trace, states, t)) return {superstep: t, point};
    }
  }
  return null;
}
