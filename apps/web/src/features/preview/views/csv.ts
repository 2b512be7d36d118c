/** A table, limited to what a page can show. */
export interface ParsedTable {
  readonly rows: readonly string[][];
  /** Whether rows were omitted. */
  readonly isCut: boolean;
  /** Whether cells were omitted. */
  readonly isWide: boolean;
}

/** Parses a text table into rows of cells. RFC 4180, with the separator that the first line suggests. */
export function parseTable(text: string, mostRows = 1000, mostColumns = 100): ParsedTable {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  let isWide = false;
  let at = text.startsWith('\u{feff}') ? 1 : 0;
  const endCell = (): void => {
    if (row.length < mostColumns) row.push(cell);
    else isWide = true;
    cell = '';
  };
  const endRow = (): void => {
    endCell();
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (; at < text.length && rows.length < mostRows; at++) {
    const character = text.charAt(at);
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === separator) endCell();
    else if (character === '\n' || character === '\r') {
      if (character === '\r' && text.charAt(at + 1) === '\n') at += 1;
      endRow();
    } else cell += character;
  }
  if (rows.length < mostRows) endRow();
  return { rows, isCut: at < text.length, isWide };
}

/** The separator that occurs most in the first line, outside of quotes. */
function separatorOf(text: string): string {
  const line = (text.split(/\r|\n/, 1)[0] ?? '').replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((separator) => ({ separator, count: line.split(separator).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.separator ?? ',';
}
