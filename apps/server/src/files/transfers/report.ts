import type { Made } from './copying/file-copy.ts';
import type { ItemRow } from './rows/item-store.ts';

const columns = [
  'from',
  'to',
  'bytes',
  'state',
  'proof',
  'copiedBy',
  'reason',
  'sourceHash',
  'computedHash',
  'destinationHash',
  'attempts',
  'error',
] as const;

type Line = Readonly<Record<(typeof columns)[number], string | number | null>>;

const lineOf = ({
  fromPath,
  toPath,
  size,
  state,
  proof,
  reason,
  sourceHash,
  computedHash,
  destinationHash,
  attempts,
  error,
  made,
}: ItemRow): Line => ({
  from: fromPath,
  to: toPath,
  bytes: size,
  state,
  proof,
  copiedBy: made === null ? null : ((JSON.parse(made) as Made).by ?? null),
  reason,
  sourceHash,
  computedHash,
  destinationHash,
  attempts: state === 'done' ? attempts + 1 : attempts,
  error: error === null ? null : (JSON.parse(error) as { readonly message: string }).message,
});

/** The rows as lines of a report: JSON lines, or CSV (RFC 4180). */
export const reportLines = (rows: readonly ItemRow[], format: 'json' | 'csv'): string =>
  rows
    .map((row) => (format === 'json' ? JSON.stringify(lineOf(row)) + '\n' : csvOf(columns.map((column) => lineOf(row)[column]))))
    .join('');

export const reportHead = (format: 'json' | 'csv'): string => (format === 'csv' ? csvOf(columns) : '');

const csvOf = (cells: readonly (string | number | null)[]): string => cells.map(cellOf).join(',') + '\r\n';

/** Quotes what needs it; an apostrophe keeps spreadsheets from taking a name for a formula. */
function cellOf(value: string | number | null): string {
  const text = value === null ? '' : typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
