/* global d3 */
import {pivotPositions} from './pivot.js';

const spacing = 40;

// layout places the vertices of a graph. The same graph always gets the same
// places: distances in the graph to begin with, then so many ticks of forces
// (d3-force, whose random numbers have a fixed seed). It yields how much is done,
// so that a page stays alive, and returns {x, y}.
export function* layout(n, sources, targets) {
  const lists = undirected(n, sources, targets);
  const connected = [...lists.keys()].filter((v) => lists[v].length > 0);
  const x = new Float64Array(n), y = new Float64Array(n);
  yield 0;
  if (connected.length > 0) yield* place(connected, lists, x, y);
  alone(n, lists, x, y);
  return {x, y};
}

function undirected(n, sources, targets) {
  const lists = Array.from({length: n}, () => []);
  for (let i = 0; i < sources.length; i++) {
    if (sources[i] === targets[i]) continue;
    lists[sources[i]].push(targets[i]);
    lists[targets[i]].push(sources[i]);
  }
  return lists;
}

function* place(connected, lists, x, y) {
  const start = pivotPositions(lists, connected, spacing);
  yield 0.1;
  const nodes = connected.map((v, i) => ({x: start[i][0], y: start[i][1], v}));
  const at = new Map(connected.map((v, i) => [v, i]));
  const links = [];
  connected.forEach((v, i) => {
    for (const u of lists[v]) if (v < u) links.push({source: i, target: at.get(u)});
  });
  const ticks = rounds(nodes.length, links.length);
  const forces = simulate(nodes, links, ticks);
  for (let i = 0; i < ticks; i++) {
    forces.tick();
    yield 0.1 + 0.9 * (i + 1) / ticks;
  }
  turn(nodes);
  for (const node of nodes) [x[node.v], y[node.v]] = [node.x, node.y];
}

// turn turns the graph so that it fills a box of the shape of a page best.
function turn(nodes) {
  let best = {size: Infinity};
  for (let degrees = 0; degrees < 180; degrees += 3) {
    const [c, s] = [Math.cos(degrees * Math.PI / 180), Math.sin(degrees * Math.PI / 180)];
    const span = (f) => nodes.reduce(([a, b], node) => [Math.min(a, f(node)), Math.max(b, f(node))], [Infinity, -Infinity]);
    const [left, right] = span(({x, y}) => c * x - s * y), [top, bottom] = span(({x, y}) => s * x + c * y);
    const size = Math.max((right - left) / 1.6, bottom - top);
    if (size < best.size - 1e-9) best = {size, c, s};
  }
  for (const node of nodes) [node.x, node.y] = [best.c * node.x - best.s * node.y, best.s * node.x + best.c * node.y];
}

// rounds of forces: less for large graphs, whose start is good enough to look at.
function rounds(n, m) {
  if (n <= 400) return 300;
  return Math.max(20, Math.round(300 * 600 / (n + m / 4)));
}

function simulate(nodes, links, ticks) {
  const few = nodes.length <= 400;
  return d3.forceSimulation(nodes).stop()
    .alpha(few ? 1 : 0.4).alphaDecay(1 - 0.01 ** (1 / ticks))
    .force('links', d3.forceLink(links).distance(spacing))
    .force('charge', d3.forceManyBody().strength(few ? -260 : -60).theta(few ? 0.7 : 1.1).distanceMax(few ? 1000 : 400))
    .force('x', d3.forceX().strength(0.04))
    .force('y', d3.forceY().strength(0.04));
}

// alone puts vertices without edges in rows below the others, or in columns to
// their right where there is more room.
function alone(n, lists, x, y) {
  const those = [...lists.keys()].filter((v) => !lists[v].length);
  const others = [...lists.keys()].filter((v) => lists[v].length);
  const apart = those.length > 200 ? spacing / 2 : spacing;
  const reach = (list, from) => others.reduce(([a, b], v) => [Math.min(a, list[v]), Math.max(b, list[v])], from);
  const side = spacing * Math.ceil(Math.sqrt(n));
  const [left, right] = reach(x, others.length ? [Infinity, -Infinity] : [0, side]);
  const [top, bottom] = reach(y, others.length ? [Infinity, -Infinity] : [0, 0]);
  const beside = others.length > 0 && right - left < 1.6 * (bottom - top);
  const row = Math.floor((beside ? bottom - top : right - left) / apart) + 1;
  those.forEach((v, i) => {
    const [along, off] = [i % row * apart, spacing * 1.5 + apart * Math.floor(i / row)];
    [x[v], y[v]] = beside ? [right + off, top + along] : [left + along, bottom + off];
  });
}

// finish runs a layout in slices of time, telling how much is done.
export async function finish(steps, tell) {
  let slice = performance.now();
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
    if (performance.now() - slice < 40) continue;
    tell(value);
    await new Promise((resume) => setTimeout(resume));
    slice = performance.now();
  }
}
