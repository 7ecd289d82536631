import {parseBreakpoint} from './breakpoint.js';
import {html, patterns} from './chart.js';
import {comparison, residuals} from './curves.js';
import {keys} from './keys.js';
import {Panel} from './panel.js';
import {Player} from './player.js';
import {fetcher, readData} from './source.js';
import {Trace} from './trace.js';
import {why} from './why.js';

const by = (id) => document.getElementById(id);

// A Page holds traces, their panels, and the player that moves them all.
class Page {
  constructor(traces) {
    this.traces = traces;
    this.panels = traces.map((trace, i) => new Panel(trace, i, {alone: traces.length === 1, go: (s) => this.player.jump(s), choose: (v, from) => this.choose(v, from)}));
    this.player = new Player(-1, Math.max(...traces.map((t) => t.last)), (kind) => this.#changed(kind));
    this.player.calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    by('panels').append(...this.panels.map((p) => p.element));
    by('panels').classList.toggle('two', traces.length > 1);
    by('slider').max = this.player.last;
    by('search').hidden = !traces.some((t) => t.values.size);
    if (!traces[0].values.size) by('condition').placeholder = 'awake < 5';
  }

  async start() {
    this.charts();
    this.#fields();
    let width = 0;
    new ResizeObserver(() => {
      if (Math.abs(document.body.clientWidth - width) < 2) return;
      width = document.body.clientWidth;
      this.charts();
    }).observe(document.body);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    this.panels.forEach((p) => p.theme(dark.matches));
    dark.addEventListener('change', () => this.panels.forEach((p) => p.theme(dark.matches)));
    await this.show();
    await this.#layouts();
    await this.show();
    document.body.dataset.ready = 'true';
  }

  // #layouts places vertices; traces of the same graph share their places.
  async #layouts() {
    const done = new Map();
    for (const panel of this.panels) {
      if (!panel.view) continue;
      const key = JSON.stringify(panel.trace.graph);
      await panel.view.start(done.get(key));
      done.set(key, panel.view.places);
    }
  }

  charts() {
    this.panels.forEach((p) => p.charts());
    const together = by('together');
    const chart = html('div', {});
    const has = residuals(chart, this.traces, Math.max(240, together.clientWidth));
    const parts = has ? [html('h3', {}, 'Residual'), chart] : [];
    if (this.traces.length > 1) parts.push(html('h3', {}, 'Side by side'), comparison(this.traces));
    together.replaceChildren(...parts);
  }

  #fields() {
    const names = new Set(this.traces.flatMap((t) => t.programs.flatMap((p) => t.fields(p))));
    by('field').replaceChildren(...[...names].map((name) => html('option', {value: name}, this.traces[0].title(name))));
    by('fieldbox').hidden = names.size < 2 || by('search').hidden;
    const shown = this.traces.flatMap((t) => t.programs).find((p) => p.columns)?.columns;
    if (shown) by('field').value = shown.find((name) => !/parent|component|label/.test(name)) ?? shown[0];
  }

  setField(name) {
    this.panels.forEach((p) => { p.field = name; });
    return this.show();
  }

  async #changed(kind) {
    if (kind === 'progress') return this.panels.forEach((p) => p.move(this.player.progress));
    by('play').querySelector('path').setAttribute('d', this.player.playing ? 'M3 2h4v12H3zM9 2h4v12H9z' : 'M3 1l11 7-11 7z');
    by('play').setAttribute('aria-label', this.player.playing ? 'Pause' : 'Play');
    if (this.player.progress < 1 || this.player.playing) this.#tick();
    const arrived = this.player.playing && this.player.progress === 1;
    this.player.held = arrived;
    await this.show();
    if (arrived) await this.#stopAtBreakpoint();
    this.player.held = false;
  }

  #tick() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame((now) => {
      if (this.player.frame(now)) this.#tick();
    });
  }

  async show() {
    const {at, progress} = this.player;
    by('slider').value = at;
    by('position').textContent = at < 0 ? 'Init' : `superstep ${at} of ${this.player.last}`;
    by('slider').setAttribute('aria-valuetext', by('position').textContent);
    await Promise.all(this.panels.map((p) => p.show(at, progress)));
  }

  say(text, isError = false) {
    by('said').textContent = text;
    by('said').classList.toggle('error', isError);
  }

  async choose(v, from) {
    const id = v < 0 ? null : from.id(v);
    await Promise.all(this.panels.map((p) => p.choose(id === null ? -1 : p.trace === from ? v : p.trace.vertex(id), false)));
  }

  async search(id) {
    const found = this.traces.find((t) => t.vertex(id.trim()) >= 0);
    if (!found) return this.say(`there is no vertex “${id.trim()}”`, true);
    this.say('');
    await Promise.all(this.panels.map((p) => p.choose(p.trace.vertex(id.trim()), true)));
  }

  addBreakpoint(text) {
    try {
      const point = parseBreakpoint(text, this.traces[0]);
      this.player.points.push(point);
      by('condition').value = '';
      this.say(`stops when ${point.text}`);
    } catch (error) {
      this.say(error.message, true);
    }
    this.#listBreakpoints();
  }

  #listBreakpoints() {
    by('breakpoints').replaceChildren(...this.player.points.map((point) => {
      const remove = html('button', {type: 'button', 'aria-label': `Remove the breakpoint ${point.text}`}, '×');
      remove.addEventListener('click', () => {
        this.player.points = this.player.points.filter((p) => p !== point);
        this.#listBreakpoints();
      });
      return html('li', {}, point.text, remove);
    }));
  }

  async #stopAtBreakpoint() {
    const point = await this.player.fired(this.traces[0], this.panels[0].states);
    if (!point || !this.player.playing) return;
    this.player.pause();
    this.say(`superstep ${this.player.at}: ${point.text}`);
  }

  async run(direction) {
    if (!this.player.points.length) return this.say('no breakpoint is set', true);
    const found = await this.player.run(direction, this.traces[0], this.panels[0].states);
    const where = direction > 0 ? 'after' : 'before';
    this.say(found ? `superstep ${found.superstep}: ${found.point.text}` : `no breakpoint is met ${where} this superstep`, !found);
  }
}

function wire(page) {
  const {player} = page;
  const click = (id, f) => by(id).addEventListener('click', f);
  click('first', () => player.jump(player.first));
  click('back', () => player.back());
  click('play', () => player.toggle());
  click('forward', () => player.forward());
  click('last', () => player.jump(player.last));
  click('runback', () => page.run(-1));
  click('run', () => page.run(1));
  click('helpbutton', () => by('help').showModal());
  by('slider').addEventListener('input', (e) => player.jump(Number(e.target.value)));
  by('speed').addEventListener('change', (e) => { player.speed = Number(e.target.value); });
  by('field').addEventListener('change', (e) => page.setField(e.target.value));
  by('search').addEventListener('submit', (e) => { e.preventDefault(); page.search(by('wanted').value); });
  by('breakform').addEventListener('submit', (e) => { e.preventDefault(); page.addBreakpoint(by('condition').value); });
  keys(page, by);
}

addEventListener('unhandledrejection', (e) => { // a served trace that cannot be fetched
  e.preventDefault();
  page.say(e.reason.message, true);
});

const data = await readData(by('data'));
document.body.prepend(patterns());
const page = new Page(data.traces.map((t, i) => new Trace('AB'[i], t.records, t.served ? fetcher(t.served) : null)));
wire(page);
Object.assign(document, {page, why}); // for tests and the console
await page.start();
