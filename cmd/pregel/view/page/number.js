// Numbers as a trace writes them and as people read them.

// toNumber gives the number that a traced value stands for; null if it is none
// (not reached, not recorded, text).
export function toNumber(value) {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const named = {'+Inf': Infinity, 'Inf': Infinity, '-Inf': -Infinity, 'NaN': NaN};
  return value in named ? named[value] : null;
}

// field picks a field of a struct; other values have one field, themselves.
export function field(value, name) {
  if (value === undefined || value === null || typeof value !== 'object') return value;
  return value[name];
}

// leaves are a value's fields as [name, value]; of a number itself, named ''.
export function leaves(value) {
  if (value === null || typeof value !== 'object') return [['', value]];
  return Object.entries(value);
}

export function same(a, b) {
  if (a === b) return true;
  return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b);
}

// short writes a number in at most about six characters.
export function short(x) {
  if (x === null || x === undefined) return '–';
  if (typeof x !== 'number') return String(x);
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'NaN' : x > 0 ? '∞' : '−∞';
  if (Number.isInteger(x) && Math.abs(x) < 1e6) return String(x);
  const size = Math.abs(x);
  if (size >= 1e6) return x.toExponential(2).replace('e+', 'e');
  return size >= 0.001 ? String(Number(x.toPrecision(3))) : x.toExponential(1).replace('.0e', 'e');
}

// count writes a count, short above 10 000: 12.3 k.
export function count(x) {
  if (x === null || x === undefined) return '–';
  for (const [unit, size] of [['G', 1e9], ['M', 1e6], ['k', 1e3]]) {
    if (x >= size && x >= 1e4) return `${Number((x / size).toPrecision(3))} ${unit}`;
  }
  return String(x);
}

export function plural(x, one, many = one + 's') {
  return `${count(x)} ${x === 1 ? one : many}`;
}

// duration writes nanoseconds with a unit.
export function duration(ns) {
  if (ns === null || ns === undefined || Number.isNaN(ns)) return '–';
  for (const [unit, size] of [['s', 1e9], ['ms', 1e6], ['µs', 1e3]]) {
    if (Math.abs(ns) >= size) return `${Number((ns / size).toPrecision(3))} ${unit}`;
  }
  return `${Math.round(ns)} ns`;
}

// describe writes a traced value, a struct with the names of its fields; rename
// may give another text for a field.
export function describe(value, rename = () => null, name = '') {
  if (value === undefined) return 'not recorded';
  if (value === null) return 'none';
  if (typeof value !== 'object') return rename(name, value) ?? short(toNumber(value) ?? value);
  return Object.entries(value).map(([key, x]) => `${key} ${describe(x, rename, key)}`).join(', ');
}
