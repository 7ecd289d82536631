import {html} from './chart.js';
import {costs} from './bsp.js';
import {times} from './curves.js';
import {GraphView} from './graphview.js';
import {chainList, choices, facts, vertexFacts} from './inspector.js';
import {duration, plural, short, toNumber} from './number.js';
import {Palette} from './scale.js';
import {States} from './states.js';
import {timeline} from './timeline.js';
import {mainField} from './trace.js';
import {arrivals, why} from './why.js';

const mostMessages = 2000; // drawn in a superstep

// A Panel shows one trace: its graph, what is known of superstep and vertex, and its
// charts. page is what it asks for: {go(superstep), choose(vertex, trace)}.
export class Panel {
  constructor(trace, kind, page) {
    Object.assign(this, {trace, kind, page, states: new States(trace), selected: -1, chain: null, palettes: new Map(), asked: 0});
    this.facts = html('div', {class: 'box step'});
    this.vertex = html('div', {class: 'box vertex'}, html('p', {class: 'hint'}, 'Click a vertex, or search for one.'));
    this.lists = html('div', {class: 'box lists'});
    this.timeline = html('div', {class: 'timeline'});
    this.cost = html('div', {class: 'cost'});
    this.view = trace.graph && trace.values.size ? new GraphView(trace, (v) => page.choose(v, trace)) : null;
    this.element = this.#build();
  }

  #build() {
    const {trace} = this;
    const graph = this.view ? this.view.element : html('p', {class: 'absent'}, absent(trace));
    const vertex = trace.values.size ? [html('h3', {}, 'Vertex'), this.vertex, this.lists] : [];
    this.side = html('aside', {class: 'side', tabindex: 0, 'aria-label': `What is known, trace ${trace.name}`}, html('h3', {}, 'Superstep'), this.facts, ...vertex);
    return html('section', {class: 'panel', 'aria-label': `Trace ${trace.name}`},
      html('h2', {}, html('span', {class: `badge badge-${this.kind}`}, trace.name), ` ${title(trace, this.page.alone)}`), html('p', {class: 'sub'}, ended(trace)), html('div', {}, ...notes(trace)),
      html('div', {class: this.view ? 'main' : 'main without'}, graph, this.side),
      html('h3', {}, 'Timeline'), this.timeline, html('h3', {}, 'Cost: the BSP model'), this.cost);
  }

  // theme takes up a change between light and dark.
  async theme(dark) {
    this.dark = dark;
    this.palettes.clear();
    if (this.at !== undefined) await this.show(this.at, 1);
  }

  // charts draws what depends on the width alone.
  charts() {
    const width = Math.max(240, this.timeline.clientWidth);
    this.mark = timeline(this.timeline, this.trace, width, this.page.go);
    this.mark(this.at ?? -1);
    this.#costs(width);
  }

  #costs(width) {
    const fit = costs(this.trace.steps);
    if (fit.rows.length < 3) return this.cost.replaceChildren(html('p', {class: 'hint'}, 'Three timed supersteps are needed to fit the model.'));
    const chart = html('div', {});
    times(chart, fit, this.kind, width);
    const w = fit.measured ? 'w: the slowest worker of the phases that compute, measured' : `w: ${duration(fit.c)} for each vertex awake, fitted (the trace has no times of phases that only compute)`;
    const alike = fit.alike ? ` The supersteps have all about the same number of ${fit.of}s: g and l cannot be told apart.` : '';
    this.cost.replaceChildren(html('p', {class: 'model'}, html('b', {}, 'T = w + g·h + l'), ` with g = ${duration(fit.g)} ${fit.of === 'arc' ? 'an arc' : 'a message'}, l = ${duration(fit.l)} a barrier; ${w}; h: ${fit.of === 'arc' ? 'arcs, as there are phases that send no messages' : 'messages'}. `,
      `Half of the supersteps are within ${fit.error < 0.001 ? 0.1 : Number((fit.error * 100).toPrecision(2))} % of it.${alike}`), chart);
  }

  // show shows superstep s; on the way there, progress is below 1 and messages move.
  async show(s, progress) {
    const at = this.at = Math.min(s, this.trace.last);
    const asked = ++this.asked;
    const scene = await this.#scene(at, progress);
    if (asked !== this.asked) return; // the page has gone on
    this.scene = scene;
    this.mark?.(at);
    this.view?.show(scene);
    if (progress >= 1) await this.#tell(at, scene);
  }

  // move only moves messages.
  move(progress) {
    if (!this.scene) return;
    this.scene.progress = progress;
    this.view?.show(this.scene);
  }

  async #scene(at, progress) {
    const state = await this.states.at(progress < 1 ? at - 1 : at);
    const changed = new Set(progress < 1 ? [] : await this.states.changed(at));
    const {record} = at >= 0 ? await this.states.arriving(at) : {record: null};
    return {state, changed, progress, record, messages: record?.from && sample(record), palette: await this.#palette(at), selected: this.selected, chain: this.chain?.links};
  }

  // #palette is that of a field of the program at superstep s: its range is that of
  // the first values and the last of its runs, at most eight.
  async #palette(s) {
    const program = this.trace.programAt(s);
    const names = this.trace.fields(program);
    const name = names.includes(this.field) ? this.field : mainField(names, program);
    const key = `${program.program} ${name}`;
    if (!this.palettes.has(key)) {
      const {trace} = this, alike = (t) => trace.programAt(t).program === program.program;
      const first = Math.max(trace.first, (trace.programs.find((p) => p.program === program.program)?.superstep ?? 0) - 1);
      const ends = [...trace.values.keys()].filter((t, i, all) => alike(t) && (i + 1 === all.length || trace.programAt(t) !== trace.programAt(all[i + 1]))).slice(-8);
      const palette = new Palette(name, program, this.dark, await Promise.all([first, ...ends].map((t) => this.states.at(t))));
      palette.named = (program.vertices ?? []).includes(name);
      this.palettes.set(key, palette);
    }
    const palette = this.palettes.get(key);
    if (this.shown !== palette) this.view?.key(palette, this.trace.title(name));
    this.shown = palette;
    return palette;
  }

  async #tell(at, scene) {
    this.facts.replaceChildren(facts(this.trace, at, scene.state, scene.changed));
    keepFocus(this.side, () => {
      const open = new Set([...this.lists.querySelectorAll('details[open]')].map((d) => d.dataset.name));
      const list = (name, members) => members.length ? html('details', {'data-name': name, ...open.has(name) ? {open: ''} : {}}, html('summary', {'data-key': name}, `${name} (${members.length})`),
        choices(this.trace, name, members, (v) => this.page.choose(v, this.trace))) : null;
      this.lists.replaceChildren(...[list('Awake', [...scene.state.awake]), list('Just changed', [...scene.changed])].filter(Boolean));
      if (this.selected >= 0) this.#tellVertex(at, scene);
    });
  }

  #tellVertex(at, scene) {
    const ask = html('button', {type: 'button', class: 'ask', 'data-key': 'ask'}, 'Why this value?');
    ask.addEventListener('click', () => this.ask());
    this.vertex.replaceChildren(vertexFacts(this.trace, this.selected, at, scene.state, arrivals(scene.record?.from ? scene.record : null, this.selected)), ask);
    if (this.chain) this.vertex.append(chainList(this.trace, this.chain, this.chain.target, this.page.go));
  }

  async choose(v, center) {
    this.selected = v;
    this.chain = null;
    if (v < 0) this.vertex.replaceChildren(html('p', {class: 'hint'}, 'Click a vertex, or search for one.'));
    if (center && v >= 0) this.view?.center(v);
    await this.show(this.at ?? this.trace.first, 1);
  }

  // ask finds out why the chosen vertex has its value.
  async ask() {
    if (this.selected < 0) return;
    const target = this.selected;
    const chain = await why(this.trace, this.states, target, this.at);
    if (target !== this.selected) return;
    this.chain = {target, ...chain};
    await this.show(this.at, 1);
  }

  clear() {
    this.chain = null;
    return this.show(this.at, 1);
  }
}

// sample takes so many messages at equal distances that they can be drawn.
function sample(record) {
  const by = Math.ceil(record.to.length / mostMessages) || 1;
  const list = [];
  for (let i = 0; i < record.to.length; i += by) list.push([record.from[i], record.to[i]]);
  return {list, of: record.to.length};
}

// keepFocus lets a list be made anew, and gives its focus to what took the place.
function keepFocus(root, f) {
  const {key} = root.contains(document.activeElement) ? document.activeElement.dataset : {};
  f();
  if (key) [...root.querySelectorAll('[data-key]')].find((e) => e.dataset.key === key)?.focus({preventScroll: true});
}

// absent says why there is no graph.
function absent({graph, header}) {
  if (!graph) return 'The graph is not in the trace: it is kept up to 10 000 vertices and 100 000 arcs.';
  return ['all', 'changed'].includes(header.values) ? 'What ran has no values of vertices to show, so the graph is not drawn.'
    : 'The trace has no values of vertices, so the graph is not drawn: trace.values all, or changed, records them where a program has any.';
}

// notes are what the trace says it lacks; many in a list to be opened.
function notes(trace) {
  const list = trace.notes.map((n) => html('p', {class: 'note'}, `Superstep ${n.superstep ?? 0}: ${n.text}`));
  if (list.length < 3) return list;
  return [html('details', {class: 'note'}, html('summary', {}, `What the trace lacks: ${plural(list.length, 'note')}`), ...list)];
}

// title says what ran where; alone, the page's own title has program and graph.
function title({header, n}, alone) {
  const {graph = {}, engine = {}} = header;
  const what = [header.program, graph.name].filter(Boolean).join(' on ');
  const size = `${plural(n, 'vertex', 'vertices')}, ${plural(graph.edges ?? 0, 'edge')}`;
  const where = [engine.device, engine.gpu, engine.device === 'cpu' && engine.workers ? plural(engine.workers, 'worker') : ''].filter(Boolean).join(', ');
  return alone ? [size, where].filter(Boolean).join(' · ') : `${what} (${size})${where ? ': ' + where : ''}`;
}

function ended({stop, steps}) {
  if (!stop) return `The trace was cut off after ${plural(steps.length, 'superstep')}.`;
  const metric = stop.metric ? `, ${stop.metric.name} ${short(toNumber(stop.metric.value))}` : '';
  return `${stop.reason} after ${plural(stop.supersteps, 'superstep')}, ${duration(stop.nanoseconds)}${metric}${stop.error ? `: ${stop.error}` : ''}`;
}
