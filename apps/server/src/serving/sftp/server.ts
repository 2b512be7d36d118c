import type { AddressInfo } from 'node:net';
import { AppError } from '@sheaf/contract';
import type { Logger } from 'pino';
import type { Connection, Server, ServerChannel } from 'ssh2';
import type { Listings } from '#/files/listings/service.ts';
import type { AppPasswords, Program } from '#/identity/app-passwords/service.ts';
import type { Dav } from '#/serving/dav/service.ts';
import type { Windows } from '#/serving/programs/windows.ts';
import type { ObjectMemory } from '#/serving/s3/objects/memory.ts';
import { hostKeyIn } from './host-key.ts';
import { serveSftp } from './session.ts';

interface Deps {
  readonly dav: Pick<Dav, 'handle'>;
  readonly listings: Listings;
  readonly memory: ObjectMemory;
  readonly windows: Windows;
  readonly appPasswords: Pick<AppPasswords, 'signIn'>;
  readonly dataDir: string;
  readonly log: Logger;
}

/** Connections at the same time, of all and of one address; those beyond are refused. */
const mostConnections = 200;
const mostOfAddress = 32;
/** Milliseconds for signing in, and tries on one connection. */
const signInTimeout = 60_000;
const mostTries = 6;
/** Milliseconds between two questions whether a silent client is still there, and how many may stay unanswered. */
const aliveEvery = 30_000;
const mostUnanswered = 4;
/** Channels of one connection. */
const mostChannels = 8;

/** An SSH server that offers SFTP to programs with app passwords, and nothing else: no shell, no commands, no forwarding. */
export function createSftpServer({ dataDir, log, windows, appPasswords, ...session }: Deps) {
  let server: Server | undefined;
  let listeningPort: number | undefined;
  const connections = new Set<Connection>();
  const byAddress = new Map<string, number>();
  const sessions = new Set<Promise<void>>();

  function onConnection(connection: Connection, address: string): void {
    const count = (byAddress.get(address) ?? 0) + 1;
    // Its errors are the client's, such as a broken connection.
    connection.on('error', (error: Error) => log.debug({ err: error }, 'an SFTP connection failed'));
    if (connections.size >= mostConnections || count > mostOfAddress) {
      connection.end();
      return;
    }
    connections.add(connection);
    byAddress.set(address, count);
    const gone = new AbortController();
    connection.once('close', () => {
      gone.abort();
      clearTimeout(timer);
      connections.delete(connection);
      const left = (byAddress.get(address) ?? 1) - 1;
      if (left > 0) byAddress.set(address, left);
      else byAddress.delete(address);
    });
    const timer = setTimeout(() => connection.end(), signInTimeout).unref();
    let program: Program | undefined;
    let tries = 0;
    connection.on('authentication', (context) => {
      if (context.method !== 'password') {
        context.reject(['password']);
        return;
      }
      if (++tries > mostTries) {
        connection.end();
        return;
      }
      appPasswords.signIn(context.username, context.password, { address, usedBy: 'SFTP' }).then(
        (found) => {
          program = found;
          context.accept();
        },
        (error: unknown) => {
          if (!(error instanceof AppError)) log.error({ err: error }, 'signing in by SFTP failed');
          context.reject(['password']);
        },
      );
    });
    connection.on('ready', () => {
      clearTimeout(timer);
      if (program) serveConnection(connection, program, gone.signal);
      else connection.end();
    });
  }

  function serveConnection(connection: Connection, program: Program, gone: AbortSignal): void {
    const signal = AbortSignal.any([gone, program.ended]);
    program.ended.addEventListener('abort', () => void connection.end(), { signal: gone });
    let channels = 0;
    connection.on('session', (accept, reject) => {
      if (channels >= mostChannels) {
        reject();
        return;
      }
      channels++;
      // The type of ssh2 leaves out that there is a session.
      accept().on('subsystem', (acceptSubsystem, rejectSubsystem, { name }) => {
        if (name !== 'sftp') {
          rejectSubsystem();
          return;
        }
        const channel = acceptSubsystem();
        const serving: Promise<void> = serveChannel(channel, program, signal).finally(() => {
          channels--;
          sessions.delete(serving);
        });
        sessions.add(serving);
      });
    });
  }

  async function serveChannel(channel: ServerChannel, program: Program, signal: AbortSignal): Promise<void> {
    // A client that has gone ends the channel; nobody waits for its error.
    channel.on('error', () => undefined);
    channel.once('end', () => channel.exit(0));
    const onError = (error: unknown): void => log.error({ err: error }, 'a request of SFTP failed');
    try {
      await serveSftp(channel, windows.open(program), { ...session, onError }, signal);
    } catch (error) {
      log.debug({ err: error }, 'an SFTP session ended early');
    } finally {
      channel.end();
      channel.destroy();
    }
  }

  return {
    /** Begins to listen; returns the port. */
    async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<number> {
      const { default: ssh2 } = await import('ssh2');
      const options = {
        hostKeys: [await hostKeyIn(dataDir)],
        ident: 'Sheaf',
        keepaliveInterval: aliveEvery,
        keepaliveCountMax: mostUnanswered,
      };
      const listening = new ssh2.Server(options, (connection, { ip }) => onConnection(connection, ip));
      server = listening;
      await new Promise<void>((resolve, reject) => {
        listening.once('error', reject);
        listening.listen(port, host, resolve);
      });
      listening.on('error', (error: unknown) => log.error({ err: error }, 'the SFTP server failed'));
      listeningPort = (listening.address() as AddressInfo).port;
      return listeningPort;
    },
    /** Where it listens; undefined while it does not. */
    port: (): number | undefined => listeningPort,
    /** Ends all connections. Resolves when what they did has ended. */
    async close(): Promise<void> {
      const closing = server;
      if (!closing) return;
      const closed = new Promise<void>((resolve) => closing.close(() => resolve()));
      for (const connection of connections) connection.end();
      await Promise.all([closed, ...sessions]);
    },
  };
}
