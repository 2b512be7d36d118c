/** A rectangle in px, from the upper left corner of all rows. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The indices from `first` up to, but without `end`. */
const span = (first: number, end: number): number[] => Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);

/** Rows of equal height that the box touches. */
export function rowsInBox({ top, bottom }: Box, rowHeight: number, count: number): number[] {
  return span(Math.max(0, Math.floor(top / rowHeight)), Math.min(count, Math.ceil(bottom / rowHeight)));
}

interface Cells {
  readonly columns: number;
  /** Width of all cells of a row, in px. */
  readonly width: number;
  /** Height of a cell, in px. */
  readonly height: number;
  readonly gap: number;
}

/** Cells of a grid that the box touches; the gaps between them belong to none. */
export function cellsInBox(box: Box, { columns, width, height, gap }: Cells, count: number): number[] {
  const cell = (width - gap * (columns - 1)) / columns;
  const touched = (low: number, high: number, size: number): [number, number] => [
    Math.max(0, Math.floor((low + gap) / (size + gap))),
    Math.ceil(high / (size + gap)),
  ];
  const [firstRow, endRow] = touched(box.top, box.bottom, height);
  const [firstColumn, endColumn] = touched(box.left, box.right, cell);
  return span(firstRow, Math.min(endRow, Math.ceil(count / columns))).flatMap((row) =>
    span(row * columns + firstColumn, row * columns + Math.min(columns, endColumn)).filter((index) => index < count),
  );
}

interface PictureRow {
  /** Index of the first item. */
  readonly first: number;
  readonly end: number;
  readonly top: number;
  readonly height: number;
}

/** Pictures that the box touches, in rows of pictures with the given widths. */
export function picturesInBox(
  box: Box,
  rows: readonly PictureRow[],
  widthsOf: (row: PictureRow) => readonly number[],
  gap: number,
): number[] {
  return rows
    .filter(({ top, height }) => top < box.bottom && top + height > box.top)
    .flatMap((row) => {
      let left = 0;
      return widthsOf(row).flatMap((width, at) => {
        const isTouched = left < box.right && left + width > box.left;
        left += width + gap;
        return isTouched ? [row.first + at] : [];
      });
    });
}
