import { nameOf, parentOf, versionsOf } from '@sheaf/connectors';
import { type InputOf, type ReplyOf, appError, type versionList, type versionRestore } from '@sheaf/contract';
import { type Links, cannotChange, openItem } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import type { Journal } from './journal.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
  readonly journal: Pick<Journal, 'replacing'>;
}

/** Earlier contents of files that their sources keep. */
export function createFileVersions({ links, listings, journal }: Deps) {
  return {
    async list(userId: string, input: InputOf<typeof versionList>, signal: AbortSignal): Promise<ReplyOf<typeof versionList>> {
      const { connector, path } = await openItem(links, userId, input.linkUri, input.memberOid);
      const found = await versionsOf(connector)?.listVersions?.(path, { signal });
      const versions = (found ?? []).map(({ id, size, modified }) => ({
        versionId: id,
        ...(size !== undefined && { size }),
        ...(modified !== undefined && { modified: Math.trunc(modified) }),
      }));
      return { kept: found !== undefined, canRestore: connector.write !== undefined, versions };
    },

    /**
     * Rejects with BIN_ITEM_GONE unless the source tells the version: an id that a client made up never reaches it. The content that is replaced is noted like
     * that of any other write.
     */
    async restore(
      userId: string,
      { linkUri, memberOid, versionId, undoId }: Omit<InputOf<typeof versionRestore>, 'rTag'>,
      signal: AbortSignal,
    ): Promise<ReplyOf<typeof versionRestore>> {
      const item = await openItem(links, userId, linkUri, memberOid);
      const { connector, path, userLinkId } = item;
      const versions = versionsOf(connector);
      if (!connector.write || !versions?.listVersions) throw cannotChange(item);
      const told = await versions.listVersions(path, { signal });
      if (!told.some(({ id }) => id === versionId)) throw appError('BIN_ITEM_GONE', { name: nameOf(path) });
      const made = await journal.replacing(item, { undoId, path, signal }, async () => {
        const entry = await versions.restoreVersion(path, versionId, { signal });
        return { entry, result: entry };
      });
      await listings.note(userLinkId, parentOf(path), { put: made.result });
      return made.undoId === undefined ? {} : { undoId: made.undoId };
    },
  };
}
