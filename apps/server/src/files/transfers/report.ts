import type { VerifyRule } from '@sheaf/contract';
import { csvLine } from '#/platform/csv.ts';
import type { Made } from './copying/file-copy.ts';
import type { ItemRow } from './rows/item-store.ts';

const columns = [
  'from',
  'to',
  'bytes',
  'state',
  'proof',
  'proofReason',
  'copiedBy',
  'reason',
  'sourceHash',
  'computedHash',
  'destinationHash',
  'attempts',
  'error',
] as const;

type Line = Readonly<Record<(typeof columns)[number], string | number | null>>;

/** Why a file was not proven by its bytes, so that no report leaves it open. */
function proofReasonOf(proof: ItemRow['proof'], verify: VerifyRule): string | null {
  if (proof === 'provider_rewrote') return 'the_service_changes_such_files';
  if (proof === 'server_side') return 'copied_by_the_service_which_reports_no_hash';
  if (proof !== 'size') return null;
  if (verify === 'size') return 'only_sizes_were_wanted';
  return verify === 'hashes' ? 'the_destination_reports_no_hash' : 'too_large_to_read_back';
}

const lineOf = (
  { fromPath, toPath, size, state, proof, reason, sourceHash, computedHash, destinationHash, attempts, error, made }: ItemRow,
  verify: VerifyRule,
): Line => ({
  from: fromPath,
  to: toPath,
  bytes: size,
  state,
  proof,
  proofReason: proofReasonOf(proof, verify),
  copiedBy: made === null ? null : ((JSON.parse(made) as Made).by ?? null),
  reason,
  sourceHash,
  computedHash,
  destinationHash,
  attempts: state === 'done' ? attempts + 1 : attempts,
  error: error === null ? null : (JSON.parse(error) as { readonly message: string }).message,
});

/** The rows as lines of a report: JSON lines, or CSV (RFC 4180). */
export const reportLines = (rows: readonly ItemRow[], format: 'json' | 'csv', verify: VerifyRule): string =>
  rows
    .map((row) => lineOf(row, verify))
    .map((line) => (format === 'json' ? JSON.stringify(line) + '\n' : csvOf(columns.map((column) => line[column]))))
    .join('');

export const reportHead = (format: 'json' | 'csv'): string => (format === 'csv' ? csvOf(columns) : '');

const csvOf = (cells: readonly (string | number | null)[]): string => csvLine(cells.map((cell) => (cell === null ? '' : String(cell))));
