import { createKeyedMutex, joinPath } from '@sheaf/connectors';
import {
  type DuplicateGroup,
  type Duplicates,
  type FolderUsage,
  type FoundItem,
  type InputOf,
  type UsedBy,
  appError,
  childUri,
  type Compared,
  type compareFiles,
  type duplicates,
  linkUriOf,
  parseLinkUri,
} from '@sheaf/contract';
import { itemOf } from '#/files/items/items.ts';
import { type Links, type OpenItem, storedAt } from '#/files/items/open-item.ts';
import type { ReadableFolder } from '#/files/listings/rows/readable.ts';
import { compareContents } from './compare.ts';
import type { Part, UsageStore, UsedFile } from './store.ts';

/** A link that a user may read, and the stored listings that tell of it. */
interface Reachable {
  readonly userLinkId: string;
  readonly name: string;
  readonly memberOid?: string;
  readonly folders: readonly ReadableFolder[];
}

interface Knowledge {
  readonly known: number;
  readonly total: number;
  readonly oldest: number | undefined;
}

interface Deps {
  readonly store: UsageStore;
  readonly links: Links;
  /** Links that the user may read now. */
  readonly reachable: (userId: string) => Promise<readonly Reachable[]>;
  readonly knowledge: (folder: ReadableFolder) => Promise<Knowledge>;
}

/** Rows of sums that are read: enough for every rectangle that can be seen. */
const mostParts = 4000;
const mostItems = 80;
const mostPartsOfItem = 16;
const mostLargest = 50;
/** Sizes of a link that are looked at for duplicates. */
const mostSizes = 20_000;
const mostOfSize = 50;

export type UsageService = ReturnType<typeof createUsageService>;

/** What uses the room of links, and which files may be there twice: from stored listings, so nothing is read at the sources. */
export function createUsageService({ store, links, reachable, knowledge }: Deps) {
  /** Comparisons of a user wait for each other: each may read much. */
  const oneByOne = createKeyedMutex();

  /** A Space is known from the member's own listings and from those of its storage; the fuller ones count. */
  async function fullest(folders: readonly ReadableFolder[]): Promise<ReadableFolder & Knowledge> {
    const known = await Promise.all(folders.map(async (folder) => ({ ...folder, ...(await knowledge(folder)) })));
    return known.reduce((best, folder) => (folder.known > best.known ? folder : best));
  }

  return {
    /** Bytes of the files below a folder, as far as known. */
    bytesBelow(folder: OpenItem): Promise<number | undefined> {
      return store.bytesBelow(storedAt(folder, folder.path));
    },

    /** What each link of the user uses. */
    async links(userId: string): Promise<FolderUsage> {
      const items: UsedBy[] = [];
      const knowns: Knowledge[] = [];
      let unsized = 0;
      for (const { userLinkId, name, folders } of withoutSecondWays(await reachable(userId))) {
        const folder = await fullest(folders);
        const linkUri = linkUriOf(userLinkId, '/');
        const parts = await store.parts(folder, mostParts);
        const { allBytes: bytes = 0, allFiles: files = 0, allUnsized = 0 } = parts[0] ?? {};
        const within = itemsOf(linkUri, parts, []).slice(0, mostPartsOfItem);
        items.push({
          name,
          linkUri,
          isFolder: true,
          bytes,
          files,
          parts: within.map(({ name: part, linkUri: at, bytes: used, files: count }) => ({
            name: part,
            linkUri: at,
            bytes: used,
            files: count,
          })),
        });
        knowns.push(folder);
        unsized += allUnsized;
      }
      const oldest = Math.min(...knowns.map((known) => known.oldest ?? Infinity));
      return {
        folder: '/',
        ...sumOf(items),
        unsized,
        items: items.sort((a, b) => b.bytes - a.bytes),
        others: { bytes: 0, files: 0 },
        largest: [],
        foldersKnown: knowns.reduce((sum, { known }) => sum + known, 0),
        foldersTotal: knowns.reduce((sum, { total }) => sum + total, 0),
        ...(Number.isFinite(oldest) && { oldestLook: oldest }),
      };
    },

    /** What uses the room below a folder. Rejects with INVALID_LINK_URI unless the user may read the link. */
    async folder(userId: string, linkUri: string): Promise<FolderUsage> {
      const address = parseLinkUri(linkUri);
      const link = address && (await reachable(userId)).find(({ userLinkId }) => userLinkId === address.userLinkId);
      if (!address || !link) throw appError('INVALID_LINK_URI', {});
      const { known, total, oldest, ...folder } = await fullest(link.folders.map(at(address.path)));
      const [parts, direct, largest] = [
        await store.parts(folder, mostParts),
        await store.largest(folder, mostItems, true),
        await store.largest(folder, mostLargest),
      ];
      const { allBytes: bytes = 0, allFiles: files = 0, allUnsized: unsized = 0 } = parts[0] ?? {};
      const items = itemsOf(linkUri, parts, direct);
      const { bytes: shownBytes, files: shownFiles } = sumOf(items);
      return {
        link: shown(link),
        folder: address.path,
        bytes,
        files,
        unsized,
        items,
        others: { bytes: bytes - shownBytes, files: files - shownFiles },
        largest: largest.map(foundIn(address.userLinkId, address.path)),
        foldersKnown: known,
        foldersTotal: total,
        ...(oldest !== undefined && { oldestLook: oldest }),
      };
    },

    /** Files of one size in all links of the user. A file that two links show is listed by one of them. */
    async duplicates(userId: string, { userLinkId: only, minBytes, offset, limit }: InputOf<typeof duplicates>): Promise<Duplicates> {
      const searched = withoutSecondWays(await reachable(userId)).filter(({ userLinkId }) => only === undefined || userLinkId === only);
      const sources: Source[] = [];
      const counts = new Map<number, number>();
      for (const link of searched) {
        const folder = await fullest(link.folders);
        const sizes = await store.sizes(folder, minBytes, mostSizes);
        sources.push({ link, folder, isCut: sizes.length === mostSizes });
        for (const { size, files } of sizes) counts.set(size, (counts.get(size) ?? 0) + files);
      }
      const sizes = [...counts]
        .filter(([, files]) => files > 1)
        .map(([size, files]) => ({ size, files }))
        .sort((a, b) => b.size * (b.files - 1) - a.size * (a.files - 1) || b.size - a.size);
      const page = sizes.slice(offset, offset + limit);
      return {
        groups: await groupsOf(sources, page),
        hasMore: offset + limit < sizes.length,
        links: searched.map(shown),
        cut: sources.filter(({ isCut }) => isCut).map(({ link }) => link.name),
      };
    },

    /** Which of these files have the same content; see {@link compareContents}. */
    compare: (userId: string, { linkUri, read }: InputOf<typeof compareFiles>, signal: AbortSignal): Promise<Compared> =>
      oneByOne(userId, () => compareContents(links, userId, linkUri, read, signal)),
  };

  async function groupsOf(sources: readonly Source[], sizes: readonly { size: number; files: number }[]): Promise<DuplicateGroup[]> {
    const found = new Map<number, FoundItem[]>(sizes.map(({ size }) => [size, []]));
    for (const { link, folder } of sources) {
      const files = await store.ofSizes(folder, [...found.keys()], mostOfSize * sizes.length);
      for (const file of files) found.get(file.entry.size ?? -1)?.push(foundIn(link.userLinkId, '/')(file));
    }
    return sizes.map(({ size, files }) => {
      const items = (found.get(size) ?? []).toSorted((a, b) => (a.modified ?? Infinity) - (b.modified ?? Infinity));
      return { bytes: size, items: items.slice(0, mostOfSize), hasMore: files > Math.min(items.length, mostOfSize) };
    });
  }
}

interface Source {
  readonly link: Reachable;
  readonly folder: ReadableFolder;
  readonly isCut: boolean;
}

const shown = ({ userLinkId, name, memberOid }: Reachable) => ({ userLinkId, name, ...(memberOid !== undefined && { memberOid }) });

const at =
  (path: string) =>
  ({ linkId, path: root }: ReadableFolder): ReadableFolder => ({ linkId, path: path === '/' ? root : joinPath(root, path.slice(1)) });

/** The links without Spaces whose storage is among the links: their files are the same ones. */
function withoutSecondWays(links: readonly Reachable[]): readonly Reachable[] {
  const own = new Set(links.filter(({ folders }) => folders.length === 1).map(({ userLinkId }) => userLinkId));
  return links.filter(({ folders }) => folders.length === 1 || !folders.some(({ linkId }) => own.has(linkId)));
}

/** The items of a folder that use most: its folders, and the largest of its own files. */
function itemsOf(linkUri: string, parts: readonly Part[], direct: readonly UsedFile[]): UsedBy[] {
  const folders = Map.groupBy(
    parts.filter(({ child }) => child !== ''),
    ({ child }) => child,
  );
  const items = [...folders].map(([name, within]): UsedBy => {
    const uri = childUri(linkUri, name);
    return {
      name,
      linkUri: uri,
      isFolder: true,
      bytes: within[0]?.childBytes ?? 0,
      files: within[0]?.childFiles ?? 0,
      parts: within
        .filter(({ part }) => part !== '')
        .slice(0, mostPartsOfItem)
        .map(({ part, bytes, files }) => ({ name: part, linkUri: childUri(uri, part), bytes, files })),
    };
  });
  const files = direct.map(({ entry: { name, size = 0 } }): UsedBy => {
    return { name, linkUri: childUri(linkUri, name), isFolder: false, bytes: size, files: 1, parts: [] };
  });
  return [...items, ...files].sort((a, b) => b.bytes - a.bytes).slice(0, mostItems);
}

function sumOf(items: readonly UsedBy[]): { readonly bytes: number; readonly files: number } {
  return items.reduce((sum, { bytes, files }) => ({ bytes: sum.bytes + bytes, files: sum.files + files }), { bytes: 0, files: 0 });
}

/** A file as an item of a link, whose folder is given below a folder of the link. */
const foundIn =
  (userLinkId: string, root: string) =>
  ({ entry, folder }: UsedFile): FoundItem => {
    const path = root === '/' ? folder : folder === '/' ? root : joinPath(root, folder.slice(1));
    return { ...itemOf(linkUriOf(userLinkId, path), entry), userLinkId, folder: path };
  };
