import { ConnectorError } from '../../../core/error.ts';
import type { NameRules, StorageLimits } from '../../../core/storage-limits.ts';
import { itemNameOf } from '../../../kit/id-tree/item-tree.ts';
import { shownRules } from '../../../kit/id-tree/shown-rules.ts';
import { fitsName } from '../../../kit/names/fit-name.ts';
import { nameOf } from '../../../kit/names/path.ts';

/**
 * Names that OneDrive and SharePoint refuse, or change silently:
 * https://support.microsoft.com/office/restrictions-and-limitations-in-onedrive-and-sharepoint-64883a5d-228e-48f5-b3d2-eb39e07630fa
 */
const rules: NameRules = {
  forbidden: /["*:<>?/\\|\p{Cc}]|_vti_/giu,
  badStart: /^[\s~]/u,
  badEnd: /[\s.]$/u,
  reserved: /^(?:\.lock|con|prn|aux|nul|com\d|lpt\d|desktop\.ini)$/i,
  length: { most: 255, unit: 'utf16' },
  ignoresCase: true,
};

/** A whole path may have 400 characters, including the leading slash. */
export const oneDriveLimits: StorageLimits = {
  names: { ...shownRules(rules), pathLength: { most: 399, unit: 'utf16' } },
  fileBytes: 250 * 1024 ** 3,
};

/**
 * Returns the provider's name for the last segment of a path. Throws `badName` for a name that it would refuse or change; the service
 * itself checks the path's length.
 */
export function newNameOf(path: string): string {
  const name = itemNameOf(nameOf(path));
  if (name === '' || !name.isWellFormed() || !fitsName(rules, name)) throw new ConnectorError('badName', 'OneDrive cannot hold this name');
  return name;
}
