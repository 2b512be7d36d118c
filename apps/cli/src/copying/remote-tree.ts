import type { Item } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { listFolder } from '#/places.ts';

/** What lies in a folder at the server, by its path below it. */
export interface RemoteTree {
  /** The item at a path, if its folder has been listed; else one whose path is the same but for its Unicode form, in which some sources keep names. */
  at(path: string): Item | undefined;
  /** Notes what was made there. */
  note(path: string, item: Item): void;
  /** Lists a folder that is not known yet, if it is there. */
  look(folder: string): Promise<void>;
  /** The item at a path, or undefined when there is none; the folders on the way are listed, each once. */
  find(path: string): Promise<Item | undefined>;
}

/** The items of the folders that are asked for: a destination may hold far more than what is copied into it. */
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
