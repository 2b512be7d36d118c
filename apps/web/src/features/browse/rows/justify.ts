/** A row of pictures: its items, and where it stands, in px. */
export interface JustifiedRow {
  /** Place of the first item, and one more than that of the last. */
  readonly first: number;
  readonly end: number;
  readonly top: number;
  readonly height: number;
}

interface Space {
  /** Of a row, in px. */
  readonly width: number;
  /** Height that rows come near to, in px. */
  readonly height: number;
  readonly gap: number;
}

/** Bounds of a picture's width to its height: wider and higher ones are cut. */
export const [narrowest, widest] = [0.5, 3];

/**
 * Rows that are all as wide as the space: each takes items until they would be lower than wished, and is then as high as fills it. The last
 * row is not stretched. Rows in `kept` stay as they are; items after them are laid out.
 */
export function justify(
  count: number,
  ratioAt: (index: number) => number,
  { width, height, gap }: Space,
  kept: readonly JustifiedRow[] = [],
): JustifiedRow[] {
  const rows = [...kept];
  let first = kept.at(-1)?.end ?? 0;
  let top = kept.reduce((bottom, row) => Math.max(bottom, row.top + row.height + gap), 0);
  let ratios = 0;
  for (let index = first; index < count; index++) {
    ratios += Math.min(widest, Math.max(narrowest, ratioAt(index)));
    const room = width - gap * (index - first);
    const isLast = index === count - 1;
    if (room / ratios > height && !isLast) continue;
    const filling = Math.min(height * 1.25, room / ratios);
    const row = { first, end: index + 1, top, height: Math.max(1, Math.round(isLast ? Math.min(height, filling) : filling)) };
    rows.push(row);
    top += row.height + gap;
    first = index + 1;
    ratios = 0;
  }
  return rows;
}

/** The row that holds the item. */
export const rowOf = (rows: readonly JustifiedRow[], index: number): number =>
  rows.findIndex(({ first, end }) => first <= index && index < end);
