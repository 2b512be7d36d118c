import { allInParallel } from '@sheaf/connectors';
import { AppError, type EncryptedFolder, linkUriOf } from '@sheaf/contract';
import type { Links } from '#/files/items/open-item.ts';
import { lookupsAtOnce } from '#/platform/db/database.ts';
import type { EncryptionStore } from './store.ts';

/** A link that a user may read, and the folders of links that it shows. */
export interface ReachableLink {
  readonly userLinkId: string;
  readonly name: string;
  readonly folders: readonly { readonly linkId: string; readonly path: string }[];
}

interface Deps {
  readonly store: Pick<EncryptionStore, 'forMembers'>;
  readonly links: Pick<Links, 'open'>;
  readonly reachable: (userId: string) => Promise<readonly ReachableLink[]>;
}

/** The path of what lies at or below a folder, as seen from there; undefined for anything else. */
function pathWithin(folder: string, path: string): string | undefined {
  if (folder === '/') return path;
  if (path === folder) return '/';
  return path.startsWith(`${folder}/`) ? path.slice(folder.length) : undefined;
}

/** Gives the vaults of others that a user reaches through Spaces, addressed through them. A vault that several Spaces show is given once. */
export const createSpaceVaults =
  ({ store, links, reachable }: Deps) =>
  async (userId: string): Promise<EncryptedFolder[]> => {
    const shown = (await reachable(userId)).flatMap(({ userLinkId, name, folders }) =>
      folders.flatMap((folder) => (folder.linkId === userLinkId ? [] : [{ userLinkId, name, folder }])),
    );
    const rows = await store.forMembers(userId, [...new Set(shown.map(({ folder }) => folder.linkId))]);
    const found: (EncryptedFolder | undefined)[] = rows.map(() => undefined);
    await allInParallel([...rows.entries()], lookupsAtOnce, async ([index, row]) => {
      for (const { userLinkId, name, folder } of shown) {
        const path = folder.linkId === row.linkId ? pathWithin(folder.path, row.path) : undefined;
        if (path === undefined || found[index]) continue;
        try {
          const { isReadOnly = false } = await links.open(userId, userLinkId);
          found[index] = {
            folderOid: row.id,
            name: row.name,
            linkUri: linkUriOf(userLinkId, path),
            destinationPath: path === '/' ? name : name + path,
            createdAt: row.createdAt,
            ...(row.wrapped !== null && { wrapped: row.wrapped }),
            passkeys: [],
            forMembers: true,
            member: { ownerName: row.ownerName, spaceName: name, isReadOnly },
          };
        } catch (error) {
          // A Space that cannot be opened now shows no vault either.
          if (!(error instanceof AppError)) throw error;
        }
      }
    });
    return found.filter((folder) => folder !== undefined);
  };
