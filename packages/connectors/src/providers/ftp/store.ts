import type { Readable } from 'node:stream';
import type { Entry, WriteOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import type { Dialer } from '../../core/dialer.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { LeftoverNote, Leftovers } from '../../core/leftovers.ts';
import type { ExclusivePool } from '../../kit/concurrency/exclusive-pool.ts';
import type { KeyedMutex } from '../../kit/concurrency/keyed-mutex.ts';
import { nameOf, parentOf, partialPathOf } from '../../kit/names/path.ts';
import { atFreePath } from '../../kit/object-store/other-name.ts';
import { stampOf } from './api.ts';
import { type Files, filesOf, noteOf, tidied } from './clearing.ts';
import { only } from './data.ts';
import { denial } from './errors.ts';
import { find, look, lookingAtFile } from './listing/lookup.ts';
import { type Question, allAsked, asked, mapped } from './question.ts';
import { moveTo, refusingTaken } from './relocate.ts';
import type { Session } from './session.ts';
import { recover, upload } from './upload.ts';

export interface StoreDeps {
  readonly pool: ExclusivePool<Session>;
  readonly dialer: Dialer;
  /** Mutex per name, held from the check that a name is free until it is taken. */
  readonly mutex: KeyedMutex;
  readonly leftovers: Leftovers;
}

/** State of one upload. */
export interface Storing {
  readonly files: Files;
  /** Created right before anything is sent. */
  note?: LeftoverNote;
  /** Whether the old file was, or was about to be, renamed. */
  hasStepped?: boolean;
}

/**
 * Renames the complete file into place after the queries of `checks`, which reject when it is not complete. For a server that does not
 * overwrite on rename, the old file is renamed first.
 */
export async function putInPlace(
  session: Session,
  storing: Storing,
  file: string,
  { signal, ifExists, setAside }: Pick<WriteOptions, 'signal' | 'ifExists' | 'setAside'>,
  checks: readonly Question<void>[] = [],
): Promise<void> {
  const { partial, aside } = storing.files;
  await allAsked(session, ifExists === 'fail' ? [...checks, refusingTaken(session, file, signal)] : checks, signal);
  if (setAside && (await find(session, file, signal))) await setAside((path) => moveTo(session, file, path, signal));
  try {
    await moveTo(session, partial, file, signal);
  } catch (error) {
    const old = ifExists === 'replace' && isKind(error, 'forbidden', 'badName') ? await find(session, file, signal) : undefined;
    if (old?.kind !== 'file') throw error;
    storing.hasStepped = true;
    await moveTo(session, file, aside, signal);
    await moveTo(session, partial, file, signal);
    await session.about('DELE', aside, signal);
  }
}

/** Cleans up after a failed upload; with its own deadline, because the caller's may be why it failed. */
export async function tidy(pool: ExclusivePool<Session>, { files, note, hasStepped = false }: Storing): Promise<void> {
  if (!note) return;
  const signal = AbortSignal.timeout(deadlines.aside);
  try {
    await pool.use(signal, (session) => tidied(session, files, hasStepped, signal));
    note.gone();
  } catch (error) {
    // The server is unreachable: the partial upload remains hidden in listings by its name, the old file shows under its temporary one.
    note.stays();
    if (!(error instanceof ConnectorError)) throw error;
  }
}

/** Rejects when the file must not be written, because its name is taken, or taken by a folder. */
export async function refuseUnwritable(
  session: Session,
  file: string,
  { signal, ifExists }: Pick<WriteOptions, 'signal' | 'ifExists'>,
): Promise<void> {
  const there = await find(session, file, signal);
  if (there && ifExists === 'fail') throw new ConnectorError('alreadyExists', `${file} is taken`);
  if (there?.kind === 'folder') throw new ConnectorError('isAFolder', `${file} is a folder`);
}

/** Sets a file's modification time, where the server supports it. */
export const stamp = (session: Session, path: string, modified: number | undefined, signal: AbortSignal): Promise<void> =>
  asked(session, stamping(session, path, modified), signal);

function stamping(session: Session, path: string, modified: number | undefined): Question<void> {
  const lines = canStamp(modified) && session.features.has('MFMT') ? [session.line(`MFMT ${stampOf(modified)}`, path)] : [];
  return {
    lines,
    // Ignores failures: the file is stored, only its time is wrong.
    read: async (next) => ({ value: lines.length > 0 ? void (await next()) : undefined }),
  };
}

/** Stores bodies under a temporary name and renames them when they are complete. */
export function createStore({ pool, dialer, mutex, leftovers }: StoreDeps) {
  async function store(session: Session, storing: Storing, body: Readable, ask: WriteOptions): Promise<Entry> {
    const { file, partial } = storing.files;
    const { signal } = ask;
    const isSeenFree = ask.seenFree === true && ask.ifExists === 'fail';
    const begun = isSeenFree ? { path: file } : await atFreePath(file, ask, (at) => refuseUnwritable(session, at, ask));
    storing.note = leftovers.note(noteOf(storing.files));
    await storing.note.kept;
    const sent = await upload(session, dialer, body, ask, only(session.line('STOR', partial))).catch(async (error: unknown) => {
      await recover(session, error);
      throw error;
    });
    if (typeof sent !== 'number') {
      await look(session, parentOf(file), signal);
      throw denial(sent, 'STOR');
    }
    let stored: Entry | undefined;
    const complete = mapped(lookingAtFile(session, partial, signal), (entry) => {
      if (entry.size !== undefined && entry.size !== sent)
        throw new ConnectorError('interrupted', `the server kept ${entry.size} of ${sent} bytes`);
      stored = entry;
    });
    const checks = (): Question<void>[] => (stored ? [] : [stamping(session, partial, ask.modified), complete]);
    const placed = await atFreePath(begun.path, ask, (at) => mutex(at, () => putInPlace(session, storing, at, ask, checks())));
    storing.note.gone();
    return { kind: 'file', ...stored, name: nameOf(placed.path), size: sent };
  }

  return (file: string, body: Readable, ask: WriteOptions): Promise<Entry> => {
    const storing: Storing = { files: filesOf(file, partialPathOf(file)) };
    return pool
      .use(ask.signal, (session) => store(session, storing, body, ask))
      .catch(async (error: unknown) => {
        body.destroy();
        await tidy(pool, storing);
        throw error;
      });
  };
}

/** Timestamps have a four-digit year: RFC 3659, 2.3. */
function canStamp(modified: number | undefined): modified is number {
  const year = new Date((modified ?? Number.NaN) * 1000).getUTCFullYear();
  return year >= 1 && year <= 9999;
}
