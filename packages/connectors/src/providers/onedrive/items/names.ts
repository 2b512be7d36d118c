import { ConnectorError } from '../../../core/error.ts';
import { itemNameOf } from '../../../kit/id-tree/item-tree.ts';
import { nameOf } from '../../../kit/names/path.ts';

/**
 * Names that OneDrive and SharePoint refuse, or change silently:
 * https://support.microsoft.com/office/restrictions-and-limitations-in-onedrive-and-sharepoint-64883a5d-228e-48f5-b3d2-eb39e07630fa
 */
const refused: readonly RegExp[] = [
  /["*:<>?/\\|\p{Cc}]/u,
  /^[\s~]|[\s.]$/u,
  /^(?:\.lock|con|prn|aux|nul|com\d|lpt\d|desktop\.ini)$/i,
  /_vti_/i,
];
/** Maximum characters of a name; the limit of 400 for a whole path is left to the service. */
const longest = 255;

/** Returns the provider's name for the last segment of a path. Throws `badName` for one that it would refuse or change. */
export function newNameOf(path: string): string {
  const name = itemNameOf(nameOf(path));
  if (name === '' || name.length > longest || !name.isWellFormed() || refused.some((pattern) => pattern.test(name)))
    throw new ConnectorError('badName', 'OneDrive cannot hold this name');
  return name;
}
