import type { Readable } from 'node:stream';
import { joinPath, resumableUploadsOf } from '@sheaf/connectors';
import { appError, limits } from '@sheaf/contract';
import type { createFiles } from '#/files/bodies/files.ts';
import type { Journal } from '#/files/changes/journal.ts';
import { type Links, type OpenItem, cannotChange, openItem } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import { createPlaces } from '#/platform/places.ts';
import { metadataOf } from './headers.ts';
import { type StoredParts, sendInParts } from './in-parts.ts';
import { type Running, startRunning } from './running.ts';
import { type Resumed, type Sessions, ifExistsOf, partsOf, secondsOf } from './sessions.ts';
import type { UploadRow, UploadStore } from './store.ts';
import { type Uploader, keyOf, networkKeyOf } from './uploader.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
  readonly journal: Pick<Journal, 'replacing'>;
  readonly files: Pick<ReturnType<typeof createFiles>, 'upload' | 'follow'>;
  readonly store: UploadStore;
  readonly sessions: Sessions;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** ms without a client after which an upload leaves the memory of the process; less than the connectors' deadline for silence. */
  readonly patience: number;
}

interface Arriving {
  readonly input: Readable;
  readonly signal: AbortSignal;
  readonly confirm: (position: number) => void;
}

/** ms for which an unfinished upload is kept, counted from its last part, and a finished one, so that clients may ask for it. */
const keptFor = 7 * 86_400_000;
/** The same for uploads of visitors: the order in which theirs expire is the order in which they were last continued. */
const visitorsKeptFor = 86_400_000;
const doneFor = 86_400_000;

/** Until when an upload that is continued at `now` is kept, epoch milliseconds. */
export const keptUntil = (now: number, { weblinkId }: Pick<UploadRow, 'weblinkId'>): number =>
  now + (weblinkId === null ? keptFor : visitorsKeptFor);

/** Opens the folder of an upload; rejects where this user may not change it. */
export async function openFolder(links: Links, userId: string, parentLinkUri: string): Promise<OpenItem> {
  const folder = await openItem(links, userId, parentLinkUri);
  if (!folder.connector.write) throw cannotChange(folder);
  return folder;
}

/** The uploads that this process runs, by id, and how it takes one on. */
export function createTakingOn({ links, listings, journal, files, store, sessions, now, patience }: Deps) {
  const runnings = new Map<string, Running>();
  const places = createPlaces(limits.runningUploads);
  const networks = createPlaces(limits.visitorsRunningUploads);

  /** Takes a place of the account or the share, and one of the visitor's network in it. Throws TOO_MANY_CALLS. */
  function takePlaces(by: Uploader): () => void {
    const network = networkKeyOf(by);
    const leaveNetwork = network === undefined ? undefined : networks.take(network);
    try {
      const leave = places.take(keyOf(by));
      return () => {
        leave();
        leaveNetwork?.();
      };
    } catch (error) {
      leaveNetwork?.();
      throw error;
    }
  }

  /** Stores a change of this process's run; rejects when another process has taken the upload on. */
  async function change(row: UploadRow, by: Parameters<UploadStore['change']>[2]): Promise<void> {
    if (!(await store.change(row.id, row.run, by))) throw appError('TRANSFER_STATE', {});
  }

  const done = (size: number) => ({ doneAt: now(), expiresAt: now() + doneFor, session: null, position: size });

  /** Takes an upload on in this process; undefined when the storage has made the file already. Rejects with TOO_MANY_CALLS. */
  async function start(by: Uploader, row: UploadRow, signal: AbortSignal): Promise<Running | undefined> {
    const leave = takePlaces(by);
    try {
      const running = await takeOn(by.userId, row, signal);
      if (running) running.outcome.then(leave, leave);
      else leave();
      return running;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async function takeOn(userId: string, row: UploadRow, signal: AbortSignal): Promise<Running | undefined> {
    const folder = await openFolder(links, userId, row.parentLinkUri);
    const expiresAt = row.weblinkId === null ? row.expiresAt : Math.max(row.expiresAt, keptUntil(now(), row));
    const run = await store.takeOn(row, expiresAt);
    if (run === undefined) throw appError('TRANSFER_STATE', {});
    const own = { ...row, run, expiresAt };
    const stored = partsOf(own);
    const resumed = stored && (await resume(folder, own, stored, signal));
    if (resumed === 'done') {
      await change(own, done(row.size));
      return undefined;
    }
    const running = startRunning({
      start: resumed?.row.position ?? 0,
      size: row.size,
      partSize: resumed?.stored.partSize,
      patience,
      store: (input, life, confirm) =>
        storeAll({ folder, own, resumed }, { input, signal: life, confirm }).finally(() => {
          if (runnings.get(row.id) === running) runnings.delete(row.id);
        }),
    });
    running.outcome.catch(() => undefined);
    runnings.set(row.id, running);
    return running;
  }

  /** What the storage has of the upload. One that it has lost begins anew. */
  async function resume(folder: OpenItem, row: UploadRow, stored: StoredParts, signal: AbortSignal): Promise<Resumed | 'done'> {
    const found = await sessions.resume(folder, row, stored, signal);
    if (found !== 'lost') {
      if (found !== 'done' && found.row.position !== row.position) await change(row, { position: found.row.position });
      return found;
    }
    const anew = await sessions.begin(folder, row, signal);
    if (!anew) throw appError('TRANSFER_GONE', {});
    await change(row, anew.change);
    anew.kept();
    return resume(folder, { ...row, ...anew.change }, JSON.parse(anew.change.parts) as StoredParts, signal);
  }

  /** Stores the bytes as they arrive, and that they are stored. */
  async function storeAll(
    { folder, own, resumed }: { folder: OpenItem; own: UploadRow; resumed: Resumed | undefined },
    arriving: Arriving,
  ): Promise<void> {
    const { accountId, id, size } = own;
    const from = { uploadId: id, size, start: resumed?.row.position ?? 0 };
    const undoId = await files.follow(accountId, from, () =>
      resumed ? storeParts(folder, resumed, arriving) : storeWhole(own, arriving.input, arriving.signal),
    );
    await change(own, { ...done(size), undoId: undoId ?? null });
  }

  async function storeParts(
    folder: OpenItem,
    { row, stored, session, ahead }: Resumed,
    { input, signal, confirm }: Arriving,
  ): Promise<string | undefined> {
    const { connector, provider, userLinkId, path } = folder;
    const uploads = resumableUploadsOf(connector);
    if (!uploads) throw cannotChange(folder);
    const facts = { connector, uploads, provider, session, stored, size: row.size, ...secondsOf(row), ifExists: ifExistsOf(row) };
    const at = joinPath(path, row.name);
    let undoId: string | undefined;
    const entry = await sendInParts({
      ...facts,
      place: async (finish) => {
        if (facts.ifExists === 'fail') return finish({});
        const ask = { path: at, undoId: metadataOf(row.metadata, row.parentLinkUri).undoId, signal };
        const replaced = await journal.replacing(folder, ask, async (kept) => {
          const made = await finish(kept);
          return { entry: made.entry, result: made };
        });
        undoId = replaced.undoId;
        return replaced.result;
      },
      start: row.position,
      ahead,
      input,
      signal,
      keep: async (parts, position) => {
        await change(row, { parts: JSON.stringify(parts), position, expiresAt: Math.max(row.expiresAt, keptUntil(now(), row)) });
        confirm(position);
      },
    });
    await listings.note(userLinkId, path, { put: entry });
    return undoId;
  }

  async function storeWhole(row: UploadRow, input: Readable, signal: AbortSignal): Promise<string | undefined> {
    const { parentLinkUri, name, conflict, size, modified } = row;
    const { undoId } = metadataOf(row.metadata, parentLinkUri);
    const ask = { parentLinkUri, name, conflict, size, ...(modified !== null && { modified }), ...(undoId !== undefined && { undoId }) };
    return (await files.upload(row.accountId, ask, input, signal)).undoId;
  }

  return { runnings, start };
}
