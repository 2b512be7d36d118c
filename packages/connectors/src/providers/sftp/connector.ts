import type { Connector, Entry } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import { noLeftovers } from '../../core/leftovers.ts';
import { unlessRefused } from '../../core/service-copy.ts';
import { markHandled } from '../../kit/concurrency/mark-handled.ts';
import { withinLogin } from '../../kit/concurrency/within-login.ts';
import { joinPath, nameOf, parentOf } from '../../kit/names/path.ts';
import { kindOf, toEntry } from './api.ts';
import { clearUp } from './clearing.ts';
import type { SftpConfig } from './config.ts';
import { copyFile } from './copying.ts';
import { type DigestCommand, createGrowingDigests, digestAt, noCommand } from './digest.ts';
import { openDownload } from './download.ts';
import { aborted, isBareFailure } from './errors.ts';
import { listEntries } from './listing.ts';
import { resumableUploads } from './parts.ts';
import { createServerPath } from './paths.ts';
import { removeTree } from './removal.ts';
import type { Commands } from './session/commands.ts';
import { type Connection, openConnection } from './session/connection.ts';
import { createPool } from './session/pool.ts';
import { abortable, found, mustBeFree, whyNotListed } from './session/questions.ts';
import { mostAtOnce, openShort } from './short-read.ts';
import { upload } from './upload.ts';

/** ms after which an idle connection is closed. */
const usualRest = 30_000;

/** Names under which a link stores whether its server copies files, and which command hashes them. */
const [copiesFact, digestFact] = ['copies', 'digest'];

interface Known {
  /** ms after which an idle connection is closed. */
  readonly idle?: number;
  /** Whether the server copies files: `yes` or `no`. Until this is known, `copy` exists. */
  readonly copies?: string | undefined;
  readonly digest?: DigestCommand;
}

/** Opens an account, without `copy` or `digest` when its server was found to lack them. */
export const openKnownSftp = async (config: SftpConfig, env: Env): Promise<Connector> =>
  openSftp(config, env, { copies: await env.recall(copiesFact), digest: await env.recall(digestFact) });

/** Opens an SFTP account (draft-ietf-secsh-filexfer-02 over RFC 4254), with OpenSSH's extensions where supported. */
export function openSftp(config: SftpConfig, env: Env, { idle = usualRest, copies, digest }: Known = {}): Connector {
  let known = copies;
  let knownDigest = digest;
  const connected = async (signal: AbortSignal) => {
    const connection = await openConnection(config, env, signal);
    const seen = connection.commands.copyBytes ? 'yes' : 'no';
    if (seen !== known) await env.remember(copiesFact, seen);
    known = seen;
    return connection;
  };
  const pool = createPool({
    max: config.numConcurrentConnections,
    idle,
    connect: (signal) => withinLogin(signal, connected),
  });
  const serverPath = createServerPath(config.path);
  const { leftovers = noLeftovers } = env;
  const call = <T>(signal: AbortSignal, work: (commands: Commands, connection: Pick<Connection, 'run'>) => Promise<T>): Promise<T> =>
    pool.use(signal, (connection) => abortable(work(connection.commands, connection), signal));
  const elsewhere = (work: (working: Commands) => Promise<void>) => call(AbortSignal.timeout(deadlines.aside), work);
  const entryAt = async (commands: Commands, path: string): Promise<Entry> => {
    const bytes = serverPath(path);
    // A broken link is still an item.
    return toEntry(nameOf(path), (await found(commands.stat(bytes))) ?? (await commands.lstat(bytes)));
  };
  const copyAt = (source: Buffer, path: string, signal: AbortSignal) =>
    pool.use(signal, ({ commands }) =>
      copyFile(source, { commands, serverPath, path, ask: { signal, ifExists: 'fail' }, leftovers, elsewhere }),
    );
  const service = `sftp ${config.host}:${config.port} ${config.username}`;
  const move = (from: string, to: string, signal: AbortSignal) =>
    call(signal, async (commands) => {
      // Asked together: with two round trips instead of four, of many items each takes half the time.
      const free = markHandled(mustBeFree(commands, serverPath(to)));
      const attrs = await commands.lstat(serverPath(from));
      await free;
      await commands.rename(serverPath(from), serverPath(to));
      // A rename keeps all attributes; what a link leads to may be another item from its new place.
      return kindOf(attrs) === 'link' ? entryAt(commands, to) : toEntry(nameOf(to), attrs);
    });

  return {
    async *list(folder, { signal }) {
      const path = serverPath(folder);
      const lease = await pool.acquire(signal);
      const { commands } = lease.connection;
      const batches = listEntries(commands, path);
      try {
        for (;;) {
          const step = await abortable(batches.next(), signal);
          if (step.done) return;
          yield step.value;
        }
      } catch (error) {
        throw await whyNotListed(commands, path, error);
      } finally {
        // Not awaited: a server that hangs would block a caller who has cancelled.
        void Promise.allSettled([batches.return(undefined)]).then(() => lease.release());
      }
    },

    stat: (path, { signal }) => call(signal, (commands) => entryAt(commands, path)),
    lstat: (path, { signal }) =>
      call(signal, async (commands) => {
        const attrs = await commands.lstat(serverPath(path));
        return kindOf(attrs) === 'link' ? { ...(await entryAt(commands, path)), isLink: true } : toEntry(nameOf(path), attrs);
      }),

    async read(file, { signal, range, known, bytesOnly = false }) {
      const path = serverPath(file);
      const lease = await pool.acquire(signal);
      const isShort = bytesOnly && !range && known?.size !== undefined && known.size < mostAtOnce;
      return abortable(isShort ? openShort(lease, path, known.size, signal) : openDownload(lease, path, range, signal), signal);
    },

    ...(digest !== noCommand && {
      digest: (path, { signal, size }) =>
        pool.use(signal, async (connection) => {
          const seen = await digestAt(connection, { path: serverPath(path), size, known: knownDigest, signal });
          if (seen.known !== undefined && seen.known !== knownDigest) await env.remember(digestFact, seen.known);
          knownDigest = seen.known;
          return seen.hashes;
        }),
    }),

    setsAside: true,
    async write(path, body, ask) {
      try {
        return await pool.use(ask.signal, ({ commands }) => upload({ commands, serverPath, path, body, ask, leftovers, elsewhere }));
      } catch (error) {
        body.destroy();
        throw ask.signal.aborted ? aborted() : error;
      }
    },

    createFolder: (path, { isPrivate, signal }) =>
      call(signal, async (commands) => {
        const bytes = serverPath(path);
        try {
          await commands.makeFolder(bytes, isPrivate && 0o700);
        } catch (error) {
          if (isBareFailure(error)) await mustBeFree(commands, bytes);
          throw error;
        }
        return entryAt(commands, path);
      }),

    rename: (path, newName, { signal }) => move(path, joinPath(parentOf(path), newName), signal),
    move: (from, to, { signal }) => move(from, to, signal),
    ...(copies !== 'no' && {
      copy: (from, to, { signal }) => copyAt(serverPath(from), to, signal),
      service,
      async serviceFile(path, { signal }) {
        const entry = await call(signal, (commands) => entryAt(commands, path));
        if (entry.kind === 'folder') throw new ConnectorError('isAFolder', 'a folder is copied item by item');
        return { service, location: serverPath(path).toString('base64'), entry };
      },
      async copyFrom(file, to, { signal }) {
        if (file.service !== service) throw new ConnectorError('unsupported', 'the file is at another server');
        return unlessRefused(() => copyAt(Buffer.from(file.location, 'base64'), to, signal));
      },
    }),
    remove: (path, { signal }) => call(signal, (commands) => removeTree(commands, serverPath(path), signal)),

    clearUp: (leftover, { signal }) => call(signal, (commands) => clearUp(commands, leftover)),

    ...resumableUploads({ call, serverPath, leftovers, digests: createGrowingDigests(() => knownDigest) }),

    close: async () => pool.close(),
  };
}
