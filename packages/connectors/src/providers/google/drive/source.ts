import type { CallOptions } from '../../../core/connector.ts';
import { deadlines } from '../../../core/deadlines.ts';
import { isKind } from '../../../core/error.ts';
import { markHandled } from '../../../kit/concurrency/mark-handled.ts';
import { unlessAborted } from '../../../kit/concurrency/unless-aborted.ts';
import type { ItemSource } from '../../../kit/id-tree/item-tree.ts';
import { partialPrefix } from '../../../kit/names/path.ts';
import { pagesInSequence } from '../../../kit/rest/paging.ts';
import { DriveList, type DriveItem, type Facts, FileList, listFields, quoted } from './api.ts';
import type { DriveClient } from './client.ts';
import { namesBehind } from './exports.ts';

/** Name of the virtual folder with the shared drives, next to the contents of My Drive. */
export const sharedDrives = 'Shared drives';
/** Cache lifetime in ms of whether the account has shared drives. */
const drivesTrusted = 60_000;
const drivePage = 100;

export interface SourceOptions {
  /** Files per listing page, at most 1000. */
  readonly pageSize?: number;
}

const above = (place: Facts['place'], id: string, name: string, driveId?: string): DriveItem => ({
  id,
  name,
  kind: 'folder',
  entry: {},
  facts: {
    place,
    target: id,
    isShortcut: false,
    isBroken: false,
    mimeType: '',
    ...(driveId !== undefined && { driveId }),
    created: '',
    isTrashed: false,
    asOf: Number.POSITIVE_INFINITY,
  },
});

export const rootItem = above('root', 'root', '');
export const drivesItem = above('drives', 'shared-drives', sharedDrives);

/** Parameters for where a query searches: the account's own files, one shared drive, or everywhere. */
export const corpusOf = (driveId: string | undefined): Readonly<Record<string, string | boolean>> => ({
  includeItemsFromAllDrives: true,
  supportsAllDrives: true,
  ...(driveId !== undefined && { corpora: 'drive', driveId }),
});

/**
 * Drive's folders as the source of an id tree. Pages are sequential, because each contains the next page token. Their order is undefined
 * for accounts with many files, so that a folder is returned only when all its pages are there and duplicates are known.
 */
export function createDriveSource(client: DriveClient, { pageSize = 1000 }: SourceOptions = {}) {
  const { api } = client;
  /** One operation may look up a name twice concurrently, as an item and as a taken name: the request is shared. */
  const asking = new WeakMap<AbortSignal, Map<string, Promise<readonly DriveItem[]>>>();
  let known: { readonly has: Promise<boolean>; readonly until: number } | undefined;

  async function* query(q: string, where: Readonly<Record<string, string | boolean>>, ask: CallOptions): AsyncGenerator<DriveItem[]> {
    const pages = pagesInSequence<DriveItem[], string>('', ask, async (pageToken) => {
      const { files = [], nextPageToken } = await api.json(FileList, {
        method: 'GET',
        url: '/drive/v3/files',
        query: { q, pageSize, fields: listFields, ...where, ...(pageToken !== '' && { pageToken }) },
        signal: ask.signal,
      });
      const next = nextPageToken ? { next: nextPageToken } : {};
      return { page: await client.items(files, ask), ...next };
    });
    for await (const page of pages) if (page.length > 0) yield page;
  }

  async function* drives(ask: CallOptions): AsyncGenerator<DriveItem[]> {
    const pages = pagesInSequence<DriveItem[], string>('', ask, async (pageToken) => {
      const { drives: found = [], nextPageToken } = await api.json(DriveList, {
        method: 'GET',
        url: '/drive/v3/drives',
        query: { pageSize: drivePage, fields: 'nextPageToken,drives(id,name)', ...(pageToken !== '' && { pageToken }) },
        signal: ask.signal,
      });
      return { page: found.map(({ id, name }) => above('drive', id, name, id)), ...(nextPageToken && { next: nextPageToken }) };
    });
    for await (const page of pages) if (page.length > 0) yield page;
  }

  async function asksForDrives(ask: CallOptions): Promise<boolean> {
    try {
      for await (const page of drives(ask)) return page.length > 0;
      return false;
    } catch (error) {
      // An organisation may block shared drives for the account.
      if (isKind(error, 'forbidden')) return false;
      throw error;
    }
  }

  function hasDrives(ask: CallOptions): Promise<boolean> {
    if (known && known.until > Date.now()) return unlessAborted(known.has, ask.signal);
    // Shared by all callers: cancelling one of them does not cancel it.
    const has = asksForDrives({ signal: AbortSignal.timeout(deadlines.question) });
    known = { has, until: Date.now() + drivesTrusted };
    has.catch(() => {
      known = undefined;
    });
    return unlessAborted(has, ask.signal);
  }

  const within = ({ facts }: DriveItem): string => `${quoted(facts.target)} in parents and trashed = false`;

  async function asksForName(folder: DriveItem, name: string, ask: CallOptions): Promise<readonly DriveItem[]> {
    const { place, driveId } = folder.facts;
    if (place === 'drives') return (await Array.fromAsync(drives(ask))).flat();
    const names = namesBehind(name).map((one) => `name = ${quoted(one)}`);
    const hasMore = place === 'root' && name === sharedDrives ? markHandled(hasDrives(ask)) : undefined;
    const q = `${within(folder)} and ${names.length > 1 ? `(${names.join(' or ')})` : names.join('')}`;
    const found = (await Array.fromAsync(query(q, corpusOf(driveId), ask))).flat();
    return (await hasMore) ? [...found, drivesItem] : found;
  }

  const source: ItemSource<Facts> = {
    root: rootItem,
    duplicates: 'anywhere',
    async *children(folder, ask) {
      const { place, driveId } = folder.facts;
      if (place === 'drives') return yield* drives(ask);
      const hasMore = place === 'root' ? markHandled(hasDrives(ask)) : undefined;
      for await (const page of query(within(folder), corpusOf(driveId), ask))
        yield page.filter(({ name }) => !name.startsWith(partialPrefix));
      if (await hasMore) yield [drivesItem];
    },
    named(folder, name, ask) {
      const asked = asking.get(ask.signal) ?? new Map<string, Promise<readonly DriveItem[]>>();
      asking.set(ask.signal, asked);
      const key = `${folder.facts.target}/${name}`;
      const found = asked.get(key) ?? asksForName(folder, name, ask).finally(() => asked.delete(key));
      asked.set(key, found);
      return found;
    },
  };
  return { ...source, query, hasDrives, drives };
}
export type DriveSource = ReturnType<typeof createDriveSource>;
