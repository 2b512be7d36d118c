import type { Item } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { listFolder } from '#/places.ts';

/** What lies in a folder at the server, by its path below it. */
export interface RemoteTree {
  readonly items: Map<string, Item>;
  /** Lists a folder that is not known yet, if it is there. */
  look(folder: string): Promise<void>;
}

/** The items of the folders that are asked for: a destination may hold far more than what is copied into it. */
export function createRemoteTree(client: Client, rootUri: string, signal: AbortSignal): RemoteTree {
  const items = new Map<string, Item>();
  return {
    items,
    async look(folder) {
      const linkUri = folder === '' ? rootUri : uriOfFolder(items.get(folder));
      if (linkUri === undefined) return;
      const prefix = folder === '' ? '' : `${folder}/`;
      for await (const item of listFolder(client, linkUri, signal)) items.set(prefix + item.name, item);
    },
  };
}

const uriOfFolder = (item: Item | undefined): string | undefined => (item?.fileType === 'FOLDER' ? item.linkUri : undefined);
