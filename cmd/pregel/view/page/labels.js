// Labels finds places for texts beside the vertices of a drawing, so that none lies
// on another or on a vertex. Boxes are [left, top, right, bottom].
export class Labels {
  constructor(width, height, vertices) {
    Object.assign(this, {width, height, taken: vertices, placed: []});
  }

  // place puts a text so wide beside a vertex at (x, y) with radius r: below, above,
  // at its right or left, whichever is free first; null if none is. One that must
  // be there goes farther off, and if nothing is free is below.
  place(text, wide, x, y, r, must = false) {
    const boxes = (must ? [0, 8, 16, 24, 32] : [0]).flatMap((far) => around(wide, x, y, r + far));
    const box = boxes.find((b) => this.#free(b)) ?? (must ? boxes[0] : null);
    if (!box) return null;
    this.taken.push(box);
    this.placed.push({text, box});
    return [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  }

  #free(b) {
    return b[0] >= 0 && b[1] >= 0 && b[2] <= this.width && b[3] <= this.height
      && !this.taken.some((t) => t[0] < b[2] && t[2] > b[0] && t[1] < b[3] && t[3] > b[1]);
  }
}

function around(wide, x, y, r) {
  const tall = 12, half = wide / 2;
  return [[x - half, y + r + 1], [x - half, y - r - 1 - tall], [x + r + 2, y - tall / 2], [x - r - 2 - wide, y - tall / 2]]
    .map(([left, top]) => [left, top, left + wide, top + tall]);
}
