import { nameOf, parentOf } from '@sheaf/connectors';
import type { ItemEvent } from '@sheaf/contract';
import { type OpenItem, storedAt } from '#/files/items/open-item.ts';
import type { ChangeStore } from './store.ts';

type Row = Awaited<ReturnType<ChangeStore['below']>>[number];

/** The journal's entries about an item and everything below it, for users who may read the item now. */
export const createItemHistory =
  (store: Pick<ChangeStore, 'below'>) =>
  /** The newest first, at most `limit`. Members of a Space do not learn who of the others it was. */
  async (item: OpenItem, limit: number): Promise<ItemEvent[]> => {
    const { linkId, path } = storedAt(item, item.path);
    const root = storedAt(item, '/').path;
    return (await store.below(linkId, path, limit)).filter(isTellable(root)).map((row) => {
      const isOwn = row.accountId === item.userId;
      return {
        id: row.id,
        at: Number(row.createdAt),
        ...((isOwn || !item.stored) && row.actorName !== null && { actorName: row.actorName }),
        isOwn,
        sentence: sentenceOf(row, root) + (row.state === 'undone' ? ', and undid it' : ''),
      };
    });
  };

const isWithin = (root: string, path: string): boolean => root === '/' || path === root || path.startsWith(`${root}/`);

const fullPath = ({ scope }: Pick<Row, 'scope'>, path: string): string => (scope === '/' ? path : scope + path);

/** Whether a change concerns an item in the folder that the reader sees: the names of that folder itself, and of what it once was, are its owner's. */
const isTellable =
  (root: string) =>
  (row: Row): boolean =>
    root === '/' || [row.path, row.toPath].some((path) => path !== null && fullPath(row, path).startsWith(`${root}/`));

/** Places outside of the folder that the reader sees stay untold. */
function sentenceOf(row: Row, root: string): string {
  const { kind, path, toPath } = row;
  const full = (of: string): string => fullPath(row, of);
  const name = nameOf(path);
  if (kind === 'delete' || toPath === null) return `deleted ${name}`;
  if (parentOf(path) === parentOf(toPath)) return `renamed ${name} to ${nameOf(toPath)}`;
  const folder = parentOf(full(toPath));
  if (!isWithin(root, full(path))) return `moved ${nameOf(toPath)} here`;
  if (!isWithin(root, folder)) return `moved ${name} away`;
  const shown = root === '/' ? folder : folder.slice(root.length) || '/';
  return `moved ${name} to ${shown === '/' ? 'the top folder' : shown.slice(1).replaceAll('/', ' / ')}`;
}
