// Tests of the modules that need no document. Each is called with {traces}, lists
// of records by name; a failed one throws.
const tests = {
  async 'the states of changed values are those of all values'({traces}) {
    const all = new Trace('A', traces.pagerank), changed = new Trace('B', traces.pagerankChanged);
    const [a, b] = [new States(all), new States(changed)];
    for (const s of [-1, 51, 3, 40, 39, 2, 33, 0, 12]) {
      equal((await a.at(s)).values, (await b.at(s)).values, `values after ${s}`);
      equal([...(await a.at(s)).awake], [...(await b.at(s)).awake], `awake after ${s}`);
      equal(await a.changed(s), await b.changed(s), `changed in ${s}`);
    }
  },

  async 'why gives, for each vertex, a shortest path to the source'({traces}) {
    const trace = new Trace('A', traces.bfs), states = new States(trace);
    const {values} = await states.at(trace.last);
    for (let v = 0; v < trace.n; v++) {
      const answer = await why(trace, states, v, trace.last);
      equal(answer.end, 'init', 'its end');
      equal(answer.vertex, 0, 'its root');
      equal(answer.links.length, values[v].distance, `length of the chain of ${v}`);
      for (const link of answer.links) {
        equal(link.from, values[link.to].parent, `parent of ${link.to}`);
        check(hasArc(trace, link.from, link.to), `an arc from ${link.from} to ${link.to}`);
      }
    }
  },

  async 'why adds up to a distance, with recorded messages and with guessed ones'({traces}) {
    const without = (first) => traces.sssp.filter((r) => r.kind !== 'messages' || r.superstep < first);
    for (const records of [traces.sssp, without(0), without(2)]) {
      const trace = new Trace('A', records), states = new States(trace);
      const {values} = await states.at(trace.last);
      for (let v = 0; v < trace.n; v++) {
        const answer = await why(trace, states, v, trace.last);
        if (values[v] === null) { equal(answer.links.length, 0, 'links of an unreached vertex'); continue; }
        const sum = answer.links.reduce((total, link) => total + least(trace, link.from, link.to), 0);
        equal(sum, values[v], `distance of ${v}`);
        equal(answer.vertex, 0, 'its root');
      }
    }
  },

  async 'why of a sum names the greatest part and its share'({traces}) {
    const trace = new Trace('A', traces.pagerank), states = new States(trace);
    const {links} = await why(trace, states, 33, 5);
    const record = trace.messages.get(5);
    const parts = record.message.filter((_, i) => record.to[i] === 33);
    equal(links[0].how, 'greatest', 'how');
    equal(links[0].message, Math.max(...parts), 'the greatest');
    check(Math.abs(links[0].share - Math.max(...parts) / parts.reduce((a, b) => a + b)) < 1e-12, 'its share');
    equal(links[0].others.length, parts.length - 1, 'the others');
    equal(links.length, 6, 'a link for each superstep');
  },

  'the winner is by the law of the combiner'() {
    const list = [{from: 4, message: 7}, {from: 2, message: 3}, {from: 9, message: 3}, {from: 1, message: 8}];
    equal(winner(list, 10, 3, 'min').from, 2, 'of min, ties by vertex');
    equal(winner(list, 10, 3, 'min').ties, 1, 'its ties');
    equal(winner(list, 1, 8, 'max').from, 1, 'of max');
    equal(winner(list, 10, 2.5, 'min').from, 2, 'of min, when apply changes it');
    equal(winner(list, 0, 21, 'sum').how, 'greatest', 'of sum');
    equal(winner(list.slice(0, 1), 10, 7, 'min').how, 'only', 'of one');
  },

  async 'messages of vertex programs arrive a superstep later'() {
    const trace = new Trace('A', [
      {kind: 'trace', graph: {vertices: 2}}, {kind: 'values', superstep: -1, vertices: null, values: [5, 9], awake: [0]},
      {kind: 'superstep', superstep: 0}, {kind: 'messages', superstep: 0, from: [0], to: [1], message: [5], next: true},
      {kind: 'values', superstep: 0, vertices: [], values: [], awake: [1]},
      {kind: 'superstep', superstep: 1}, {kind: 'values', superstep: 1, vertices: [1], values: [5], awake: []},
    ]);
    const states = new States(trace);
    equal((await states.arriving(0)).record, null, 'nothing arrives in 0');
    equal((await states.arriving(1)).sent, 0, 'what arrives in 1 was sent in 0');
    const {links, end} = await why(trace, states, 1, 1);
    equal([links.length, links[0].superstep, links[0].sent, links[0].from, end], [1, 1, 0, 0, 'init'], 'the chain');
  },

  async 'vertices in messages have their ids'() {
    const trace = new Trace('A', [{kind: 'trace', graph: {vertices: 2}}, {kind: 'graph', ids: ['Ann', 'Bob'], sources: [], targets: []}]);
    equal(trace.writeMessage({of: 1, hops: 1}, {message_vertices: ['of']}), 'of Bob, hops 1', 'in a field');
    equal(trace.writeMessage(1, {message: 'vertex'}), 'Bob', 'alone');
    equal(trace.writeMessage(1, {}), '1', 'a number');
  },

  'aggregates have the names of their program'() {
    const trace = new Trace('A', [{kind: 'program', program: 'p', superstep: 0, aggregates: ['sinks', 'change']}, {kind: 'program', program: 'q', superstep: 2}]);
    equal(trace.aggregates({superstep: 1, aggregates: [0.25, {a: 1}]}), 'sinks 0.25, change a 1', 'named');
    equal(trace.aggregates({superstep: 2, aggregates: [0.25, 3]}), '0.25, 3', 'of another program');
    equal(trace.aggregates({superstep: 0}), '', 'none');
  },

  async 'values of a later program begin with its Init'() {
    const trace = new Trace('A', [
      {kind: 'trace', graph: {vertices: 1}}, {kind: 'program', program: 'p', superstep: 0, columns: null}, {kind: 'values', superstep: -1, vertices: null, values: [1], awake: [0]},
      {kind: 'superstep', superstep: 0}, {kind: 'values', superstep: 0, vertices: null, values: [2], awake: []},
      {kind: 'program', program: 'q', superstep: 1, columns: ['x']}, {kind: 'values', superstep: 0, init: 'q', vertices: null, values: [{x: 7}], awake: [0]},
      {kind: 'superstep', superstep: 1}, {kind: 'values', superstep: 1, vertices: null, values: [{x: 8}], awake: []},
    ]);
    const states = new States(trace);
    equal([trace.programAt(-1).program, trace.programAt(0).program, trace.programAt(1).program], ['p', 'q', 'q'], 'programs');
    equal((await states.at(0)).values, [{x: 7}], 'values after Init');
    equal((await why(trace, states, 0, 1)).end, 'silent', 'why stops in q');
    equal((await why(trace, states, 0, 0)).links.length, 0, 'nothing before its Init');
  },

  async 'breakpoints fire where a condition begins to hold'({traces}) {
    const trace = new Trace('A', traces.bfs), states = new States(trace);
    const seekFrom = async (text, s, direction) => (await seek([parseBreakpoint(text, trace)], trace, states, s, direction))?.superstep ?? null;
    const {values} = await states.at(trace.last);
    for (const id of ['9', '27', '34']) {
      const depth = values[trace.vertex(id)].distance;
      equal(await seekFrom(`${id} wakes`, -1, 1), depth - 1, `${id} wakes`);
      equal(await seekFrom(`${id} sleeps`, -1, 1), depth, `${id} sleeps`);
      equal(await seekFrom(`value of ${id} <= ${depth}`, -1, 1), depth - 1, `value of ${id}`);
      equal(await seekFrom(`${id}.distance = ${depth}`, trace.last + 1, -1), depth - 1, `${id} backwards`);
      equal(await seekFrom(`${id} changes`, depth - 1, 1), null, `${id} changes no more`);
    }
    equal(await seekFrom('awake < 1', -1, 1), trace.last, 'nobody awake');
    equal(await seekFrom('any > 1', -1, 1), 1, 'any');
    equal(await seekFrom('messages > 60', -1, 1), trace.steps.find((s) => s.sent > 60).superstep, 'messages');
    const ranks = new Trace('B', traces.pagerank), moving = [parseBreakpoint('34 changes', ranks)];
    for (const s of [3, 4]) equal((await seek(moving, ranks, new States(ranks), s, 1)).superstep, s + 1, 'a change after a change');
    equal(await seekFrom('99 > 1', -1, 1).catch((e) => e.message), 'there is no vertex “99” in karate', 'no such vertex');
    for (const [text, want] of [['', 'no condition'], ['27', 'no condition'], ['27 < x', 'a number is expected'], ['27 flies', 'no condition'], ['x wakes', 'no vertex “x”']]) {
      check(rejected(() => parseBreakpoint(text, trace)).includes(want), `${text}: ${want}`);
    }
  },

  'the cost model finds the g and l that times were made of'({traces, cost}) {
    for (const name of ['bfs', 'sssp']) {
      const fit = costs(traces[name].filter((r) => r.kind === 'superstep'));
      check(fit.measured, 'phases are measured');
      near(fit.g, cost.message, 1e-6, `g of ${name}`);
      near(fit.l, cost.barrier, 1e-6, `l of ${name}`);
      for (const r of fit.rows) near(r.predicted, r.measured, 1e-6, 'a superstep');
    }
    const bare = [[1, 2, 50], [10, 90, 260], [100, 40, 460], [50, 500, 1230]].map(([awake, sent, more], superstep) => ({superstep, awake, sent, nanoseconds: 7 * awake + 3 * sent + 1000 + more * 0}));
    const fit = costs(bare);
    near(fit.c, 7, 1e-6, 'cost of a vertex');
    near(fit.g, 3, 1e-6, 'g without phases');
    near(fit.l, 1000, 1e-6, 'l without phases');
    equal(leastSquares([[1, 1], [2, 1], [3, 1]], [3, 2, 1]).every((x) => x >= 0), true, 'nothing below zero');
    equal(costs([]).rows, [], 'of nothing');
  },

  'a superstep whose phases were not timed has those of the last that were, at its scale'() {
    const step = (superstep, nanoseconds, more) => ({kind: 'superstep', program: 'p', superstep, awake: 1, sent: 1, nanoseconds, ...more});
    const phases = [{name: 'push', workers: [100]}, {name: 'apply', workers: [300, 60]}];
    const list = () => [step(0, 7), step(1, 400, {phases}), step(2, 200, {timed: 2}), step(3, 100), step(4, 50, {program: 'q'}), step(5, 10, {phases: [{name: 'pull', workers: [9]}]}), step(6, 20)];
    const trace = (engine) => new Trace('A', [{kind: 'trace', version: 4, engine}, ...list()]);
    const got = trace({device: 'auto'}).steps;
    equal(got.map((s) => s.phases?.map((p) => [p.name, ...p.workers]) ?? null), [null, [['push', 100], ['apply', 300, 60]], [['push', 50], ['apply', 150, 30]],
      [['push', 25], ['apply', 75, 15]], null, [['pull', 9]], [['pull', 18]]], 'phases');
    equal(got.map((s) => s.likePhasesOf ?? null), [null, null, 1, 1, null, null, 5], 'whose they are');
    check(trace({device: 'cuda', gpu: 'H'}).steps[2].phases === undefined, 'none on a GPU');
    check(costs(got.slice(1, 4)).measured, 'the model has measured phases');
  },

  'the same graph gets the same places, a grid unfolds, nothing is lost'() {
    for (const side of [12, 24]) unfolds(side); // small graphs and large ones have forces of their own
    for (const n of [1, 2]) { const steps = layout(n, [], []); while (!steps.next().done); }
  },

  'a player steps, plays, arrives and stops'() {
    const seen = [];
    const player = new Player(-1, 2, (kind) => seen.push(kind));
    player.forward();
    equal([player.at, player.progress], [0, 0], 'on the way');
    for (const now of [1000, 1300, 1800]) player.frame(now);
    equal([player.at, player.progress], [0, 1], 'arrived');
    player.forward(); player.forward();
    equal([player.at, player.progress], [2, 0], 'what is on the way arrives at once');
    player.back();
    equal([player.at, player.progress], [1, 1], 'back');
    player.toggle();
    for (let now = 0; now < 5000 && player.playing; now += 50) player.frame(now);
    equal([player.at, player.playing], [2, false], 'played to the end');
    player.go(99);
    equal(player.at, 2, 'not beyond');
    check(seen.includes('arrival') && seen.includes('progress'), 'it told');
  },

  'ticks are round numbers inside, supersteps whole ones'() {
    equal(linear([0, 3], [0, 1]).ticks(10, 1), [0, 1, 2, 3], 'of four supersteps');
    equal(linear([0, 51], [0, 1]).ticks(10, 1), [0, 10, 20, 30, 40, 50], 'of 52');
    equal(linear([0, 5130], [0, 1]).ticks(), [0, 2000, 4000], 'of times');
    equal(linear([7, 7], [0, 1]).ticks(), [7], 'of one number');
    equal(log([1690, 76500], [0, 1]).ticks(), [2000, 5000, 10000, 20000, 50000], 'of less than two decades');
    equal(log([1e-9, 1], [0, 1]).ticks().length <= 5, true, 'of nine decades');
    for (let span = 1e-7; span < 1e9; span *= 1.7) for (const most of [1, 3, 10]) {
      check(span / niceStep(span, most) <= most * (1 + 1e-9) && span / niceStep(span, most) > most / 2.6, `steps of ${span}`);
    }
  },

  'names that most vertices have have a colour each'() {
    const at = (list) => ({values: list.map((label) => ({label}))});
    const end = at([...Array(8).keys()].flatMap((i) => [64 * i, 64 * i]).concat([1, null])); // alike in their last bits
    const all = new Palette('label', {}, false, [at([0, 8]), end]), few = new Palette('label', {}, false, [at([0, 8])]);
    const colours = end.values.slice(0, 16).map((v) => String(all.color(v)));
    equal(new Set(colours).size, 8, 'colours of eight names');
    check(colours.every((c, i) => c === colours[i - i % 2]), 'each its own');
    equal([all.enough, few.enough], [false, true], 'whether there are others');
    equal(all.owners().map(([x]) => x), [0, 64, 128, 192, 256, 320, 384, 448], 'whose they are, in the key');
    equal([all.color({label: null}), String(all.color({label: 1})) === 'null'], [null, false], 'of nothing, and of one more');
    equal(all.color({label: 1}), all.color({label: 9}), 'the others are alike');
    check(!colours.includes(String(all.color({label: 1}))), 'and like none of those');
    for (const dark of [false, true]) {
      const order = new Palette('rank', {}, dark, [{values: [0, 5, 10]}]), grey = [0, 2.5, 5, 7.5, 10].map((x) => { const [r, g, b] = order.color(x); return dark ? r + g + b : -(r + g + b); });
      check(grey.every((x, i) => i === 0 || x > grey[i - 1]), `greater values stand out more, dark ${dark}`);
    }
  },

  'labels lie on nothing'() {
    const r = 8, places = Array.from({length: 60}, (_, i) => [60 + 40 * Math.cos(i) * (i % 5), 90 + 60 * Math.sin(i * 1.7)]);
    const vertices = places.map(([x, y]) => [x - r, y - r, x + r, y + r]);
    const labels = new Labels(300, 200, [...vertices]);
    for (const [x, y] of places) labels.place('27: 3', 26, x, y, r);
    const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
    const boxes = labels.placed.map((l) => l.box);
    check(boxes.length > 10, 'some find a place');
    boxes.forEach((a, i) => {
      check(!vertices.some((b) => meet(a, b)), 'none on a vertex');
      check(!boxes.slice(i + 1).some((b) => meet(a, b)), 'none on another');
      check(a[0] >= 0 && a[1] >= 0 && a[2] <= 300 && a[3] <= 200, 'none beyond the edge');
    });
    equal(labels.place('x', 400, 100, 100, r), null, 'no room');
    check(labels.place('x', 400, 100, 100, r, true), 'one that must be there');
  },

  'the cost model counts arcs where phases send nothing'() {
    const step = (superstep, more) => ({superstep, awake: 10, nanoseconds: 1000 + 3 * more.arcs, ...more});
    const plain = costs([step(0, {arcs: 50}), step(1, {arcs: 400}), step(2, {arcs: 7, sent: 1})]);
    equal([plain.of, plain.rows.map((r) => r.h)], ['arc', [50, 400, 7]], 'h');
    equal(costs([step(0, {arcs: 50, sent: 9}), step(1, {arcs: 400, sent: 8})]).of, 'message', 'h of messages');
  },

  'numbers are written short'() {
    equal([0, 3, 0.1009, 1234567, 1e-9, -2.5, Infinity, NaN].map(short), ['0', '3', '0.101', '1.23e6', '1e-9', '-2.5', '∞', 'NaN'], 'short');
    equal([0, 999, 9999, 12345, 2e6].map(count), ['0', '999', '9999', '12.3 k', '2 M'], 'count');
    equal([12, 1500, 2.5e6, 3e9].map(duration), ['12 ns', '1.5 µs', '2.5 ms', '3 s'], 'duration');
    equal([describe(null), describe({depth: 3, parent: null}), describe('+Inf'), describe(undefined)], ['none', 'depth 3, parent none', '∞', 'not recorded'], 'describe');
    equal([toNumber('+Inf'), toNumber('NaN'), toNumber(null), toNumber('x'), toNumber(true)], [Infinity, NaN, null, null, 1], 'toNumber');
  },
};

function equal(got, want, what) {
  const text = (x) => JSON.stringify(x, (_, y) => typeof y === 'number' && !Number.isFinite(y) ? String(y) : y);
  if (text(got) !== text(want)) throw new Error(`${what}: got ${text(got)}, want ${text(want)}`);
}

function near(got, want, by, what) { check(Math.abs(got - want) <= by * Math.abs(want), `${what}: got ${got}, want ${want}`); }

function check(holds, what) { if (!holds) throw new Error(what); }

function rejected(f) {
  try { f(); } catch (error) { return error.message; }
  return 'no error';
}

function unfolds(side) {
  const [sources, targets] = [[], []];
  for (let v = 0; v < side * side; v++) {
    if (v % side < side - 1) { sources.push(v); targets.push(v + 1); }
    if (v < side * (side - 1)) { sources.push(v); targets.push(v + side); }
  }
  const run = (n) => { const steps = layout(n, sources, targets); for (;;) { const {done, value} = steps.next(); if (done) return value; } };
  const [a, b] = [run(side * side + 3), run(side * side + 3)];
  equal([...a.x, ...a.y], [...b.x, ...b.y], 'places');
  check([...a.x, ...a.y].every(Number.isFinite), 'places are numbers');
  const apart = (u, v) => Math.hypot(a.x[u] - a.x[v], a.y[u] - a.y[v]);
  const arcs = sources.map((u, i) => apart(u, targets[i]));
  const mean = arcs.reduce((x, y) => x + y) / arcs.length;
  check(apart(0, side * side - 1) > 0.6 * side * mean && apart(side - 1, side * (side - 1)) > 0.6 * side * mean, 'corners are far apart');
  check(Math.max(...arcs) < 4 * mean, 'no arc is very long');
  const [low, right] = [Math.max(...a.y.slice(0, side * side)), Math.max(...a.x.slice(0, side * side))];
  check([0, 1, 2].every((i) => a.y[side * side + i] > low || a.x[side * side + i] > right), 'vertices without edges lie below or at the right');
}

function hasArc(trace, u, v) { return trace.neighbours(v).some(([from]) => from === u); }

function least(trace, u, v) { return Math.min(...trace.neighbours(v).filter(([from]) => from === u).map(([, arc]) => trace.weight(arc))); }

globalThis.runTests = async (input) => {
  const failed = [];
  for (const [name, test] of Object.entries(tests)) {
    try { await test(input); } catch (error) { failed.push(`${name}: ${error.message}`); }
  }
  return {ran: Object.keys(tests).length, failed};
};
