import type { Readable } from 'node:stream';
import { allInParallel, createKeyedMutex } from '@sheaf/connectors';
import { AppError, type UnfinishedUpload, appError, limits } from '@sheaf/contract';
import type { createFiles } from '#/files/bodies/files.ts';
import type { Journal } from '#/files/changes/journal.ts';
import { type Links, checkName, openItem } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import type { Vault } from '#/secrets/vault.ts';
import type { UploadMetadata } from './headers.ts';
import { createSessions, partsOf } from './sessions.ts';
import type { UploadRow, UploadStore } from './store.ts';
import { createTakingOn, keptUntil, openFolder } from './taking-on.ts';
import { createTurns } from './turns.ts';
import type { Uploader } from './uploader.ts';

type Files = Pick<ReturnType<typeof createFiles>, 'upload' | 'claimFreeName' | 'isMissing' | 'follow'>;

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
  readonly journal: Pick<Journal, 'replacing'>;
  readonly files: Files;
  readonly store: UploadStore;
  readonly vault: Vault;
  readonly newId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** ms without a client after which an upload leaves the memory of the process; less than the connectors' deadline for silence. */
  readonly patience?: number;
}

type NewUpload = UploadMetadata & { readonly size: number; readonly metadata: string };

/** The state of an upload, for its client. */
export interface UploadState {
  readonly uploadId: string;
  readonly size: number;
  /** The next byte that is expected. */
  readonly position: number;
  /** The metadata as the client sent them. */
  readonly metadata: string;
  readonly expiresAt: number;
  /** Absent where the storage cannot continue an upload. */
  readonly partSize?: number;
  /** Once the file is stored, where it has replaced another one that can be brought back. */
  readonly undoId?: string;
}

/** Uploads that are begun at the same time; others wait. */
const createdAtOnce = { ofUploader: 16, ofNetwork: 4 };
/** ms; see {@link Deps.patience}. */
const usualPatience = 45_000;
/** Expired uploads that a sweep reads together, and those that it removes at the same time. */
const [sweptTogether, sweptAtOnce] = [200, 4];
/** ms for removing the parts of one upload. */
const abandonTimeout = 60_000;

/** Uploads that clients continue after an interruption, on this or another instance, from the last byte that the storage has confirmed. */
export function createUploads({ links, listings, journal, files, store, vault, newId, now, patience = usualPatience }: Deps) {
  const mutex = createKeyedMutex();
  /** Bounds by how many concurrent requests can exceed the number of unfinished uploads. */
  const creating = createTurns(createdAtOnce);
  const checked = createTurns({ ofUploader: limits.checkedUploads, ofNetwork: limits.visitorsCheckedUploads });
  const sessions = createSessions(vault);
  const { runnings, start } = createTakingOn({ links, listings, journal, files, store, sessions, now, patience });

  async function findRow(by: Uploader, id: string): Promise<UploadRow> {
    const row = await store.find(by, id);
    if (!row || (row.doneAt === null && row.expiresAt < now())) throw appError('TRANSFER_GONE', {});
    return row;
  }

  /** Removes what storages have of uploads whose time is over. Returns those that can be forgotten. */
  async function abandonExpired(rows: readonly UploadRow[], failures: unknown[]): Promise<string[]> {
    const ended: string[] = [];
    await allInParallel(rows, sweptAtOnce, async (row) => {
      try {
        await sessions.abandon(await openItem(links, row.accountId, row.parentLinkUri), row, AbortSignal.timeout(abandonTimeout));
      } catch (error) {
        // The link may be gone, or its service down: its own rules clear up what nobody continues.
        if (!(error instanceof AppError)) return void failures.push(error);
      }
      ended.push(row.id);
    });
    return ended;
  }

  /**
   * Makes room for one more upload into a share that has as many unfinished ones as may be: the one that nobody has continued for longest ends, so that
   * strangers who begin uploads and leave them keep nobody out. What arrives in this process is never idle.
   */
  async function makeRoom(weblinkId: string): Promise<void> {
    const rows = await store.idleOfFull(weblinkId, now(), limits.runningUploads + 1);
    const idle = rows.find(({ id }) => !runnings.has(id));
    if (!idle) return;
    await mutex(idle.id, async () => {
      if (runnings.has(idle.id)) return;
      const failures: unknown[] = [];
      await store.remove(...(await abandonExpired([idle], failures)));
      if (failures.length > 0) throw failures[0];
    });
  }

  async function create(by: Uploader, ask: NewUpload, signal: AbortSignal): Promise<UploadState> {
    const row = await add(by, ask, signal);
    // Only after the name is released, because storing the file claims it again.
    if (row.size > 0) return stateOf(row);
    await (
      await start(by, row, signal)
    )?.outcome;
    return stateOf(await findRow(by, row.id));
  }

  /** Begins an upload at the storage, and stores it. */
  async function add(by: Uploader, ask: NewUpload, signal: AbortSignal): Promise<UploadRow> {
    const { userId, share } = by;
    const folder = await openFolder(links, userId, ask.parentLinkUri);
    checkName(ask.name, folder.provider);
    if (await store.hasMost(by)) throw appError('TOO_MANY_CALLS', {});
    if (share) await makeRoom(share.weblinkId);
    const promised = async (): Promise<string[]> => store.promisedNames(userId, ask.parentLinkUri, now());
    const claimed = ask.conflict === 'rename' ? await files.claimFreeName(folder, ask.name, await promised(), signal) : undefined;
    try {
      if (ask.conflict === 'fail' && !(await files.isMissing(folder, ask.name, signal))) throw appError('NAME_TAKEN', { name: ask.name });
      const { parentLinkUri, conflict, size, modified = null, metadata } = ask;
      const name = claimed?.name ?? ask.name;
      const own = { id: newId(), accountId: userId, parentLinkUri, name, conflict, size, modified, metadata };
      const of = { weblinkId: share?.weblinkId ?? null, visitor: share?.visitor ?? null };
      const times = { createdAt: now(), expiresAt: keptUntil(now(), of), doneAt: null, undoId: null };
      const row: UploadRow = { ...own, session: null, parts: null, position: 0, run: 0, ...times, ...of };
      const begun = await sessions.begin(folder, row, signal);
      const added = { ...row, ...begun?.change };
      await store.add(added);
      begun?.kept();
      await store.forgetFinished(by, limits.finishedUploads);
      return added;
    } finally {
      claimed?.release();
    }
  }

  return {
    /** Begins an upload; an empty file is stored at once. Rejects as {@link Files.upload} does. */
    create: (by: Uploader, ask: NewUpload, signal: AbortSignal): Promise<UploadState> =>
      creating(by, signal, () => create(by, ask, signal)),

    /** How far an upload is. Ends a request that still hangs; an upload whose bytes have all arrived is finished first. */
    state: (by: Uploader, id: string, signal: AbortSignal): Promise<UploadState> =>
      mutex(id, async () => {
        let row = await findRow(by, id);
        let running = runnings.get(id);
        await running?.interrupt();
        if (!running && row.doneAt === null && row.parts !== null && row.position === row.size) {
          running = await start(by, row, signal);
          row = await findRow(by, id);
        }
        if (running?.taken() === row.size) {
          await running.outcome;
          row = await findRow(by, id);
        }
        return stateOf(row, runnings.get(id)?.taken());
      }),

    /** Runs work that holds the bytes of a request in memory. Rejects with TRANSFER_GONE unless the upload is the user's, before anything is read. */
    async holding<T>(by: Uploader, id: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      await findRow(by, id);
      return checked(by, signal, work);
    },

    /** Takes the bytes from `offset` on; resolves with the next byte that is expected. Rejects with TRANSFER_STATE where another one is, or the signal aborts. */
    async append(by: Uploader, id: string, offset: number, body: Readable, signal: AbortSignal): Promise<UploadState> {
      const begun = await mutex(id, async () => {
        const row = await findRow(by, id);
        if (row.doneAt !== null) {
          if (offset !== row.size) throw appError('TRANSFER_STATE', {});
          return { row, feeding: undefined };
        }
        // The rights may have changed since the last request.
        await openFolder(links, by.userId, row.parentLinkUri);
        await runnings.get(id)?.interrupt();
        const running = runnings.get(id) ?? (await start(by, row, signal));
        if (running?.taken() !== offset) throw appError('TRANSFER_STATE', {});
        const feeding = running.feed(body);
        feeding.catch(() => undefined);
        return { row, running, feeding };
      });
      const leave = (): void => void begun.running?.interrupt();
      signal.addEventListener('abort', leave, { once: true });
      try {
        await begun.feeding;
      } finally {
        signal.removeEventListener('abort', leave);
      }
      // Only the end of the file tells whether it has replaced another one.
      const ended = begun.running?.taken() === begun.row.size ? await store.find(by, id) : undefined;
      if (ended) return stateOf(ended);
      return stateOf(begun.row, begun.running?.taken() ?? begun.row.size);
    },

    /** Ends an upload; the storage removes what it has of it. */
    remove: (by: Uploader, id: string, signal: AbortSignal): Promise<void> =>
      mutex(id, async () => {
        const row = await findRow(by, id);
        const running = runnings.get(id);
        running?.end();
        await running?.outcome.catch(() => undefined);
        const { parentLinkUri } = row;
        await sessions.abandon(await openItem(links, by.userId, parentLinkUri), (await store.find(by, id)) ?? row, signal);
        await store.remove(id);
      }),

    async unfinished(userId: string): Promise<UnfinishedUpload[]> {
      const rows = await store.unfinished(userId, limits.unfinishedUploads);
      return rows
        .filter(({ expiresAt }) => expiresAt >= now())
        .map(({ id, parentLinkUri, name, size, position, modified, createdAt, expiresAt }) => {
          const facts = { uploadId: id, parentLinkUri, name, size, position: runnings.get(id)?.taken() ?? position, createdAt, expiresAt };
          return { ...facts, ...(modified !== null && { modified }) };
        });
    },

    /** Removes uploads whose time is over, and their parts. Rejects with the first unexpected failure when all others are removed. */
    async sweep(): Promise<void> {
      await store.removeFinished(now());
      const failures: unknown[] = [];
      for (let after = '', more = true; more;) {
        const rows = await store.expired(now(), after, sweptTogether);
        after = rows.at(-1)?.id ?? after;
        more = rows.length === sweptTogether;
        await store.remove(...(await abandonExpired(rows, failures)));
      }
      if (failures.length > 0) throw failures[0];
    },

    /** Ends all uploads of this process; they can be continued. */
    async close(): Promise<void> {
      const open = [...runnings.values()];
      for (const running of open) running.end();
      await Promise.allSettled(open.map(({ outcome }) => outcome));
    },
  };
}
export type Uploads = ReturnType<typeof createUploads>;

function stateOf(row: UploadRow, taken?: number): UploadState {
  const { id, size, metadata, expiresAt, undoId } = row;
  const partSize = partsOf(row)?.partSize;
  const position = row.doneAt === null ? (taken ?? row.position) : size;
  return {
    uploadId: id,
    size,
    position,
    metadata,
    expiresAt,
    ...(partSize !== undefined && { partSize }),
    ...(undoId !== null && { undoId }),
  };
}
