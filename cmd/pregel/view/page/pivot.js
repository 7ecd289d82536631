// Pivot MDS: places vertices so that distances in the plane are like those in the
// graph, from breadth-first searches of a few pivots far from each other (Brandes
// and Pich, 2007). It is exact enough to unfold a grid, and a good start for forces.
export function pivotPositions(lists, vertices, spacing) {
  const pivots = Math.min(24, vertices.length);
  const columns = distancesFromPivots(lists, vertices, pivots);
  center(columns);
  const [first, second] = axes(columns);
  const positions = vertices.map((_, i) => [dot(columns, first, i), dot(columns, second, i)]);
  return scaled(positions, lists, vertices, spacing);
}

// distancesFromPivots has a column of distances for each pivot; the next pivot is
// the vertex farthest from all before it.
function distancesFromPivots(lists, vertices, count) {
  const at = new Map(vertices.map((v, i) => [v, i]));
  const nearest = new Array(vertices.length).fill(Infinity);
  const columns = [];
  let pivot = vertices.reduce((best, v, i) => lists[v].length > lists[vertices[best]].length ? i : best, 0);
  while (columns.length < count) {
    const column = breadthFirst(lists, vertices, at, pivot);
    columns.push(column);
    column.forEach((d, i) => { nearest[i] = Math.min(nearest[i], d); });
    pivot = nearest.reduce((best, d, i) => d > nearest[best] ? i : best, 0);
    if (nearest[pivot] === 0) break;
  }
  return columns;
}

function breadthFirst(lists, vertices, at, start) {
  const distances = new Float64Array(vertices.length).fill(-1);
  distances[start] = 0;
  const queue = [start];
  for (let head = 0; head < queue.length; head++) {
    for (const u of lists[vertices[queue[head]]]) {
      const i = at.get(u);
      if (distances[i] >= 0) continue;
      distances[i] = distances[queue[head]] + 1;
      queue.push(i);
    }
  }
  const far = distances[queue.at(-1)] + 3; // what lies in another component
  return distances.map((d) => d < 0 ? far : d);
}

// center turns distances into the products that classical scaling starts from.
function center(columns) {
  const n = columns[0].length;
  for (const column of columns) column.forEach((d, i) => { column[i] = -d * d / 2; });
  const means = columns.map((column) => column.reduce((a, b) => a + b, 0) / n);
  const all = means.reduce((a, b) => a + b, 0) / columns.length;
  for (let i = 0; i < n; i++) {
    const row = columns.reduce((sum, column) => sum + column[i], 0) / columns.length;
    columns.forEach((column, k) => { column[i] += all - row - means[k]; });
  }
}

// axes are the two first eigenvectors of CᵀC, by powers, from a fixed start.
function axes(columns) {
  const k = columns.length;
  const square = columns.map((a) => columns.map((b) => a.reduce((sum, x, i) => sum + x * b[i], 0)));
  const found = [];
  for (let axis = 0; axis < 2; axis++) {
    let v = Array.from({length: k}, (_, i) => Math.cos(1 + i * (axis + 1)));
    for (let round = 0; round < 100; round++) {
      v = square.map((row) => row.reduce((sum, x, i) => sum + x * v[i], 0));
      for (const f of found) {
        const along = v.reduce((sum, x, i) => sum + x * f[i], 0);
        v = v.map((x, i) => x - along * f[i]);
      }
      const norm = Math.hypot(...v) || 1;
      v = v.map((x) => x / norm);
    }
    found.push(v);
  }
  return found;
}

function dot(columns, axis, i) { return columns.reduce((sum, column, k) => sum + column[i] * axis[k], 0); }

// scaled makes the mean arc as long as spacing, and parts those on one point.
function scaled(positions, lists, vertices, spacing) {
  const at = new Map(vertices.map((v, i) => [v, i]));
  let sum = 0, arcs = 0;
  vertices.forEach((v, i) => {
    for (const u of lists[v]) {
      const [x, y] = positions[at.get(u)];
      sum += Math.hypot(x - positions[i][0], y - positions[i][1]);
      arcs++;
    }
  });
  const factor = sum > 0 ? spacing * arcs / sum : 1;
  return positions.map(([x, y], i) => [
    x * factor + spacing / 4 * Math.cos(i * 2.4), y * factor + spacing / 4 * Math.sin(i * 2.4),
  ]);
}
