import type { Item } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { listFolder } from '#/remote-paths.ts';

/** Items of a folder at the server, keyed by relative path. */
export interface RemoteTree {
  /** The item at a path, if its folder is listed; else one whose path differs only in Unicode normalisation, which some sources change. */
  at(path: string): Item | undefined;
  /** Records a created item. */
  note(path: string, item: Item): void;
  /** Lists a folder that is not listed yet, if it exists. */
  look(folder: string): Promise<void>;
  /** The item at a path, or undefined; lists its parent folders, each once. */
  find(path: string): Promise<Item | undefined>;
}

/** Lists only requested folders: a destination may contain far more than is copied. */
export function createRemoteTree(client: Client, rootUri: string, signal: AbortSignal): RemoteTree {
  const items = new Map<string, Item>();
  const itemsByForm = new Map<string, Item>();
  const listed = new Set<string>();

  const at = (path: string): Item | undefined => items.get(path) ?? itemsByForm.get(path.normalize());
  function note(path: string, item: Item): void {
    items.set(path, item);
    itemsByForm.set(path.normalize(), item);
  }

  async function look(folder: string): Promise<void> {
    const linkUri = folder === '' ? rootUri : uriOfFolder(at(folder));
    if (linkUri === undefined) return;
    const prefix = folder === '' ? '' : `${folder}/`;
    for await (const item of listFolder(client, linkUri, signal)) note(prefix + item.name, item);
    listed.add(folder);
  }

  return {
    at,
    note,
    look,
    async find(path) {
      const names = path.split('/');
      for (const [depth] of names.entries()) {
        const folder = names.slice(0, depth).join('/');
        if (!listed.has(folder)) await look(folder);
      }
      return at(path);
    },
  };
}

const uriOfFolder = (item: Item | undefined): string | undefined => (item?.fileType === 'FOLDER' ? item.linkUri : undefined);
