/** A rectangle in the unit of the area that was divided. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Divides an area among values, each getting a share in proportion, with rectangles as square as possible: rows are filled along the shorter side for as
 * long as this makes the worst one squarer (Bruls, Huizing and van Wijk, "Squarified treemaps", 2000). The values must be positive, the largest ones first; a last one of any size is fine.
 */
export function squarify(values: readonly number[], area: Rectangle): Rectangle[] {
  const all = values.reduce((sum, value) => sum + value, 0);
  if (all <= 0 || area.width <= 0 || area.height <= 0) return [];
  const scale = (area.width * area.height) / all;
  const placed: Rectangle[] = [];
  let left = area;
  for (let from = 0; from < values.length;) {
    const side = Math.min(left.width, left.height);
    let to = from + 1;
    let sum = (values[from] ?? 0) * scale;
    let worst = worstRatio(values, from, to, sum, side, scale);
    for (; to < values.length; to++) {
      const next = sum + (values[to] ?? 0) * scale;
      const ratio = worstRatio(values, from, to + 1, next, side, scale);
      if (ratio > worst) break;
      [sum, worst] = [next, ratio];
    }
    const isUpright = left.width >= left.height;
    const thickness = sum / side;
    let along = isUpright ? left.y : left.x;
    for (let index = from; index < to; index++) {
      const length = ((values[index] ?? 0) * scale) / thickness;
      placed.push(
        isUpright ? { x: left.x, y: along, width: thickness, height: length } : { x: along, y: left.y, width: length, height: thickness },
      );
      along += length;
    }
    left = isUpright
      ? { ...left, x: left.x + thickness, width: Math.max(0, left.width - thickness) }
      : { ...left, y: left.y + thickness, height: Math.max(0, left.height - thickness) };
    from = to;
    if (left.width <= 0 || left.height <= 0) break;
  }
  return placed;
}

/** The longest side of a row's rectangles in relation to the shorter one: the first and the last value decide it. */
function worstRatio(values: readonly number[], from: number, to: number, sum: number, side: number, scale: number): number {
  const largest = (values[from] ?? 0) * scale;
  const smallest = (values[to - 1] ?? 0) * scale;
  const square = side * side;
  return Math.max((square * largest) / (sum * sum), (sum * sum) / (square * smallest));
}
