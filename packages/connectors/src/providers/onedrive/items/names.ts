import { ConnectorError } from '../../../core/error.ts';
import { itemNameOf } from '../../../kit/id-tree/item-tree.ts';
import { nameOf } from '../../../kit/names/path.ts';

/**
 * What OneDrive and SharePoint refuse, or change without a word:
 * https://support.microsoft.com/office/restrictions-and-limitations-in-onedrive-and-sharepoint-64883a5d-228e-48f5-b3d2-eb39e07630fa
 */
const refused: readonly RegExp[] = [
  /["*:<>?/\\|\p{Cc}]/u,
  /^[\s~]|[\s.]$/u,
  /^(?:\.lock|con|prn|aux|nul|com\d|lpt\d|desktop\.ini)$/i,
  /_vti_/i,
];
/** Characters; of a whole path 400, which the service judges. */
const longest = 255;

/** The provider's name for the last part of a path. Rejects with `badName` what it could not hold as it is. */
export function newNameOf(path: string): string {
  const name = itemNameOf(nameOf(path));
  if (name === '' || name.length > longest || !name.isWellFormed() || refused.some((pattern) => pattern.test(name)))
    throw new ConnectorError('badName', 'OneDrive cannot hold this name');
  return name;
}
