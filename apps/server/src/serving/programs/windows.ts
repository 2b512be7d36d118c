import { type AppPasswordRights, appError, linkUriOf, parseLinkUri } from '@sheaf/contract';
import type { Access } from '#/access/access.ts';
import type { Content } from '#/files/content/service.ts';
import { type Links, type OpenItem, openItem } from '#/files/items/open-item.ts';
import { bucketsOf } from './buckets.ts';
import { type Reach, limitedTo, namesAbove, reachOf } from './limited.ts';

/** A link or Space that a program sees. */
export interface Place {
  /** Unique among the account's; one path segment. */
  readonly name: string;
  readonly userLinkId: string;
}

/** A program that has signed in: with an app password, or as an agent. */
interface Guest {
  readonly accountId: string;
  /** The folders it is limited to; none: everything. */
  readonly folders: readonly string[];
  readonly rights: AppPasswordRights;
  /** Aborts when its right ends. */
  readonly ended: AbortSignal;
}

/** What a program sees and may do, with its rights and in its folders. */
export interface Window {
  readonly program: Guest;
  readonly content: Content;
  /** Whether it is limited to folders: what is stored about an item may then be told only after a call to its link. */
  readonly isLimited: boolean;
  places(): Promise<readonly Place[]>;
  /** Opens an item by its link and its path there. Rejects with INVALID_LINK_URI, and with ITEM_NOT_FOUND outside of the program's folders. */
  open(userLinkId: string, path: string): Promise<OpenItem>;
  reach(userLinkId: string, path: string): Reach;
  /** Names of the folders that lead to those that the program may use. */
  namesAbove(userLinkId: string, path: string): readonly string[];
}

interface Deps {
  readonly access: Access;
  /** Reading and changing files through these links. */
  readonly contentFor: (links: Links) => Content;
}

export type Windows = ReturnType<typeof createWindows>;

/** Opens the account's links for programs that have signed in. Rights are checked at every request. */
export function createWindows({ access, contentFor }: Deps) {
  return {
    /** The place of one of the account's links, and the name of its bucket. Rejects with INVALID_LINK_URI. */
    async placeOf(accountId: string, userLinkId: string): Promise<Place & { readonly bucket: string }> {
      const places = placesOf(await access.reachable(accountId));
      const place = places.find((one) => one.userLinkId === userLinkId);
      const bucket = bucketsOf(places).find((one) => one.userLinkId === userLinkId);
      if (!place || !bucket) throw appError('INVALID_LINK_URI', {});
      return { ...place, bucket: bucket.name };
    },

    open(program: Guest): Window {
      const { accountId, rights } = program;
      const folders = new Map<string, string[]>();
      for (const linkUri of program.folders) {
        const address = parseLinkUri(linkUri);
        if (address) folders.set(address.userLinkId, [...(folders.get(address.userLinkId) ?? []), address.path]);
      }
      const isLimited = program.folders.length > 0;
      const foldersOf = (userLinkId: string): readonly string[] => (isLimited ? (folders.get(userLinkId) ?? []) : ['/']);
      const links: Links = {
        ...access,
        async open(_userId, userLinkId) {
          const within = foldersOf(userLinkId);
          if (within.length === 0) throw appError('INVALID_LINK_URI', {});
          const link = await access.open(accountId, userLinkId);
          const canWrite = rights === 'write';
          if (!isLimited && canWrite) return link;
          return { ...link, ...(!canWrite && { isReadOnly: true as const }), connector: limitedTo(link.connector, within, canWrite) };
        },
      };
      return {
        program,
        content: contentFor(links),
        isLimited,
        async places() {
          const reachable = await access.reachable(accountId);
          return placesOf(reachable.filter(({ userLinkId }) => foldersOf(userLinkId).length > 0));
        },
        async open(userLinkId, path) {
          const item = await openItem(links, accountId, linkUriOf(userLinkId, path));
          if (reachOf(path, foldersOf(userLinkId)) !== 'inside')
            throw appError('ITEM_NOT_FOUND', { name: path.slice(path.lastIndexOf('/') + 1) });
          return item;
        },
        reach: (userLinkId, path) => reachOf(path, foldersOf(userLinkId)),
        namesAbove: (userLinkId, path) => namesAbove(path, foldersOf(userLinkId)),
      };
    },
  };
}

/** Names the links: the own ones as they are, those of organisations and Spaces with a mark of their id where the name is taken. */
export function placesOf(links: readonly { readonly userLinkId: string; readonly name: string; readonly memberOid?: string }[]): Place[] {
  const taken = new Set<string>();
  const ordered = [...links].sort((a, b) => Number(a.memberOid !== undefined) - Number(b.memberOid !== undefined));
  return ordered.map(({ userLinkId, name }) => {
    const plain = segmentOf(name);
    const own = taken.has(plain) ? `${plain} (${userLinkId.slice(0, 6)})` : plain;
    taken.add(own);
    return { name: own, userLinkId };
  });
}

/** A link's name as one path segment. */
const segmentOf = (name: string): string => {
  const plain = name.toWellFormed().replace(/[/\\\p{Cc}]/gu, '_');
  return plain === '.' || plain === '..' ? `_${plain}` : plain;
};
