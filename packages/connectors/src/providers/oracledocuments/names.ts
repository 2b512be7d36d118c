import { ConnectorError } from '../../core/error.ts';
import type { NameRules, StorageLimits } from '../../core/storage-limits.ts';
import { shownRules } from '../../kit/id-tree/shown-rules.ts';
import { fitsName } from '../../kit/names/fit-name.ts';

/** Characters that Oracle does not allow in names; control characters would not survive the form. The length is left to the service. */
const rules: NameRules = {
  forbidden: /[\\/:*?"<>|\p{Cc}]/gu,
  length: { most: Number.POSITIVE_INFINITY, unit: 'utf16' },
  ignoresCase: true,
};

/** Longest name in UTF-8 bytes that any program of ours gives; Oracle documents no length. */
export const oracleLimits: StorageLimits = { names: shownRules({ ...rules, length: { most: 255, unit: 'bytes' } }) };

/** Throws `badName` for a name that Oracle would refuse. */
export function checkName(name: string): void {
  if (name === '' || !name.isWellFormed() || !fitsName(rules, name)) throw new ConnectorError('badName', 'Oracle takes no such name');
}
