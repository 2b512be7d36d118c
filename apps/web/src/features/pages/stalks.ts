/** A kind of storage at the head of a stalk, in the picture's own units. */
export interface Head {
  readonly provider: string;
  readonly x: number;
  readonly y: number;
}

/** The heads of the sheaf from left to right, on an arch. */
export const heads: readonly Head[] = [
  { provider: 'MinIO', x: 34, y: 196 },
  { provider: 'S3', x: 106, y: 132 },
  { provider: 'WebDAV', x: 184, y: 84 },
  { provider: 'AzureStorage', x: 262, y: 54 },
  { provider: 'SFTP', x: 340, y: 44 },
  { provider: 'hidrive', x: 418, y: 54 },
  { provider: 'FTP', x: 496, y: 84 },
  { provider: 'Wasabi', x: 574, y: 132 },
  { provider: 'adrive', x: 646, y: 196 },
];

interface Point {
  readonly x: number;
  readonly y: number;
}
type Curve = readonly [Point, Point, Point, Point];

const knot = { x: 340, y: 452, spread: 9.5 } as const;
const middle = (heads.length - 1) / 2;

/** The stalk from a head down to the knot, as a cubic Bézier curve. */
export function stalkOf(head: Head, index: number): Curve {
  const end = knot.x + (index - middle) * knot.spread;
  const start = head.y + 30;
  return [
    { x: head.x, y: start },
    { x: head.x, y: start + 0.3 * (knot.y - start) },
    { x: end, y: 292 },
    { x: end, y: knot.y },
  ];
}

/** The same stalk below the knot, fanning out. */
export function stubbleOf(index: number): Curve {
  const from = knot.x + (index - middle) * knot.spread;
  const to = knot.x + (index - middle) * 44;
  return [
    { x: from, y: knot.y },
    { x: from, y: 492 },
    { x: (from + to) / 2, y: 522 },
    { x: to, y: 622 },
  ];
}

export const pathOf = ([a, b, c, d]: Curve): string => `M${a.x} ${a.y}C${b.x} ${b.y} ${c.x} ${c.y} ${d.x} ${d.y}`;

/** Where grains sit on a stalk: the point and the direction of the curve there, in degrees. */
export function grainsOf(curve: Curve): readonly (Point & { readonly angle: number })[] {
  return [0.22, 0.42, 0.62].map((t) => {
    const [a, b, c, d] = curve;
    const u = 1 - t;
    const at = (axis: 'x' | 'y'): number => u ** 3 * a[axis] + 3 * u * u * t * b[axis] + 3 * u * t * t * c[axis] + t ** 3 * d[axis];
    const slope = (axis: 'x' | 'y'): number => u * u * (b[axis] - a[axis]) + 2 * u * t * (c[axis] - b[axis]) + t * t * (d[axis] - c[axis]);
    return { x: at('x'), y: at('y'), angle: (Math.atan2(slope('y'), slope('x')) * 180) / Math.PI };
  });
}
