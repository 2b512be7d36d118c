import { type AddressInfo, type Server as Listener, type Socket, createServer } from 'node:net';
import { freeWhole } from '@sheaf/connectors';
import type { Logger } from 'pino';
import type { CipherAlgorithm, Connection, Server, ServerChannel, ServerConfig } from 'ssh2';
import type { Listings } from '#/files/listings/service.ts';
import type { AppPasswords, Program } from '#/identity/app-passwords/service.ts';
import type { Dav } from '#/serving/dav/service.ts';
import type { Windows } from '#/serving/programs/windows.ts';
import type { ObjectMemory } from '#/serving/s3/objects/memory.ts';
import { type Room, createAccountRooms } from './account-rooms.ts';
import { createAuthentication } from './authentication.ts';
import { type Admitted, createConnectionLimits } from './connection-limits.ts';
import { createInterruptedUploads } from './files/interrupted.ts';
import { hostKeyIn } from './host-key.ts';
import { serveSftp } from './session.ts';
import { ciphersOf } from './transport/client-offer.ts';
import { type Tuned, tuneSocket } from './transport/socket-memory.ts';

interface Deps {
  readonly dav: Pick<Dav, 'handle'>;
  readonly listings: Listings;
  readonly memory: ObjectMemory;
  readonly windows: Windows;
  readonly appPasswords: Pick<AppPasswords, 'signIn' | 'signInWithKey' | 'countFailure'>;
  readonly dataDir: string;
  readonly log: Logger;
}

/** Milliseconds for signing in. */
const signInTimeout = 60_000;
/** Milliseconds for a client to close its side of a connection that we end. */
const goodbye = 2000;
/** Milliseconds between two questions whether a silent client is still there, and how many may stay unanswered. */
const aliveEvery = 30_000;
const mostUnanswered = 4;
/** Channels of one connection. */
const mostChannels = 8;

/**
 * Without ChaCha20-Poly1305, which OpenSSH's client would prefer: the SSH library computes it in JavaScript, and AES in OpenSSL, which every client has too.
 * SSH takes the first of the client's ciphers that the server has, and OpenSSH's client names AES-CTR first, whose hash costs three times as much as
 * all of AES-GCM. So a client that has AES-GCM is offered nothing else.
 */
const fastCiphers = ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com'] as const satisfies readonly CipherAlgorithm[];
const ciphers: readonly CipherAlgorithm[] = [...fastCiphers, 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'];

/** The name in the version line: RFC 4253, section 4.2. */
const ident = 'Sheaf';
const greeting = Buffer.from(`SSH-2.0-${ident}\r\n`);

/** A client's socket, and its connection once it has said something. */
interface Client {
  readonly socket: Socket;
  readonly address: string;
  readonly place: Admitted;
  readonly signInTimer: NodeJS.Timeout;
  connection: Connection | undefined;
  tuned: Tuned | undefined;
  /** Releases a chunk of a channel, once it is known that the chunk's memory is its own. */
  taken: (chunk: Buffer) => void;
}

/** Whom a channel serves. */
interface Served {
  readonly program: Program;
  readonly room: Room;
  readonly signal: AbortSignal;
}

/** An SSH server that offers SFTP to programs with app passwords or their keys, and nothing else: no shell, no commands, no forwarding. */
export function createSftpServer({ dataDir, log, windows, appPasswords, ...session }: Deps) {
  let server: Listener | undefined;
  let listeningPort: number | undefined;
  const limits = createConnectionLimits();
  const roomOf = createAccountRooms();
  const interrupted = createInterruptedUploads();
  const stopping = new AbortController();
  const sessions = new Set<Promise<void>>();
  /** Open sockets by their remote end. The SSH library reports a connection only once the client has said something. */
  const clients = new Map<string, Client>();
  const keyOf = (address: string | undefined, port: number | undefined): string => `${address} ${port}`;

  /** Admits a socket, and ends it when nobody signs in. */
  function admit(socket: Socket): Client | undefined {
    const { remoteAddress: address, remotePort } = socket;
    // Broken already.
    if (address === undefined) {
      socket.destroy();
      return undefined;
    }
    const key = keyOf(address, remotePort);
    const signInTimer = setTimeout(() => socket.destroy(), signInTimeout).unref();
    const client: Client = {
      socket,
      address,
      place: limits.admit(address, () => socket.destroy()),
      signInTimer,
      connection: undefined,
      tuned: undefined,
      taken: () => undefined,
    };
    clients.set(key, client);
    socket.once('close', () => {
      clearTimeout(signInTimer);
      client.place.leave();
      clients.delete(key);
    });
    // Before the SSH library has the socket: that it broke is told by its end.
    socket.on('error', () => undefined);
    return client;
  }

  /** Hands a socket to one of the SSH servers: that of the ciphers that suit the client. */
  async function greet(client: Client, all: Server, fast: Server): Promise<void> {
    const { socket } = client;
    socket.write(greeting);
    const offered = await ciphersOf(socket);
    if (socket.destroyed) return;
    const isGcmOnly = fastCiphers.some((name) => offered.has(name));
    client.tuned = tuneSocket(socket, greeting, isGcmOnly);
    (isGcmOnly ? fast : all).injectSocket(socket);
    socket.resume();
  }

  /** Says goodbye; a client that does not close its side is cut off. */
  function end({ connection, socket }: Client): void {
    connection?.end();
    if (socket.destroyed) return;
    const timer = setTimeout(() => socket.destroy(), goodbye).unref();
    socket.once('close', () => clearTimeout(timer));
  }

  function onConnection(connection: Connection, client: Client): void {
    client.connection = connection;
    const { address, place } = client;
    connection.on('handshake', ({ cs }) => {
      client.tuned?.freeChunks();
      // With AES-GCM every packet is decrypted into memory of its own.
      if ((fastCiphers as readonly string[]).includes(cs.cipher)) client.taken = freeWhole;
    });
    // Its errors are the client's, such as a broken connection.
    connection.on('error', (error: Error) => log.debug({ err: error }, 'an SFTP connection failed'));
    const gone = new AbortController();
    connection.once('close', () => gone.abort());
    const authentication = createAuthentication({ appPasswords, address, admit: place.signIn, end: () => end(client), log });
    connection.on('authentication', authentication.onRequest);
    connection.once('close', () => {
      authentication.left().catch((error: unknown) => log.error({ err: error }, 'a failed sign-in by SFTP could not be counted'));
    });
    connection.on('ready', () => {
      clearTimeout(client.signInTimer);
      const program = authentication.program();
      if (program) serveConnection(connection, client, program, gone.signal);
      else end(client);
    });
  }

  function serveConnection(connection: Connection, client: Client, program: Program, gone: AbortSignal): void {
    const signal = AbortSignal.any([gone, program.ended]);
    const room = roomOf(program.accountId);
    program.ended.addEventListener('abort', () => end(client), { signal: gone });
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
        if (!room.take('channels')) {
          rejectSubsystem();
          return;
        }
        const channel = acceptSubsystem();
        const serving: Promise<void> = serveChannel(channel, client, { program, room, signal }).finally(() => {
          channels--;
          room.give('channels');
          sessions.delete(serving);
        });
        sessions.add(serving);
      });
    });
  }

  async function serveChannel(channel: ServerChannel, client: Client, { program, room, signal }: Served): Promise<void> {
    // A client that has gone ends the channel; nobody waits for its error.
    channel.on('error', () => undefined);
    channel.once('end', () => channel.exit(0));
    const onError = (error: unknown): void => log.error({ err: error }, 'a request of SFTP failed');
    try {
      const uploads = { interrupted: interrupted.of(program.appPasswordId), stopping: stopping.signal };
      const taken = (chunk: Buffer): void => client.taken(chunk);
      await serveSftp(channel, windows.open(program), { ...session, ...uploads, room, onError, taken }, signal);
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
      const hostKeys = [await hostKeyIn(dataDir)];
      const serverOf = (offered: readonly CipherAlgorithm[]): Server => {
        const options: ServerConfig = {
          hostKeys,
          ident,
          // Without compression: a packet of a stranger could unpack to a thousand times its size.
          algorithms: { compress: ['none'], cipher: [...offered] },
          keepaliveInterval: aliveEvery,
          keepaliveCountMax: mostUnanswered,
        };
        return new ssh2.Server(options, (connection, { ip, port: from }) => {
          const client = clients.get(keyOf(ip, from));
          if (client) onConnection(connection, client);
          else connection.end();
        });
      };
      const [all, fast] = [serverOf(ciphers), serverOf(fastCiphers)];
      // Requests and answers are small, and clients wait for each.
      const listening = createServer({ noDelay: true }, (socket) => {
        const client = admit(socket);
        if (client) greet(client, all, fast).catch((error: unknown) => log.error({ err: error }, 'a client of SFTP could not be greeted'));
      });
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
      for (const client of clients.values()) end(client);
      await Promise.all([closed, ...sessions]);
      interrupted.close();
      stopping.abort();
    },
  };
}
