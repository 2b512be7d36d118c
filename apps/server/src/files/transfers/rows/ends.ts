import { joinPath, nameOf } from '@sheaf/connectors';
import { type TransferPlace, appError } from '@sheaf/contract';
import { type Links, type OpenItem, cannotChange, openItem, storedAt } from '#/files/items/open-item.ts';
import type { TransferRow } from './store.ts';

/** Both ends of a transfer's source, opened anew for each use, so that rights are checked each time. */
export interface Ends {
  readonly from: OpenItem;
  readonly to: OpenItem;
  /** Whether both are in the same link, where the source itself can copy and move. */
  readonly isSameLink: boolean;
  /** Name of the source in the target folder, if it gets another than its own. */
  readonly newName?: string;
}

export const sourcesOf = ({ sources }: Pick<TransferRow, 'sources'>): readonly TransferPlace[] => JSON.parse(sources) as TransferPlace[];
export const targetOf = ({ target }: Pick<TransferRow, 'target'>): TransferPlace => JSON.parse(target) as TransferPlace;

/** Opens a source's link and the target folder's; rejects when the user may no longer read there, or write here. */
export async function openEnds(links: Links, transfer: TransferRow, source: number): Promise<Ends> {
  const place = sourcesOf(transfer)[source];
  if (!place) throw appError('TRANSFER_GONE', {});
  const [from, to] = await Promise.all([
    openItem(links, transfer.accountId, place.linkUri),
    openItem(links, transfer.accountId, targetOf(transfer).linkUri),
  ]);
  if (!to.connector.write) throw cannotChange(to);
  if (transfer.kind === 'move' && !from.connector.remove) throw cannotChange(from);
  const { newName } = place;
  return { from, to, isSameLink: storedAt(from, '/').linkId === storedAt(to, '/').linkId, ...(newName !== undefined && { newName }) };
}

/** Whether the path is the folder itself or below it. */
export const isWithin = (path: string, folder: string): boolean => folder === '/' || path === folder || path.startsWith(`${folder}/`);

/** Rejects with INTO_ITSELF when a folder would be put into itself. */
export function refuseIntoItself({ from, to, isSameLink }: Ends): void {
  if (!isSameLink) return;
  if (isWithin(storedAt(to, to.path).path, storedAt(from, from.path).path))
    throw appError('INTO_ITSELF', { name: from.path === '/' ? from.name : nameOf(from.path) });
}

/** Whether both paths are the same place. */
export const isSamePlace = ({ from, to, isSameLink }: Ends, fromPath: string, toPath: string): boolean =>
  isSameLink && storedAt(from, fromPath).path === storedAt(to, toPath).path;

/** The name that a source gets in the target folder: the wanted one, or its own; a link's root has the link's. */
export const nameOfSource = ({ from, newName }: Ends): string => newName ?? (from.path === '/' ? from.name : nameOf(from.path));

/** Link name and path, as shown. */
export const shownPath = (item: OpenItem): string => (item.path === '/' ? item.name : joinPath(item.name, item.path.slice(1)));
