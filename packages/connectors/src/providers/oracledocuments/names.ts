import { ConnectorError } from '../../core/error.ts';
import type { NameRules, StorageLimits } from '../../core/storage-limits.ts';
import { shownRules } from '../../kit/id-tree/shown-rules.ts';
import { fitsName } from '../../kit/names/fit-name.ts';

/**
 * Matches characters that Oracle does not allow in names, and control characters, which the form cannot carry. The service itself checks
 * the length.
 */
const rules: NameRules = {
  forbidden: /[\\/:*?"<>|\p{Cc}]/gu,
  length: { most: Number.POSITIVE_INFINITY, unit: 'utf16' },
  ignoresCase: true,
};

/** Oracle documents no maximum length: uses that of common file systems. */
export const oracleLimits: StorageLimits = { names: shownRules({ ...rules, length: { most: 255, unit: 'bytes' } }) };

/** Throws `badName` for a name that Oracle would refuse. */
export function checkName(name: string): void {
  if (name === '' || !name.isWellFormed() || !fitsName(rules, name)) throw new ConnectorError('badName', 'Oracle takes no such name');
}
