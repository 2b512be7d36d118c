import { type Body, type Connector, type Entry, type ReadOptions, nameOf, parentOf, versionsOf } from '@sheaf/connectors';
import {
  type InputOf,
  type ReplyOf,
  type VersionAbility,
  appError,
  splitExtension,
  type versionDownload,
  type versionList,
  type versionRestore,
} from '@sheaf/contract';
import { type Links, type OpenItem, cannotChange, openItem } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import type { Journal } from './journal.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
  readonly journal: Pick<Journal, 'replacing'>;
}

/** A version before it is read: a file that can be sent. */
interface VersionFile {
  readonly name: string;
  /** The provider's title, for errors. */
  readonly provider: string;
  stat(signal: AbortSignal): Promise<Entry>;
  read(signal: AbortSignal, ask?: Pick<ReadOptions, 'range'>): Promise<Body>;
}

/** What a connector can do with the versions that it lists. */
function abilitiesOf({ write, listVersions, readVersion }: Connector): VersionAbility[] {
  return listVersions ? ['list', ...(readVersion ? ['read' as const] : []), ...(write ? ['restore' as const] : [])] : [];
}

/** Earlier contents of files that their sources keep. */
export function createFileVersions({ links, listings, journal }: Deps) {
  /** The version, as the source tells it: an id that a client made up never reaches it. Rejects with BIN_ITEM_GONE. */
  async function versionIn({ connector, path }: OpenItem, versionId: string, signal: AbortSignal) {
    const found = (await versionsOf(connector)?.listVersions?.(path, { signal }))?.find(({ id }) => id === versionId);
    if (!found) throw appError('BIN_ITEM_GONE', { name: nameOf(path) });
    return found;
  }

  return {
    async list(userId: string, input: InputOf<typeof versionList>, signal: AbortSignal): Promise<ReplyOf<typeof versionList>> {
      const { connector, path } = await openItem(links, userId, input.linkUri, input.memberOid);
      const found = await versionsOf(connector)?.listVersions?.(path, { signal });
      const versions = (found ?? []).map(({ id, size, modified }) => ({
        versionId: id,
        ...(size !== undefined && { size }),
        ...(modified !== undefined && { modified: Math.trunc(modified) }),
      }));
      return { can: found ? abilitiesOf(connector) : [], versions };
    },

    /** One version as a file that can be sent. Rejects with BIN_ITEM_GONE unless the source tells the version. */
    async open(userId: string, input: Omit<InputOf<typeof versionDownload>, 'inline'>, signal: AbortSignal): Promise<VersionFile> {
      const item = await openItem(links, userId, input.linkUri, input.memberOid);
      const { connector, path, provider } = item;
      const { readVersion } = connector;
      if (!readVersion) throw appError('SOURCE_CANNOT', { provider });
      const { id, size, modified } = await versionIn(item, input.versionId, signal);
      // The content of a version never changes.
      const etag = `version ${id}`;
      const facts = { etag, ...(size !== undefined && { size }), ...(modified !== undefined && { modified: Math.trunc(modified) }) };
      const name = datedName(nameOf(path), modified);
      return {
        name,
        provider,
        stat: () => Promise.resolve({ name, kind: 'file', ...facts }),
        async read(until, { range } = {}) {
          const body = await readVersion(path, id, { signal: until, ...(range && { range }) });
          return {
            ...(body.size !== undefined && { size: body.size }),
            entry: { ...body.entry, ...facts },
            drain: (take) => body.drain(take),
            cancel: () => body.cancel(),
          };
        },
      };
    },

    /** Rejects with BIN_ITEM_GONE as `open` does. The content that is replaced is noted like that of any other write. */
    async restore(
      userId: string,
      { linkUri, memberOid, versionId, undoId }: Omit<InputOf<typeof versionRestore>, 'rTag'>,
      signal: AbortSignal,
    ): Promise<ReplyOf<typeof versionRestore>> {
      const item = await openItem(links, userId, linkUri, memberOid);
      const { connector, path, userLinkId } = item;
      const versions = versionsOf(connector);
      if (!connector.write || !versions?.listVersions) throw cannotChange(item);
      await versionIn(item, versionId, signal);
      const made = await journal.replacing(item, { undoId, path, signal }, async () => {
        const entry = await versions.restoreVersion(path, versionId, { signal });
        return { entry, result: entry };
      });
      await listings.note(userLinkId, parentOf(path), { put: made.result });
      return made.undoId === undefined ? {} : { undoId: made.undoId };
    },
  };
}

/** The name with the date and time (UTC) of the version: "plan (2026-11-26 10.15).txt". */
function datedName(name: string, modified: number | undefined): string {
  if (modified === undefined) return name;
  const { stem, extension } = splitExtension(name);
  const date = new Date(modified * 1000).toISOString().slice(0, 16).replace('T', ' ').replace(':', '.');
  return `${stem} (${date})${extension}`;
}
