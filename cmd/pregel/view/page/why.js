import {leaves, same, toNumber} from './number.js';

// why gives the chain of messages that led to the value of vertex v after
// superstep s, the last first. Each link is a message that arrived when the value
// last changed, and goes on with its sender as it was when it sent.
// how: "won", the least, greatest or equal one; "greatest", the greatest of those
// added up; "only", the one that came; "likely" and "perhaps" where messages were
// not recorded: an awake neighbour that would have sent the value, or any.
export async function why(trace, states, v, s, limit = 10000) {
  const links = [];
  const first = states.began(s);
  for (let at = s; links.length < limit;) {
    const superstep = await lastChange(states, v, at, first);
    if (superstep <= first) return {links, end: 'init', vertex: v, superstep: first, value: (await states.at(first)).values[v]};
    const before = (await states.at(superstep - 1)).values[v];
    const after = (await states.at(superstep)).values[v];
    const link = await choose(trace, states, {to: v, superstep, before, after});
    if (!link) return {links, end: 'silent', vertex: v, superstep, value: after};
    links.push(link);
    v = link.from;
    at = link.sent - 1;
  }
  return {links, end: 'limit', vertex: v};
}

async function lastChange(states, v, from, first) {
  for (let s = from; s > first; s--) {
    const now = await states.at(s);
    if (now.listed && !now.listed.includes(v)) continue;
    if (!same(now.values[v], (await states.at(s - 1)).values[v])) return s;
  }
  return first;
}

async function choose(trace, states, change) {
  const {record, sent} = await states.arriving(change.superstep);
  const link = {...change, sent};
  if (!record && trace.bySuperstep.get(sent)?.sent !== 0) { // those of this superstep were not recorded
    const guess = await guessed(trace, states, link);
    return guess && {...link, ...guess};
  }
  const list = arrivals(record, change.to);
  const {combine = ''} = trace.programAt(change.superstep);
  return list.length ? {...link, ...winner(list, change.before, change.after, combine)} : null;
}

// arrivals are the messages of a record to a vertex.
export function arrivals(record, v) {
  const list = [];
  record?.to.forEach((to, i) => {
    if (to === v) list.push({from: record.from[i], message: record.message[i]});
  });
  return list;
}

// winner picks, of the messages that arrived together, the one that the value came
// from, by the combiner's law; of what is added up, the greatest.
export function winner(list, before, after, combine) {
  const order = [...list].sort(orders[combine] ?? orders.sum);
  if (list.length === 1) return {...list[0], how: 'only', others: []};
  const parts = changedParts(before, after);
  const equal = combine === 'sum' || combine === 'or' ? []
    : list.filter((m) => leaves(m.message).some(([, x]) => x !== null && parts.some((p) => same(p, x))));
  if (equal.length) {
    const first = equal.sort((a, b) => a.from - b.from)[0];
    return {...first, how: 'won', others: without(order, first), ties: equal.length - 1};
  }
  if (['min', 'max', 'any'].includes(combine)) return {...order[0], how: 'won', others: order.slice(1), ties: 0};
  const sum = list.reduce((total, m) => total + Math.abs(size(m.message)), 0);
  return {...order[0], how: 'greatest', share: sum > 0 ? Math.abs(size(order[0].message)) / sum : null, others: order.slice(1)};
}

const orders = {
  min: (a, b) => size(a.message) - size(b.message) || a.from - b.from,
  max: (a, b) => size(b.message) - size(a.message) || a.from - b.from,
  any: (a, b) => a.from - b.from,
  sum: (a, b) => Math.abs(size(b.message)) - Math.abs(size(a.message)) || a.from - b.from,
};

function without(list, one) { return list.filter((m) => m !== one); }

// size is a message as a number; of a struct, its first one.
function size(message) {
  for (const [, part] of leaves(message)) {
    const x = toNumber(part);
    if (x !== null) return x;
  }
  return 0;
}

// changedParts are the fields that are new in a value, numbers and texts.
function changedParts(before, after) {
  const old = new Map(leaves(before ?? null));
  return leaves(after).filter(([name, x]) => x !== null && !same(old.get(name), x)).map(([, x]) => x);
}

// What the edges of a program make of a sender's value x, as far as can be known
// without the program.
const offers = {
  copy: (x) => [x, x + 1],
  plus_weight: (x, weight) => [x + weight],
  times_weight: (x, weight) => [x * weight],
  min_weight: (x, weight) => [Math.min(x, weight)],
  source_id: (x, weight, from) => [from],
};

// guessed looks among the awake neighbours for one that would have sent what the
// value became.
async function guessed(trace, states, {to, superstep, sent, before, after}) {
  const earlier = await states.at(sent - 1);
  const list = trace.neighbours(to).filter(([u]) => earlier.awake.has(u)).sort(([a], [b]) => a - b);
  if (!list.length) return null;
  const parts = changedParts(before, after);
  const offer = offers[trace.programAt(superstep).edge] ?? (() => []);
  const likely = list.find(([from, arc]) => leaves(earlier.values[from]).map(([, x]) => toNumber(x))
    .some((x) => x !== null && offer(x, trace.weight(arc), from).some((y) => parts.includes(y))));
  const [from] = likely ?? list[0];
  return {from, message: undefined, how: likely ? 'likely' : 'perhaps', others: list.filter(([u]) => u !== from)};
}
