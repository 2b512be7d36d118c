import { type Static, Type } from 'typebox';
import type { Bin } from '../../core/bin.ts';
import type { CallOptions, Entry } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { type Versions, mostVersions } from '../../core/replacing.ts';
import { inParallel } from '../../kit/concurrency/parallel.ts';
import { retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import { nameOf } from '../../kit/names/path.ts';
import { parseJson } from '../../kit/rest/json.ts';
import { pagesInSequence } from '../../kit/rest/paging.ts';
import { Metadata, Nothing, Page, Relocated, pathArg, placeOf, toEntry } from './api.ts';
import type { DropboxClient } from './client.ts';
import { readFile } from './download.ts';

/** https://www.dropbox.com/developers/documentation/http/documentation#files-list_revisions */
const Revisions = Type.Object({
  is_deleted: Type.Boolean(),
  server_deleted: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  entries: Type.Array(Metadata),
});

/** Identifies a deleted item: Dropbox has no ids for them, so that its path and known facts have to do. */
const Gone = Type.Object({
  path: Type.String({ pattern: '^/' }),
  /** The revision of a file. */
  rev: Type.Optional(Type.String({ pattern: '^[0-9a-f]{9,}$' })),
  /** The service's time in epoch seconds, right before a folder was deleted. */
  since: Type.Optional(Type.Integer()),
});
type Gone = Static<typeof Gone>;

/** Maximum number of revisions per call. */
const mostRevisions = 100;
const pageSize = 2000;
/** Maximum concurrent files of a folder. */
const width = 4;
const lowered = (metadata: Metadata): string => (placeOf(metadata) ?? '').toLowerCase();

/**
 * Deleted items, which Dropbox keeps for at least 30 days. A file is restored by its revision. A folder has none: it is created again, and
 * the items deleted with it are restored file by file. Dropbox does not list deleted items to other programs, and only some accounts may
 * delete them permanently.
 */
export function createDeleted(client: DropboxClient): Bin {
  const revisionsOf = (path: string, { signal }: CallOptions) =>
    client.call(Revisions, 'files/list_revisions', { path, limit: mostRevisions }, signal);

  /** Returns the items that were deleted below the folder and do not exist there again. */
  async function deletedBelow(folder: string, { signal }: CallOptions): Promise<string[]> {
    const found: string[] = [];
    const pages = pagesInSequence('', { signal }, async (cursor) => {
      const arg = { path: pathArg(folder), recursive: true, include_deleted: true, limit: pageSize };
      const page =
        cursor === ''
          ? await client.call(Page, 'files/list_folder', arg, signal)
          : await client.call(Page, 'files/list_folder/continue', { cursor }, signal);
      return { page: page.entries, ...(page.has_more && { next: page.cursor }) };
    });
    for await (const entries of pages)
      found.push(
        ...entries
          .filter((entry) => entry['.tag'] === 'deleted' && lowered(entry) !== folder.toLowerCase())
          .flatMap((entry) => placeOf(entry) ?? []),
      );
    return found;
  }

  /** Returns the revision of a file that was deleted at that time or later; undefined for any other file. */
  async function goneSince(path: string, since: number, ask: CallOptions): Promise<{ rev?: string | undefined; isFolder?: true }> {
    try {
      const { is_deleted, server_deleted, entries } = await retryWhileBusy(ask.signal, () => revisionsOf(path, ask));
      const at = Date.parse(server_deleted ?? '') / 1000;
      return { rev: is_deleted && at >= since ? (entries[0]?.rev ?? undefined) : undefined };
    } catch (error) {
      if (isKind(error, 'isAFolder')) return { isFolder: true };
      if (isKind(error, 'notFound')) return {};
      throw error;
    }
  }

  async function makeFolder(path: string, { signal }: CallOptions): Promise<Entry> {
    const make = () => client.call(Relocated, 'files/create_folder_v2', { path, autorename: false }, signal);
    return toEntry((await retryWhileBusy(signal, make)).metadata, 'folder');
  }

  /**
   * Restores files first: this creates their folders, so that only empty folders remain. If the folder exists already, made by an
   * interrupted call or by another user, adds only items whose paths are free.
   */
  async function restoreFolder({ path, since = 0 }: Gone, ask: CallOptions): Promise<Entry> {
    let taken: unknown;
    const entry = await makeFolder(path, ask).catch((error: unknown): Entry => {
      if (!isKind(error, 'alreadyExists')) throw error;
      taken = error;
      return { name: nameOf(path), kind: 'folder' };
    });
    const folders: string[] = [];
    let restored = 0;
    await inParallel(await deletedBelow(path, ask), width, async (item) => {
      const { rev, isFolder } = await goneSince(item, since, ask);
      if (isFolder) return void folders.push(item);
      if (rev === undefined) return;
      await retryWhileBusy(ask.signal, () => client.call(Metadata, 'files/restore', { path: item, rev }, ask.signal));
      restored++;
    });
    if (taken !== undefined && restored === 0) throw taken;
    for (const folder of folders.toSorted())
      await makeFolder(folder, ask).catch((error: unknown) => {
        if (!isKind(error, 'alreadyExists')) throw error;
      });
    return entry;
  }

  /** Returns the file as it was deleted; rejects with `notFound` when its path has the same bytes again. */
  async function deletedFile(path: string, rev: string, ask: CallOptions): Promise<Entry> {
    const { is_deleted, entries } = await revisionsOf(path, ask);
    const found = entries.find((one) => one.rev === rev);
    const [newest] = entries;
    const isBack = !is_deleted && (newest?.rev === rev || newest?.content_hash === found?.content_hash);
    if (!found || isBack) throw notDeleted();
    return toEntry(found, 'file');
  }

  async function binned(binId: string, ask: CallOptions): Promise<Entry> {
    const { path, rev } = goneOf(binId);
    if (rev !== undefined) return deletedFile(path, rev, ask);
    const found = await client.call(Metadata, 'files/get_metadata', { path, include_deleted: true }, ask.signal);
    if (found['.tag'] !== 'deleted') throw notDeleted();
    return { name: nameOf(path), kind: 'folder' };
  }

  return {
    bin: 'source',
    async discard(path, { before, signal }) {
      if (path === '/') throw new ConnectorError('forbidden', 'the root stays as it is');
      const item = await client.call(Metadata, 'files/get_metadata', { path }, signal);
      const since = item.rev ? undefined : await client.timeAfter('files/get_metadata', { path }, signal);
      const binId = JSON.stringify({ path, ...(item.rev && { rev: item.rev }), ...(since !== undefined && { since }) } satisfies Gone);
      await before(binId);
      await client.call(Nothing, 'files/delete_v2', { path, ...(item.rev && { parent_rev: item.rev }) }, signal);
      return binId;
    },

    binned,

    async restore(binId, path, ask) {
      const gone = goneOf(binId);
      const { rev } = gone;
      if (path !== undefined && path.toLowerCase() !== gone.path.toLowerCase())
        throw new ConnectorError('notFound', 'Dropbox brings an item back to where it was');
      if (rev === undefined) return restoreFolder(gone, ask);
      const { is_deleted } = await revisionsOf(gone.path, ask);
      if (!is_deleted) throw new ConnectorError('alreadyExists', 'the name is taken');
      await deletedFile(gone.path, rev, ask);
      return toEntry(await client.call(Metadata, 'files/restore', { path: gone.path, rev }, ask.signal), 'file');
    },
  };
}

const notDeleted = () => new ConnectorError('notFound', 'the item is not deleted');

function goneOf(binId: string): Gone {
  try {
    return parseJson(Gone, binId);
  } catch (error) {
    if (isKind(error, 'unexpected')) throw new ConnectorError('notFound', 'the id is none of a deleted item', { cause: error });
    throw error;
  }
}

/** Earlier contents of files, by revision: https://www.dropbox.com/developers/documentation/http/documentation#files-restore */
export function createVersions(client: DropboxClient): Required<Versions> {
  return {
    async versionOf(path, { signal }) {
      const metadata = await client.call(Metadata, 'files/get_metadata', { path }, signal);
      return metadata.rev ?? undefined;
    },
    async restoreVersion(path, rev, { signal }) {
      const { entries } = await client.call(Revisions, 'files/list_revisions', { path, limit: mostRevisions }, signal);
      if (!entries.some((one) => one.rev === rev)) throw new ConnectorError('notFound', 'Dropbox no longer has this version');
      return toEntry(await client.call(Metadata, 'files/restore', { path, rev }, signal), 'file');
    },
    async listVersions(path, { signal }) {
      const { is_deleted, entries } = await client.call(Revisions, 'files/list_revisions', { path, limit: mostRevisions }, signal);
      if (is_deleted) throw new ConnectorError('notFound', 'the file was deleted');
      return entries.slice(1, mostVersions + 1).flatMap((one) => {
        const { size, modified } = toEntry(one, 'file');
        return one.rev ? [{ id: one.rev, ...(size !== undefined && { size }), ...(modified !== undefined && { modified }) }] : [];
      });
    },
    async readVersion(_path, rev, { range, signal }) {
      if (!/^[0-9a-f]{9,}$/.test(rev)) throw new ConnectorError('notFound', 'the id is none of a revision');
      return readFile(client, `rev:${rev}`, range, signal);
    },
  };
}
