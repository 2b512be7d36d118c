import type { Readable } from 'node:stream';
import type { Ask, Body, ByteRange, Connector, Entry, WriteAsk } from '../../core/connector.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { createExclusivePool } from '../../kit/exclusive-pool.ts';
import { joinPath, nameOf, parentOf, partialPathOf } from '../../kit/path.ts';
import { stampOf } from './api.ts';
import type { FtpConfig } from './config.ts';
import { bodyOfDownload, startDownload } from './download.ts';
import { isPlainNo, refusal } from './errors.ts';
import { createLinkNames } from './link-names.ts';
import { listFolder } from './listing.ts';
import { find, look } from './lookup.ts';
import { type Patience, type Session, openSession } from './session.ts';
import { recover, upload } from './upload.ts';

/** ms that the listing of a folder may take for whoever asks about a name in it. */
const longestListing = 60_000;
const usualPatience: Patience = { reply: 30_000, silence: 60_000 };

/** Opens an FTP or FTPS server: passive transfers, MLSD where the server has it and LIST where not, TLS sessions of the control connection resumed for data. */
export function openFtp(config: FtpConfig, { dialer }: Pick<Env, 'dialer'>, patience: Patience = usualPatience): Connector {
  const pool = createExclusivePool<Session>({
    max: config.connections,
    connect: (signal) => openSession(config, dialer, patience, signal),
  });

  /** Sends a command about `path`; a plain "no" becomes `notFound` when nothing is there, else `refused`. */
  async function tell(session: Session, command: string, path: string, signal: AbortSignal): Promise<void> {
    const reply = await session.about(command, path, signal);
    if (reply.code < 400) return;
    if (isPlainNo(reply)) await look(session, path, signal);
    throw refusal(reply, command);
  }

  async function refuseTaken(session: Session, path: string, signal: AbortSignal): Promise<void> {
    if (await find(session, path, signal)) throw new ConnectorError('alreadyExists', `${path} is taken`);
  }

  async function moveTo(session: Session, from: string, to: string, signal: AbortSignal): Promise<void> {
    await tell(session, 'RNFR', from, signal);
    const reply = await session.about('RNTO', to, signal);
    if (reply.code >= 400) throw refusal(reply, 'RNTO');
  }

  const moved = (from: string, to: string, { signal }: Ask): Promise<Entry> =>
    pool.use(signal, async (session) => {
      const entry = await look(session, from, signal);
      if (from === to) return entry;
      await refuseTaken(session, to, signal);
      await look(session, parentOf(to), signal);
      await moveTo(session, from, to, signal);
      return { ...entry, name: nameOf(to) };
    });

  /** Puts the whole file in its place. A server that will not rename over a file gets the old one moved aside first, and back if that fails. */
  async function putInPlace(session: Session, partial: string, file: string, { signal, ifExists }: WriteAsk): Promise<void> {
    if (ifExists === 'fail') await refuseTaken(session, file, signal);
    try {
      await moveTo(session, partial, file, signal);
    } catch (error) {
      const old = ifExists === 'replace' && isKind(error, 'forbidden', 'badName') ? await find(session, file, signal) : undefined;
      if (old?.kind !== 'file') throw error;
      const aside = partialPathOf(file);
      await moveTo(session, file, aside, signal);
      try {
        await moveTo(session, partial, file, signal);
      } catch (again) {
        await moveTo(session, aside, file, signal);
        throw again;
      }
      await session.about('DELE', aside, signal);
    }
  }

  async function store(session: Session, file: string, partial: string, body: Readable, ask: WriteAsk): Promise<Entry> {
    const { signal } = ask;
    const there = await find(session, file, signal);
    if (there && ask.ifExists === 'fail') throw new ConnectorError('alreadyExists', `${file} is taken`);
    if (there?.kind === 'folder') throw new ConnectorError('isAFolder', `${file} is a folder`);
    const sent = await upload(session, dialer, patience, body, ask, () => session.about('STOR', partial, signal)).catch(
      async (error: unknown) => {
        await recover(session, error);
        throw error;
      },
    );
    if (typeof sent !== 'number') {
      await look(session, parentOf(file), signal);
      throw refusal(sent, 'STOR');
    }
    const stored = await look(session, partial, signal);
    if (stored.size !== undefined && stored.size !== sent)
      throw new ConnectorError('interrupted', `the server kept ${stored.size} of ${sent} bytes`);
    if (ask.modified !== undefined && session.features.has('MFMT')) await session.about(`MFMT ${stampOf(ask.modified)}`, partial, signal);
    await putInPlace(session, partial, file, ask);
    const entry = await look(session, file, signal);
    return { ...entry, size: sent };
  }

  async function removeAll(session: Session, path: string, kind: Entry['kind'], signal: AbortSignal): Promise<void> {
    // DELE comes first for folders too: a server may show a link to a folder as a folder, and only the link must go.
    const reply = await session.about('DELE', path, signal);
    if (reply.code < 400) return;
    if (kind === 'file') {
      await look(session, path, signal);
      throw refusal(reply, 'DELE');
    }
    const entries: Entry[] = [];
    for await (const batch of listFolder(session, dialer, patience, path, signal)) entries.push(...batch);
    for (const entry of entries) await removeAll(session, joinPath(path, entry.name), entry.kind, signal);
    await tell(session, 'RMD', path, signal);
  }

  /** Only a listing is sure to tell a link from what it leads to: ProFTPD's MLST looks through it. */
  const linkNames = createLinkNames((folder) => {
    const signal = AbortSignal.timeout(longestListing);
    return pool.use(signal, async (session) => {
      const names = new Set<string>();
      for await (const batch of listFolder(session, dialer, patience, folder, signal)) {
        for (const { name, isLink } of batch) if (isLink) names.add(name);
      }
      return names;
    });
  });

  async function read(file: string, { signal, range }: Ask & { readonly range?: ByteRange }): Promise<Body> {
    const { connection: session, release } = await pool.acquire(signal);
    try {
      const entry = await look(session, file, signal);
      if (entry.kind === 'folder') throw new ConnectorError('isAFolder', `${file} is a folder`);
      const start = range?.start ?? 0;
      if (entry.size !== undefined && start > 0 && start >= entry.size) throw new ConnectorError('badRange', `${start} is past the end`);
      if (start > 0) {
        const restart = await session.control.command(`REST ${start}`, signal);
        if (restart.code >= 400) throw refusal(restart, 'REST');
      }
      const download = await startDownload(session, dialer, patience, signal, () => session.about('RETR', file, signal));
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
    async *list(folder, { signal }) {
      const { connection: session, release } = await pool.acquire(signal);
      try {
        yield* listFolder(session, dialer, patience, folder, signal);
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
    write(file, body, ask) {
      const partial = partialPathOf(file);
      return pool
        .use(ask.signal, (session) => store(session, file, partial, body, ask))
        .catch(async (error: unknown) => {
          body.destroy();
          await discard(partial);
          throw error;
        });
    },
    createFolder: (path, { signal }) =>
      pool.use(signal, async (session) => {
        const reply = await session.about('MKD', path, signal);
        if (reply.code >= 400) {
          await refuseTaken(session, path, signal);
          await look(session, parentOf(path), signal);
          // Some servers refuse signs such as `*` to MKD that they allow to a rename.
          const plain = partialPathOf(path);
          await tell(session, 'MKD', plain, signal);
          await moveTo(session, plain, path, signal).catch(async (error: unknown) => {
            await session.about('RMD', plain, signal);
            throw error;
          });
        }
        return look(session, path, signal);
      }),
    rename: (path, newName, ask) => moved(path, joinPath(parentOf(path), newName), ask),
    move: moved,
    remove: (path, { signal }) =>
      pool.use(signal, async (session) => {
        const { kind } = await look(session, path, signal);
        await removeAll(session, path, kind, signal);
      }),
    close: () => Promise.resolve(pool.close()),
  };

  /** Throws away what a failed upload left behind, with a deadline of its own because the caller's may be why it failed. */
  async function discard(partial: string): Promise<void> {
    const signal = AbortSignal.timeout(10_000);
    try {
      await pool.use(signal, (session) => session.about('DELE', partial, signal));
    } catch (error) {
      // The server is out of reach: the leftover stays hidden in listings by its name.
      if (!(error instanceof ConnectorError)) throw error;
    }
  }
}
