import {toNumber, field} from './number.js';
import {isCategory} from './trace.js';

// niceStep is 1, 2 or 5 times a power of ten, at most so many of which fill a span.
export function niceStep(span, most) {
  const power = 10 ** Math.floor(Math.log10(span / most));
  return power * [1, 2, 5, 10].find((f) => f * power * most >= span * (1 - 1e-9));
}

// linear and log map a domain to a range; ticks are where to write numbers: round
// ones, at least so far apart.
export function linear([a, b], [from, to]) {
  const scale = (x) => a === b ? (from + to) / 2 : from + (x - a) / (b - a) * (to - from);
  scale.ticks = (most = 4, least = 0) => {
    if (a === b) return [a];
    const by = Math.max(niceStep(b - a, most), least), ticks = [];
    for (let i = Math.ceil(a / by - 1e-9); i * by <= b + by * 1e-9; i++) ticks.push(Number((i * by).toPrecision(12)));
    return ticks;
  };
  return scale;
}

export function log([a, b], range) {
  const inner = linear([Math.log10(a), Math.log10(b)], range);
  const scale = (x) => inner(Math.log10(Math.max(x, a)));
  scale.ticks = () => {
    const low = Math.ceil(Math.log10(a) - 1e-9), high = Math.floor(Math.log10(b) + 1e-9);
    const by = Math.max(1, Math.ceil((high - low) / 4));
    const ticks = [];
    for (let e = high; e >= low; e -= by) ticks.unshift(10 ** e);
    if (ticks.length > 2) return ticks;
    const between = [];
    for (let e = low - 1; e <= high; e++) between.push(...[1, 2, 5].map((f) => f * 10 ** e).filter((x) => x >= a * (1 - 1e-9) && x <= b * (1 + 1e-9)));
    return between.length > 1 ? between : [a, b];
  };
  return scale;
}

// Colours of ordered values: luminance falls steadily, so that they are as well
// told apart in grey.
const ramp = [[253, 231, 37], [170, 220, 50], [80, 196, 106], [31, 161, 135], [39, 127, 142], [54, 92, 141], [70, 50, 126], [60, 10, 80]];
// Colours of names (Okabe and Ito, and a dark one), of different luminance. Grey is that
// of all other names, near to the page.
const names = [[240, 228, 66], [86, 180, 233], [230, 159, 0], [0, 158, 115], [204, 121, 167], [213, 94, 0], [0, 114, 178], [86, 36, 110]];
const others = {true: [84, 84, 84], false: [214, 214, 214]}; // on a dark page, and on a light one

function mix(t) {
  const at = Math.min(Math.max(t, 0), 1) * (ramp.length - 1);
  const i = Math.min(Math.floor(at), ramp.length - 2);
  return ramp[i].map((c, k) => Math.round(c + (ramp[i + 1][k] - c) * (at - i)));
}

export function css([r, g, b]) { return `rgb(${r} ${g} ${b})`; }

// ink is black or white, whichever is read on a colour.
export function ink([r, g, b]) { return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? '#000' : '#fff'; }

// frequencies counts how often each number is in a field.
function frequencies(values, name) {
  const times = new Map();
  for (const value of values) {
    const x = toNumber(field(value, name));
    if (x !== null) times.set(x, (times.get(x) ?? 0) + 1);
  }
  return times;
}

// A Palette gives values of a field their colours: those between the least and the
// greatest of some states, by logarithm if they differ by orders of magnitude. The
// greatest stands out most from the page: it is dark on a light one. Of names the most
// frequent in the last state have a colour each, and the others are grey: so one sees
// those names spread that will last.
export class Palette {
  constructor(name, program, dark, states) {
    Object.assign(this, {name, dark});
    this.category = isCategory(name, program);
    if (this.category) this.#own(states);
    [this.low, this.high] = [Infinity, -Infinity];
    for (const state of states) for (const value of state.values) this.#include(toNumber(field(value, name)));
    if (this.low > this.high) [this.low, this.high] = [0, 1];
    this.logarithm = this.low > 0 && this.high / this.low > 30;
    const make = this.logarithm ? log : linear;
    this.scale = make([this.low, this.high], [0, 1]);
  }

  // #own gives the names that most vertices have at the end a colour each; enough tells
  // that there are no others.
  #own(states) {
    const used = states.map((state) => frequencies(state.values, this.name));
    const list = [...used.at(-1) ?? []].sort(([x, a], [y, b]) => b - a || x - y).slice(0, names.length);
    this.own = new Map(list.map(([x], i) => [x, i]));
    this.enough = used.every((map) => [...map.keys()].every((x) => this.own.has(x)));
  }

  #include(x) {
    if (x === null || !Number.isFinite(x)) return;
    this.low = Math.min(this.low, x);
    this.high = Math.max(this.high, x);
  }

  // color is null for what has no value: such a vertex is drawn hollow.
  color(value) {
    const x = toNumber(field(value, this.name));
    if (x === null || !Number.isFinite(x)) return null;
    return this.category ? names[this.own.get(x)] ?? others[this.dark] : this.#mix(this.scale(x));
  }

  #mix(t) { return mix(this.dark ? 1 - t : t); }

  // owners are the names with a colour of their own, and the colours.
  owners() { return [...this.own].map(([x, i]) => [x, css(names[i])]); }

  // grey is the colour of the other names.
  grey() { return css(others[this.dark]); }

  gradient() { return Array.from({length: 16}, (_, i) => css(this.#mix(i / 15))); }
}
