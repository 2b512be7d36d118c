import { type Item, addFolder, getMetadata, getMore, limits, parentUri, parseLinkUri, remoteUpdate, resolvePath } from '@sheaf/contract';
import type { Client } from './client.ts';
import { Failure, Refusal } from './failure.ts';

/** Splits a path such as `My NAS/Photos/2026` into its names; the first is the name of the link. */
export const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '');

/** Splits a path into the path of its parent and its last name; throws Failure for a path without a parent. */
export function splitPath(path: string): { folder: string; name: string } {
  const names = namesOf(path);
  const name = names.pop();
  if (name === undefined || names.length === 0) throw new Failure(`${path} is not the path of an item in a link.`, 'usage');
  return { folder: names.join('/'), name };
}

/** Whether the server said that the item does not exist. */
export const isMissing = (error: unknown): boolean => error instanceof Refusal && error.messageCode === 'ITEM_NOT_FOUND';

/** The item at a path of names; rejects with Refusal when it does not exist. */
export async function find(client: Client, path: string, signal: AbortSignal): Promise<Item> {
  return (await client.ask(resolvePath, { path: namesOf(path).join('/') }, signal)).item;
}

/** The item at a path of names, or undefined when the link has none. */
export async function findIfThere(client: Client, path: string, signal: AbortSignal): Promise<Item | undefined> {
  try {
    return await find(client, path, signal);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Yields the current contents of a folder, read from the source. */
export async function* listFolder(client: Client, linkUri: string, signal: AbortSignal): AsyncGenerator<Item> {
  const view = { linkUri, sort: 'name', order: 'asc', limit: limits.maxPageSize, brief: true } as const;
  let page: { readonly items: readonly Item[]; readonly hasMore: boolean } = await client.ask(
    remoteUpdate,
    { ...view, fresh: true, refresh: true },
    signal,
  );
  let offset = 0;
  while (true) {
    yield* page.items;
    offset += page.items.length;
    if (!page.hasMore || page.items.length === 0) return;
    page = await client.ask(getMore, { ...view, offset }, signal);
  }
}

/** The folder at a path of names; creates missing folders. */
export async function makePath(client: Client, path: string, signal: AbortSignal): Promise<Item> {
  const there = await findIfThere(client, path, signal);
  if (there) return asFolder(there, path);
  const { folder, name } = splitPath(path);
  const parent = await makePath(client, folder, signal);
  return makeFolder(client, parent.linkUri, name, signal);
}

/** The folder at an address; creates missing folders in its link. */
export async function folderAt(client: Client, linkUri: string, signal: AbortSignal): Promise<Item> {
  try {
    const item = await client.ask(getMetadata, { linkUri }, signal);
    return asFolder(item, item.name);
  } catch (error) {
    const above = parentUri(linkUri);
    const name = parseLinkUri(linkUri)?.path.split('/').at(-1);
    if (!isMissing(error) || above === undefined || name === undefined) throw error;
    return makeFolder(client, (await folderAt(client, above, signal)).linkUri, name, signal);
  }
}

/** Creates a folder; rejects with Refusal (NAME_TAKEN) when the name is taken. */
export const makeFolder = (client: Client, parentLinkUri: string, folderName: string, signal: AbortSignal): Promise<Item> =>
  client.ask(addFolder, { parentLinkUri, folderName, conflict: 'fail' }, signal);

/** Returns the item if it is a folder; throws Failure otherwise. */
export function asFolder(item: Item, path: string): Item {
  if (item.fileType !== 'FOLDER') throw new Failure(`${path} is not a folder.`);
  return item;
}

/** The subfolder of that name; created when missing. */
export async function ensureFolder(client: Client, parent: Item, name: string, signal: AbortSignal): Promise<Item> {
  try {
    return await makeFolder(client, parent.linkUri, name, signal);
  } catch (error) {
    if (!(error instanceof Refusal && error.messageCode === 'NAME_TAKEN')) throw error;
    for await (const item of listFolder(client, parent.linkUri, signal)) if (item.name === name) return asFolder(item, name);
    throw error;
  }
}
