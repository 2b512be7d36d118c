import type { Body, CallOptions, Connector, Entry, ReadOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import { noLeftovers } from '../../core/leftovers.ts';
import type { StorageLimits } from '../../core/storage-limits.ts';
import { createExclusivePool } from '../../kit/concurrency/exclusive-pool.ts';
import { createKeyedMutex } from '../../kit/concurrency/keyed-mutex.ts';
import { joinPath, nameOf, parentOf, partialPathOf } from '../../kit/names/path.ts';
import { certificateRule } from '../../kit/net/certificates.ts';
import { clearUp } from './clearing.ts';
import type { FtpConfig } from './config.ts';
import { type Sending, only } from './data.ts';
import { bodyOfDownload, startDownload } from './download.ts';
import { denial, refusal } from './errors.ts';
import { createLinkNames } from './listing/link-names.ts';
import { listFolder } from './listing/listing.ts';
import { look, looking, lookingAtFile } from './listing/lookup.ts';
import { resumableUploads } from './parts/resumable.ts';
import { answerTo, asked } from './question.ts';
import { moveTo, refuseTaken } from './relocate.ts';
import { createRemoval } from './removal.ts';
import { type Habits, type Session, openSession } from './session.ts';
import { createStore } from './store.ts';

/**
 * Opens an FTP or FTPS server: passive transfers, MLSD where supported and LIST otherwise, data connections that resume the control
 * connection's TLS session.
 */
export function openFtp(config: FtpConfig, env: Pick<Env, 'dialer' | 'leftovers'> & Partial<Pick<Env, 'recall' | 'remember'>>): Connector {
  const { dialer, leftovers = noLeftovers } = env;
  const verify = certificateRule(config, env);
  const habits: Habits = {};
  const pool = createExclusivePool<Session>({
    max: config.connections,
    connect: (signal) => openSession(config, { dialer, verify, habits }, signal),
  });
  const mutex = createKeyedMutex();
  const removeTree = createRemoval({ dialer });

  const moved = (from: string, to: string, { signal }: CallOptions): Promise<Entry> =>
    pool.use(signal, async (session) => {
      const entry = await look(session, from, signal);
      if (from === to) return entry;
      await mutex(to, async () => {
        await refuseTaken(session, to, signal);
        await look(session, parentOf(to), signal);
        await moveTo(session, from, to, signal);
      });
      return { ...entry, name: nameOf(to) };
    });

  /** Only a listing reliably distinguishes a link from its target: ProFTPD's MLST follows links. */
  const linkNames = createLinkNames((folder) => {
    const signal = AbortSignal.timeout(deadlines.change);
    return pool.use(signal, async (session) => {
      const names = new Set<string>();
      for await (const batch of listFolder(session, dialer, folder, signal)) {
        for (const { name, isLink } of batch) if (isLink) names.add(name);
      }
      return names;
    });
  });

  async function read(file: string, { signal, range, known, bytesOnly = false }: ReadOptions): Promise<Body> {
    const { connection: session, release } = await pool.acquire(signal);
    try {
      const start = range?.start ?? 0;
      let entry: Entry = { name: nameOf(file), kind: 'file' };
      const question = known?.size === undefined ? looking(session, file, signal) : lookingAtFile(session, file, signal);
      const learn = (found: Entry): void => {
        entry = found;
        if (entry.kind === 'folder') throw new ConnectorError('isAFolder', `${file} is a folder`);
        if (entry.size !== undefined && start > 0 && start >= entry.size) throw new ConnectorError('badRange', `${start} is past the end`);
      };
      const asksAhead = session.control.pipelines;
      if (!asksAhead && (range || !bytesOnly)) learn(await asked(session, question, signal));
      const retrieve: Sending = {
        lines: asksAhead ? question.lines : [],
        async answered(series, expect) {
          if (asksAhead) {
            const answer = await answerTo(question, series);
            learn('value' in answer ? answer.value : await answer.further());
          }
          if (entry.size !== undefined) expect(entry.size);
          if (start > 0) {
            const restart = await session.control.command(`REST ${start}`, signal);
            if (restart.code >= 400) throw refusal(restart, 'REST');
          }
          return session.about('RETR', file, signal);
        },
      };
      const sending = bytesOnly && !range ? only(session.line('RETR', file)) : retrieve;
      const download = await startDownload(session, dialer, signal, sending, known?.size);
      if (!('next' in download)) throw refusal(download, 'RETR');
      const end = Math.min(range?.end ?? Number.POSITIVE_INFINITY, entry.size ?? Number.POSITIVE_INFINITY);
      const { name: _name, kind: _kind, ...facts } = entry;
      return bodyOfDownload(download, { ...(Number.isFinite(end) && { size: end - start }), entry: facts }, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  return {
    limits,
    async *list(folder, { signal }) {
      const { connection: session, release } = await pool.acquire(signal);
      try {
        yield* listFolder(session, dialer, folder, signal);
      } finally {
        release();
      }
    },
    stat: (path, { signal }) => pool.use(signal, (session) => look(session, path, signal)),
    async lstat(path, { signal }) {
      const entry = await pool.use(signal, (session) => look(session, path, signal));
      return path !== '/' && (await linkNames(parentOf(path))).has(entry.name) ? { ...entry, isLink: true } : entry;
    },
    read,
    setsAside: true,
    write: createStore({ pool, dialer, mutex, leftovers }),
    createFolder: (path, { signal }) =>
      pool.use(signal, async (session) => {
        const reply = await session.about('MKD', path, signal);
        if (reply.code >= 400) {
          await refuseTaken(session, path, signal);
          await look(session, parentOf(path), signal);
          // Some servers refuse characters such as `*` in MKD but accept them in a rename.
          const plain = partialPathOf(path);
          const again = await session.about('MKD', plain, signal);
          if (again.code >= 400) throw denial(again, 'MKD');
          await moveTo(session, plain, path, signal).catch(async (error: unknown) => {
            await session.about('RMD', plain, signal);
            throw error;
          });
        }
        return look(session, path, signal);
      }),
    rename: (path, newName, ask) => moved(path, joinPath(parentOf(path), newName), ask),
    move: moved,
    remove: (path, { signal }) => pool.use(signal, (session) => removeTree(session, path, signal)),
    clearUp: (leftover, { signal }) => pool.use(signal, (session) => clearUp(session, leftover, signal)),
    ...resumableUploads({ pool, dialer, mutex, leftovers, env }),
    close: () => Promise.resolve(pool.close()),
  };
}

/** A line of the control connection ends at a line break (RFC 959, section 4). */
const limits: StorageLimits = { names: { forbidden: /[\r\n]/gu } };
