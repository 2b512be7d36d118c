import { type FittedName, fitName, nameOf, nameTag, parentOf, taggedName } from '@sheaf/connectors';
import { type Ends, nameOfSource } from '../rows/ends.ts';
import type { ItemRow } from '../rows/item-store.ts';

/** The name that the item gets at the destination where nothing has it, and why that is not its own. */
export function baseNameOf(
  { fromPath, toPath, parentSeq, isFolder }: Pick<ItemRow, 'fromPath' | 'toPath' | 'parentSeq' | 'isFolder'>,
  ends: Ends,
): FittedName {
  const { to } = ends;
  const folder = parentOf(toPath);
  const kind = isFolder === 1 ? 'folder' : 'file';
  const rules = to.connector.limits?.names;
  const own = parentSeq === null ? nameOfSource(ends) : nameOf(fromPath);
  const fitted = fitName(rules, own, kind, folder) ?? { name: own };
  // One of several items of that name keeps what tells it apart.
  if (!nameOf(toPath).includes(nameTag(own)) || fitted.name.includes(nameTag(own))) return fitted;
  return { ...fitted, name: taggedName(rules, fitted.name, kind, folder, own) ?? fitted.name };
}
