// The cost of supersteps by the BSP model: T = w + g·h + l. w is the greatest work
// of a worker, h the messages, or, where phases send none, the arcs; l the barrier.

// Phases that compute; what is left of a superstep is messages and barrier.
const computing = /^(init|compute|apply|emit|values?|offers?)/i;

// costs fits the model to the supersteps that have a time. Where phases of workers
// were recorded w is measured, and g and l are fitted; else w is what an awake
// vertex costs, fitted too. Relative errors are made least, since supersteps differ
// by orders of magnitude; no parameter is below 0.
export function costs(steps) {
  const timed = steps.filter((s) => s.nanoseconds > 0);
  const measured = timed.length > 0 && timed.every((s) => s.phases?.some((p) => computing.test(p.name)));
  const of = timed.every((s) => s.sent !== undefined) ? 'message' : 'arc';
  const rows = timed.map((s) => ({
    superstep: s.superstep, measured: s.nanoseconds,
    w: measured ? work(s) : s.awake ?? 0, h: (of === 'message' ? s.sent : s.arcs ?? s.sent) ?? 0,
  }));
  const columns = measured ? [(r) => r.h, () => 1] : [(r) => r.h, () => 1, (r) => r.w];
  const fixed = (r) => measured ? r.w : 0;
  const x = leastSquares(rows.map((r) => columns.map((c) => c(r) / r.measured)), rows.map((r) => (r.measured - fixed(r)) / r.measured));
  const [g, l, c] = [x[0], x[1], x[2] ?? null];
  for (const r of rows) {
    if (!measured) r.w *= c;
    r.communication = g * r.h;
    r.barrier = l;
    r.predicted = r.w + r.communication + r.barrier;
  }
  const errors = rows.map((r) => Math.abs(r.predicted - r.measured) / r.measured).sort((a, b) => a - b);
  const h = rows.map((r) => r.h);
  const alike = Math.max(...h) < 1.05 * Math.min(...h);
  return {rows, of, g, l, c, measured, alike, error: errors.length ? errors[errors.length >> 1] : null};
}

// work is the sum, over the phases that compute, of the greatest time of a worker.
function work(step) {
  return step.phases.filter((p) => computing.test(p.name))
    .reduce((sum, p) => sum + Math.max(0, ...(p.workers ?? [])), 0);
}

// leastSquares solves rows·x ≈ y for x ≥ 0: the best of all choices of columns
// that are used. There are at most three.
export function leastSquares(rows, y) {
  const width = rows[0]?.length ?? 0;
  let best = {x: new Array(width).fill(0), error: y.reduce((sum, v) => sum + v * v, 0)};
  for (let mask = 1; mask < 1 << width; mask++) {
    const used = [...Array(width).keys()].filter((i) => mask >> i & 1);
    const part = solve(used, rows, y);
    if (!part || part.some((v) => !(v >= 0))) continue;
    const x = new Array(width).fill(0);
    used.forEach((column, i) => { x[column] = part[i]; });
    const error = rows.reduce((sum, row, i) => sum + (row.reduce((p, a, j) => p + a * x[j], 0) - y[i]) ** 2, 0);
    if (error < best.error) best = {x, error};
  }
  return best.x;
}

// solve does the normal equations of some columns by elimination; null if they
// depend on each other.
function solve(used, rows, y) {
  const scale = used.map((c) => Math.sqrt(rows.reduce((sum, row) => sum + row[c] ** 2, 0)) || 1);
  const m = used.map((a, i) => [
    ...used.map((b, j) => rows.reduce((sum, row) => sum + row[a] * row[b] / scale[i] / scale[j], 0)),
    rows.reduce((sum, row, k) => sum + row[a] * y[k] / scale[i], 0),
  ]);
  for (let i = 0; i < m.length; i++) {
    const pivot = m.slice(i).reduce((at, row, k) => Math.abs(row[i]) > Math.abs(m[at][i]) ? i + k : at, i);
    [m[i], m[pivot]] = [m[pivot], m[i]];
    if (Math.abs(m[i][i]) < 1e-9) return null;
    for (let k = 0; k < m.length; k++) {
      if (k === i) continue;
      const f = m[k][i] / m[i][i];
      m[k] = m[k].map((v, j) => v - f * m[i][j]);
    }
  }
  return m.map((row, i) => row[m.length] / row[i] / scale[i]);
}
