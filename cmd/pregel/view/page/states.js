import {same} from './number.js';

// States gives the values of a run after any superstep. Records of changes are
// put together from the nearest state that is known; those of each 32nd superstep
// are kept for going back, and the last few looked at.
export class States {
  constructor(trace) {
    this.trace = trace;
    this.anchors = new Map();
    this.recent = new Map();
  }

  // at is the state after superstep s: values by vertex (undefined: not recorded),
  // awake: those that run in the next, listed: the vertices that its record names.
  async at(s) {
    let from = s;
    while (from > this.trace.first && !this.#known(from) && !this.#whole(from)) from--;
    let state = this.#known(from) ?? await this.#next(null, from);
    this.#keep(state);
    for (let t = from + 1; t <= s; t++) {
      state = this.#known(t) ?? await this.#next(state, t);
      this.#keep(state);
    }
    return state;
  }

  #known(s) { return this.recent.get(s) ?? this.anchors.get(s); }

  #whole(s) {
    const last = this.trace.values.get(s)?.at(-1);
    return last && (last.at ? last.whole : !last.vertices);
  }

  #keep(state) {
    if (state.superstep % 32 === 0) this.anchors.set(state.superstep, state);
    this.recent.delete(state.superstep);
    this.recent.set(state.superstep, state);
    if (this.recent.size > 24) this.recent.delete(this.recent.keys().next().value);
  }

  async #next(before, s) {
    const places = this.trace.values.get(s);
    if (!places) {
      return {superstep: s, values: before?.values ?? [], awake: before?.awake ?? new Set(), listed: [], recorded: false};
    }
    let state = before;
    for (const place of this.#whole(s) ? places.slice(-1) : places) state = put(state, await this.trace.record(place), s);
    return state;
  }

  // changed lists the vertices whose value superstep s has changed.
  async changed(s) {
    if (s <= this.trace.first) return [];
    const before = await this.at(s - 1);
    const now = await this.at(s);
    const list = now.listed ?? [...now.values.keys()];
    return list.filter((v) => !same(before.values[v], now.values[v]));
  }

  // arriving is the record of the messages that superstep s applies, and the
  // superstep that sent them: s itself for edge programs, which end a superstep
  // with its messages applied, the one before for vertex programs.
  async arriving(s) {
    for (const sent of [s, s - 1]) {
      const place = this.trace.messages.get(sent);
      if (place && Boolean(place.next) === (sent < s)) return {sent, record: await this.trace.record(place)};
    }
    const next = this.trace.messages.values().next().value?.next; // superstep s applies none, or none were recorded
    return {sent: next ? s - 1 : s, record: null};
  }

  // began gives the superstep after which the program of superstep s began.
  began(s) {
    const starts = [...this.trace.values].filter(([t, list]) => t < s && list.at(-1).init).map(([t]) => t);
    return Math.max(this.trace.first, ...starts);
  }
}

function put(before, record, s) {
  const state = {superstep: s, awake: new Set(record.awake ?? []), listed: record.vertices, recorded: true};
  if (!record.vertices) {
    state.values = record.values;
    return state;
  }
  state.values = before ? before.values.slice() : [];
  record.vertices.forEach((v, i) => { state.values[v] = record.values[i]; });
  return state;
}
