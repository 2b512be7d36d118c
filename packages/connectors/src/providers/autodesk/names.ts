import { ConnectorError } from '../../core/error.ts';
import { itemNameOf } from '../../kit/id-tree/item-tree.ts';
import { nameOf } from '../../kit/names/path.ts';

/** https://aps.autodesk.com/en/docs/data/v2/reference/http/projects-project_id-folders-POST/ */
const forbidden = /[<>:"/\\|?*'\n\r\t\0\f¢™$®]/;
const longest = 255;

/** Returns Autodesk's name for the item at a path. Throws `badName` for a name that Autodesk does not accept. */
export function newNameOf(path: string): string {
  const name = itemNameOf(nameOf(path));
  if (name === '' || name.length > longest || forbidden.test(name)) throw new ConnectorError('badName', 'Autodesk takes no such name');
  return name;
}
