import type { ConflictRule } from '@sheaf/contract';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { type RequestProgress, createProgress } from './progress.ts';
import type { PutFile, PutHooks } from './put-file.ts';
import { createRate } from './rate.ts';
import { createReplacements } from './replacements.ts';

/** Target of an upload for display: the folder's name and its address in the app. */
export interface Place {
  /** The folder, or a function that creates it when the file's turn comes. */
  readonly linkUri: string | (() => Promise<string>);
  readonly name: string;
  readonly href: string;
}

/** The folder that takes an upload. */
export interface UploadTarget {
  readonly linkUri: string;
  readonly name: string;
  /** Its address in the app. */
  readonly href: string;
  /** The organisation membership under which it is accessed. */
  readonly memberOid?: string | undefined;
}

export interface Upload {
  readonly id: number;
  /** Files chosen together: an answer "Apply to all" is for these. */
  readonly batch: number;
  readonly file: File;
  readonly place: Place;
  /** Name of the uploaded folder that contains the file; files of one folder and batch share a line. */
  readonly folder: string | undefined;
  /** `asking`: the name is taken and the user has not decided. */
  readonly state: 'waiting' | 'running' | 'asking' | 'failed' | 'done';
  readonly conflict: ConflictRule;
  /** Bytes that the storage has taken so far; those that have left the browser where that is unknown. */
  readonly sent: number;
  /** Bytes per second, once known. */
  readonly rate: number | undefined;
  /** Why it failed. */
  readonly message: string | undefined;
  /** The connection is cut; it goes on by itself. */
  readonly isHeld: boolean;
  /** The server's id of an upload that can be continued. */
  readonly uploadId: string | undefined;
  /** Where the browser keeps it beyond the page. */
  readonly kept: Kept | undefined;
}

/** Percentage shown while an upload runs: 100 only once the server has confirmed that the file is stored. */
export const openPercent = (share: number): number => Math.min(99, Math.floor(100 * share));

/** The percentage of one upload. */
export const percentOf = ({ file, sent }: Pick<Upload, 'file' | 'sent'>): number => (file.size === 0 ? 0 : openPercent(sent / file.size));

/** What to do with a file whose name is taken. */
export type ConflictAnswer = Exclude<ConflictRule, 'fail'> | 'skip';
/** A file to upload. */
export interface ChosenFile {
  readonly file: File;
  readonly place: Place;
  readonly folder?: string | undefined;
  /** Continues an upload that has begun at the server. */
  readonly uploadId?: string | undefined;
  readonly kept?: Kept | undefined;
}

/** A file in the browser's own list of unfinished uploads. */
interface Kept {
  readonly batch: string;
  readonly path: string;
}

/** The browser's list of unfinished uploads, by which they are continued after a reload. */
interface Keeper {
  begun(kept: Kept, file: File, uploadId: string): void;
  drop(kept: Kept): void;
}

interface Deps {
  readonly put: PutFile;
  readonly keeper: Keeper;
  /** Ends an upload that has begun at the server and will not be continued. */
  readonly end: (uploadId: string) => void;
  /** Concurrent uploads. */
  readonly atOnce: number;
  readonly now: () => number;
  readonly requestProgress: RequestProgress;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** An id for files that are undone together. */
  readonly newUndoId: () => string;
}

const isOpen = ({ state }: Upload): boolean => state === 'waiting' || state === 'running' || state === 'asking';

/** As many uploads are shown with each change. */
const atOnceShown = 500;

/** Milliseconds between two updates of a file's progress. */
const showEvery = 200;

/** How often a file is sent again when others take the name that the server chose for it: some storages cannot change it at the end. */
const mostRepeats = 3;

/** The queue of uploads; it lives as long as the page, whatever screen is shown. */
export function createUploads({ put, keeper, end, atOnce, now, requestProgress, pause, newUndoId }: Deps) {
  const replacements = createReplacements(newUndoId);
  const progress = createProgress({ ask: requestProgress, pause });
  /** Tells the tries of this page from those of the user's other pages. */
  const page = Math.random().toString(36).slice(2);
  let tries = 0;
  let count = 0;
  let batches = 0;
  const listeners = new Set<() => void>();
  const storedListeners = new Set<(folderUri: string) => void>();
  const running = new Map<number, AbortController>();
  const answers = new Map<number, ConflictAnswer>();

  /** By id, in the order in which they were added. */
  const all = new Map<number, Upload>();
  /** Ids of those that wait, the next one first. */
  const waiting = new Set<number>();
  let listed: readonly Upload[] | undefined;
  let telling: ReturnType<typeof setTimeout> | undefined;

  const tell = (): void => {
    telling = undefined;
    for (const listener of listeners) listener();
  };
  /** Lists of thousands are shown less often: each time the page goes through all of it. */
  const changed = (): void => {
    listed = undefined;
    if (all.size <= atOnceShown) tell();
    else telling ??= setTimeout(tell, Math.min(1000, all.size / 20));
  };
  const keep = (upload: Upload): void => {
    all.set(upload.id, upload);
    if (upload.state === 'waiting') waiting.add(upload.id);
    else waiting.delete(upload.id);
  };
  const change = (id: number, by: Partial<Upload>): void => {
    const upload = all.get(id);
    if (!upload) return;
    keep({ ...upload, ...by });
    changed();
  };
  const drop = (ids: Iterable<number>): void => {
    for (const id of ids) {
      const upload = all.get(id);
      if (upload?.kept && upload.state !== 'done') keeper.drop(upload.kept);
      all.delete(id);
      waiting.delete(id);
    }
    changed();
  };
  const list = (): readonly Upload[] => (listed ??= [...all.values()]);

  const putAtFreeName: PutFile = async (...call) => {
    const [, { conflict }] = call;
    for (let repeats = 0; ; repeats++) {
      try {
        return await put(...call);
      } catch (error) {
        const isTaken = error instanceof CallError && error.is('NAME_TAKEN');
        if (!isTaken || conflict !== 'rename' || repeats >= mostRepeats) throw error;
      }
    }
  };

  const send = async (upload: Upload, signal: AbortSignal): Promise<void> => {
    const { id, file, place, conflict } = upload;
    const speed = createRate();
    let shownAt = -Infinity;
    let sent = 0;
    let isKnown = false;
    let isUnknown = false;
    const show = (bytes: number): void => {
      shownAt = now();
      speed.note(bytes, shownAt);
      change(id, { sent: bytes, rate: speed.rate() });
    };
    tries += 1;
    const uploadId = `${page}-${tries}`;
    const parentLinkUri = typeof place.linkUri === 'string' ? place.linkUri : await place.linkUri();
    signal.throwIfAborted();
    const follow = (by: string): (() => void) =>
      progress.follow(by, (taken) => {
        // Other instances do not know the upload: the last known number stands.
        if (taken === undefined && isKnown) return;
        isKnown = taken !== undefined;
        isUnknown = !isKnown;
        show(taken ?? sent);
      });
    let leave = follow(uploadId);
    const hooks: PutHooks = {
      sent(bytes) {
        sent = bytes;
        if (isUnknown && now() - shownAt >= showEvery) show(sent);
      },
      begun(given) {
        leave();
        leave = follow(given);
        change(id, { uploadId: given });
        if (upload.kept) keeper.begun(upload.kept, file, given);
      },
      replaced: (undoId) => replacements.note({ batch: upload.batch, undoId, name: file.name, folderUri: parentLinkUri }),
      held: (isHeld) => change(id, { isHeld, ...(isHeld && { rate: undefined }) }),
    };
    const undoId = replacements.undoIdOf(upload.batch);
    const destination = { parentLinkUri, name: file.name, conflict, uploadId, undoId, continued: upload.uploadId };
    await putAtFreeName(file, destination, hooks, signal).finally(() => leave());
    change(id, { state: 'done', sent: file.size, rate: undefined });
    if (upload.kept) keeper.drop(upload.kept);
    for (const listener of storedListeners) listener(parentLinkUri);
  };

  const refused = (upload: Upload, error: unknown): void => {
    const known = answers.get(upload.batch);
    if (!(error instanceof CallError && error.is('NAME_TAKEN')) || upload.conflict !== 'fail')
      change(upload.id, { state: 'failed', message: errorText(error) });
    else if (known === undefined) change(upload.id, { state: 'asking' });
    else apply(upload.id, known);
  };

  const apply = (id: number, answer: ConflictAnswer): void => {
    if (answer === 'skip') drop([id]);
    else change(id, { state: 'waiting', conflict: answer, sent: 0, uploadId: undefined });
  };

  const next = (): void => {
    while (running.size < atOnce) {
      const [id] = waiting;
      const upload = id === undefined ? undefined : all.get(id);
      if (!upload) return;
      const life = new AbortController();
      running.set(upload.id, life);
      change(upload.id, { state: 'running', sent: 0, rate: undefined, message: undefined, isHeld: false });
      void send(upload, life.signal)
        .catch((error: unknown) => {
          if (!life.signal.aborted) refused(upload, error);
        })
        .finally(() => {
          running.delete(upload.id);
          next();
          if (!list().some((one) => one.batch === upload.batch && isOpen(one))) replacements.ended(upload.batch);
        });
    }
  };

  return {
    list,
    /** Number of uploads so far. */
    total: (): number => count,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Calls `listener` with a folder's linkUri whenever a file was stored in it. */
    onStored(listener: (folderUri: string) => void): () => void {
      storedListeners.add(listener);
      return () => storedListeners.delete(listener);
    },
    /** Tells those who show a folder that its files are others now. */
    changed(folderUri: string): void {
      for (const listener of storedListeners) listener(folderUri);
    },
    /** Calls `listener` when files chosen together have ended and have replaced others that can be brought back. */
    onReplaced: replacements.subscribe,
    /** Queues files that were chosen together. */
    add(files: readonly ChosenFile[]): void {
      batches += 1;
      for (const { file, place, folder, uploadId, kept } of files) {
        count += 1;
        keep({
          id: count,
          batch: batches,
          file,
          place,
          folder,
          state: 'waiting',
          conflict: 'fail',
          sent: 0,
          rate: undefined,
          message: undefined,
          isHeld: false,
          uploadId,
          kept,
        });
      }
      changed();
      next();
    },
    /** Stops an upload, or removes a finished one from the list; earlier content at the storage stays unchanged. */
    remove(id: number): void {
      const upload = all.get(id);
      // One that runs ends at the server by itself.
      if (upload?.state === 'failed' && upload.uploadId !== undefined) end(upload.uploadId);
      running.get(id)?.abort();
      drop([id]);
    },
    /** Stops all unfinished uploads, or those with these ids; earlier content at the storage stays unchanged. */
    cancel(ids?: ReadonlySet<number>): void {
      const ended = list().filter(({ id, state }) => state !== 'done' && state !== 'failed' && (ids?.has(id) ?? true));
      const lives = ended.map(({ id }) => running.get(id));
      // Removes them from the list first, so that none starts in place of one that ends.
      drop(ended.map(({ id }) => id));
      for (const life of lives) life?.abort();
    },
    retry(id: number): void {
      change(id, { state: 'waiting' });
      next();
    },
    /** What to do with a file whose name is taken; `forAll`: and with all others of its batch. */
    answer(id: number, answer: ConflictAnswer, forAll: boolean): void {
      const batch = all.get(id)?.batch;
      if (batch === undefined) return;
      if (forAll) answers.set(batch, answer);
      const meant = list().filter((upload) => upload.id === id || (forAll && upload.batch === batch && upload.state === 'asking'));
      for (const upload of meant) apply(upload.id, answer);
      next();
    },
    clearDone: (): void =>
      drop(
        list()
          .filter(({ state }) => state === 'done')
          .map(({ id }) => id),
      ),
  };
}
