import {describe, toNumber} from './number.js';

const undeclared = {}; // a program that says nothing of its values

// A Trace is a run as its records tell it: steps by superstep, and where values
// and messages are. A served page has in their place where they lie in the file
// ("at"), and fetches them when they are looked at.
export class Trace {
  constructor(name, records, fetchRecord = null) {
    this.name = name;
    this.fetchRecord = fetchRecord;
    this.header = {};
    this.programs = [];
    this.steps = [];
    this.bySuperstep = new Map();
    this.values = new Map(); // lists: the Init of a later program comes after values of the same superstep
    this.messages = new Map();
    this.notes = [];
    this.stop = null;
    for (const record of records) this.#take(record);
    this.n = this.header.graph?.vertices ?? 0;
    this.first = -1;
    this.last = this.steps.at(-1)?.superstep ?? -1;
    this.ids = this.graph?.ids ?? null;
    this.index = new Map(this.ids?.map((id, v) => [String(id), v]));
    this.directed = Boolean(this.header.graph?.directed);
  }

  #take(record) {
    switch (record.kind) {
      case 'trace': this.header = record; break;
      case 'graph': this.graph = record; break;
      case 'program': this.programs.push(record); break;
      case 'superstep':
        this.#sampled(record, this.steps.at(-1));
        this.steps.push(record);
        this.bySuperstep.set(record.superstep, record);
        break;
      case 'values':
        this.values.set(record.superstep, [...this.values.get(record.superstep) ?? [], record]);
        break;
      case 'messages': this.messages.set(record.superstep, record); break;
      case 'note': this.notes.push(record); break;
      case 'stop': this.stop = record; break;
    }
  }

  // A CPU times the phases of one of many short supersteps. Another is taken to have spent
  // its time as the last of those did: its phases are that one's, at the scale of its time,
  // and likePhasesOf its number.
  #sampled(step, before) {
    if (step.phases || !before?.phases || before.program !== step.program || this.header.engine?.gpu) return;
    const scale = step.nanoseconds / before.nanoseconds;
    if (!(scale >= 0 && scale < Infinity)) return;
    step.likePhasesOf = before.likePhasesOf ?? before.superstep;
    step.phases = before.phases.map((p) => ({name: p.name, workers: p.workers.map((t) => Math.round(t * scale))}));
  }

  id(v) { return this.ids ? String(this.ids[v]) : String(v); }

  // vertex finds a vertex by the user's id; -1 if there is none.
  vertex(id) {
    if (this.ids) return this.index.get(id) ?? -1;
    const v = Number(id);
    return /^\d+$/.test(id) && v < this.n ? v : -1;
  }

  // record fetches a record that is not in the page.
  async record(place) {
    return place?.at ? this.fetchRecord(place) : place;
  }

  // programAt is the program whose values are those after superstep s.
  programAt(s) {
    const started = this.programs.filter((p) => p.superstep <= s + 1);
    const list = this.values.get(s);
    const later = list?.at(-1)?.init;
    return started.findLast((p) => later ? p.program === later : p.superstep <= Math.max(s, 0)) ?? this.programs[0] ?? undeclared;
  }

  // fields are the names of the parts of a program's values, [''] of plain numbers.
  fields(program) { return program.columns ?? ['']; }

  // title names a field for people.
  title(name) {
    return name || (this.stop?.columns ?? this.header.columns ?? []).find((c) => c !== 'id') || 'value';
  }

  // write puts a value into words, with ids where numbers name vertices. A value
  // that is no struct may have a name all the same, that of the only column.
  write(value, program) {
    const named = new Set(program.vertices ?? []);
    return describe(value, (name, x) => this.#named(named.has(name || (program.columns?.[0] ?? '')), x));
  }

  // aggregates are those of a step in words, by name where a program names as many.
  aggregates({superstep, aggregates = []}) {
    const names = this.programs.findLast((p) => p.superstep <= superstep)?.aggregates ?? [];
    const named = names.length === aggregates.length;
    return aggregates.map((a, i) => (named ? `${names[i]} ` : '') + describe(a)).join(', ');
  }

  writeMessage(message, program) {
    const plain = program.message === 'vertex' || program.edge === 'source_id';
    const named = new Set(program.message_vertices ?? []);
    return describe(message, (name, x) => this.#named(name === '' ? plain : named.has(name), x));
  }

  #named(isVertex, x) {
    const v = toNumber(x);
    return isVertex && v !== null && v < this.n ? this.id(v) : null;
  }

  // neighbours gives the arcs that lead to v, as [source, arc]; along an
  // undirected edge either way.
  neighbours(v) {
    this.incoming ??= incoming(this);
    return this.incoming[v] ?? [];
  }

  weight(arc) { return this.graph?.weights?.[arc] ?? 1; }
}

function incoming(trace) {
  const lists = Array.from({length: trace.n}, () => []);
  const {sources, targets} = trace.graph ?? {sources: [], targets: []};
  for (let arc = 0; arc < sources.length; arc++) {
    lists[targets[arc]].push([sources[arc], arc]);
    if (!trace.directed && sources[arc] !== targets[arc]) lists[sources[arc]].push([targets[arc], arc]);
  }
  return lists;
}

// isCategory tells fields whose numbers are names (components, labels, parents):
// their order means nothing.
export function isCategory(name, program) {
  return (program.vertices ?? []).includes(name) || /component|label|parent|community|color/i.test(name);
}

// mainField is the field to show first: one whose order means something.
export function mainField(names, program) {
  return names.find((name) => !isCategory(name, program)) ?? names[0];
}
