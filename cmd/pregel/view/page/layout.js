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
  for (const node of nodes) [x[node.v], y[node.v]] = [node.x, node.y];
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

// alone puts vertices without edges in rows below the others.
function alone(n, lists, x, y) {
  let left = Infinity, right = -Infinity, bottom = -Infinity;
  for (let v = 0; v < n; v++) {
    if (!lists[v].length) continue;
    left = Math.min(left, x[v]);
    right = Math.max(right, x[v]);
    bottom = Math.max(bottom, y[v]);
  }
  if (left === Infinity) [left, right, bottom] = [0, spacing * Math.ceil(Math.sqrt(n)), 0];
  const apart = lists.filter((list) => !list.length).length > 200 ? spacing / 2 : spacing;
  const row = Math.max(1, Math.floor((right - left) / apart) + 1);
  let i = 0;
  for (let v = 0; v < n; v++) {
    if (lists[v].length) continue;
    x[v] = left + i % row * apart;
    y[v] = bottom + spacing * 1.5 + apart * Math.floor(i / row);
    i++;
  }
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
