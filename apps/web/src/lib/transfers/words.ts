import { type Transfer, type TransferPlace, parentUri, parseLinkUri } from '@sheaf/contract';

/** Last name of a path as shown. */
export const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The folder of an item of a plan, for display; empty at the top. */
export const folderOf = (path: string): string =>
  path
    .split('/')
    .slice(0, -1)
    .filter((name) => name !== '')
    .join(' / ');

/** What a transfer takes along: a name, or a number of items. */
export function itemsOf({ from }: Pick<Transfer, 'from'>): string {
  const [only] = from;
  return from.length === 1 && only ? lastName(only.path) : `${from.length} items`;
}

/** What each kind of transfer does; `past` completes "Nothing has been …". */
export const verbs = {
  copy: { now: 'Copying', done: 'Copied', plan: 'Copy', past: 'copied' },
  move: { now: 'Moving', done: 'Moved', plan: 'Move', past: 'moved' },
  mirror: { now: 'Mirroring', done: 'Mirrored', plan: 'Mirror', past: 'changed' },
} as const;

/** A transfer as a title, by its state: "Copying Photos to Backup". */
export function titleOf(transfer: Pick<Transfer, 'kind' | 'state' | 'from' | 'to'>): string {
  const { kind, state, to } = transfer;
  const form = state === 'done' ? 'done' : state === 'running' || state === 'waiting' ? 'now' : 'plan';
  return `${verbs[kind][form]} ${itemsOf(transfer)} to ${lastName(to.path)}`;
}

/** Address of a link in the app, by its id. */
export type BrowseUrlOf = (userLinkId: string) => string | undefined;

/** Address of a folder in the app; for a file, of its folder. Undefined for a link that is not the user's any more. */
export function hrefOfPlace(
  { linkUri, isFolder }: Pick<TransferPlace, 'linkUri' | 'isFolder'>,
  browseUrlOf: BrowseUrlOf,
): string | undefined {
  const address = parseLinkUri(isFolder ? linkUri : (parentUri(linkUri) ?? linkUri));
  const url = address && browseUrlOf(address.userLinkId);
  if (!address || url === undefined) return undefined;
  const [base = '', query] = url.split('?');
  const path = address.path === '/' ? '' : address.path.split('/').map(encodeURIComponent).join('/');
  return base + path + (query === undefined ? '' : `?${query}`);
}
