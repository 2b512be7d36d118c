export type Row = Readonly<Record<string, string>>;

/** Prints rows as a table in Markdown; columns are those of the first row, in its order. */
export function printTable(title: string, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0] ?? {});
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  console.log(`\n${title}\n`);
  console.log(line(columns));
  console.log(line(widths.map((width) => '-'.repeat(width))));
  for (const row of rows) console.log(line(columns.map((column) => row[column] ?? '')));
}

/** A number with as many digits as are worth reading; a dash for none. */
export const shown = (value: number | undefined): string => {
  if (value === undefined || Number.isNaN(value)) return '–';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
};

/** A ratio beside the one that is wanted, and whether it is reached. */
export function verdict(ratio: number | undefined, wanted: number | undefined): Row {
  if (ratio === undefined || wanted === undefined) return { ratio: shown(ratio), wanted: shown(wanted), held: '–' };
  return { ratio: shown(ratio), wanted: shown(wanted), held: ratio >= wanted ? 'yes' : 'no' };
}

/** Tells whoever waits what has been measured so far, beside the tables. */
export const tell = (row: Row): void => console.error(Object.values(row).join('  '));
