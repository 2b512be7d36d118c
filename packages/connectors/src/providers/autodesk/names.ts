import { ConnectorError } from '../../core/error.ts';
import type { NameRules, StorageLimits } from '../../core/storage-limits.ts';
import { itemNameOf } from '../../kit/id-tree/item-tree.ts';
import { shownRules } from '../../kit/id-tree/shown-rules.ts';
import { fitsName } from '../../kit/names/fit-name.ts';
import { nameOf } from '../../kit/names/path.ts';

/** https://aps.autodesk.com/en/docs/data/v2/reference/http/projects-project_id-folders-POST/ */
const rules: NameRules = { forbidden: /[<>:"/\\|?*'\n\r\t\0\f¢™$®]/gu, length: { most: 255, unit: 'utf16' } };

export const autodeskLimits: StorageLimits = { names: shownRules(rules) };

/** Returns Autodesk's name for the item at a path. Throws `badName` for a name that Autodesk does not accept. */
export function newNameOf(path: string): string {
  const name = itemNameOf(nameOf(path));
  if (name === '' || !fitsName(rules, name)) throw new ConnectorError('badName', 'Autodesk takes no such name');
  return name;
}
