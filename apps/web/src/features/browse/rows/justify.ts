/** A row of pictures: its items, and its position in px. */
export interface JustifiedRow {
  /** Index of the first item, and of the last plus one. */
  readonly first: number;
  readonly end: number;
  readonly top: number;
  readonly height: number;
}

interface Space {
  /** Width of a row, in px. */
  readonly width: number;
  /** Target height of rows, in px. */
  readonly height: number;
  readonly gap: number;
}

/** Bounds of a picture's aspect ratio: wider and higher ones are cropped. */
export const [narrowest, widest] = [0.5, 3];

/**
 * Lays out rows of equal width: each takes items until it would be lower than the target height, and is then scaled to fill the width. The last row
 * is not stretched. Rows in `kept` stay unchanged; the items after them are laid out.
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

/** How much wider than its shape a picture of a short last row becomes at most. */
export const stretch = 1.6;

/** Widths of a row's pictures, in px: together they fill the row, unless it is short. */
export function widthsOf(
  { first, end, height }: JustifiedRow,
  ratioAt: (index: number) => number,
  { width, gap }: Pick<Space, 'width' | 'gap'>,
  isShort: boolean,
): number[] {
  const ratios = Array.from({ length: end - first }, (_, at) => ratioAt(first + at));
  const room = width - gap * (ratios.length - 1);
  const sum = ratios.reduce((all, ratio) => all + ratio, 0);
  return ratios.map((ratio) => Math.min((ratio / sum) * room, isShort ? ratio * height * stretch : Infinity));
}

/** Index of the row with the item. */
export const rowOf = (rows: readonly JustifiedRow[], index: number): number =>
  rows.findIndex(({ first, end }) => first <= index && index < end);
