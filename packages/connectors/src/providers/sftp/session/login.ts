import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { AnyAuthMethod, CipherAlgorithm, Client, ConnectConfig, ParsedKey } from 'ssh2';
import { deadlines } from '../../../core/deadlines.ts';
import type { Env } from '../../../core/definition.ts';
import type { Dialer } from '../../../core/dialer.ts';
import type { ConnectorError } from '../../../core/error.ts';
import { freeWhole } from '../../../kit/body/body-memory.ts';
import type { SftpConfig } from '../config.ts';
import { aborted, cutOff, loginError } from '../errors.ts';
import { freeWritten } from '../written.ts';
import { type Greeting, createGreeting } from './greeting.ts';
import { type HostKeyRule, hostKeyRule } from './host-key.ts';
import { readKey } from './keys.ts';

/** The fast ones first; the others for servers that support nothing better. */
const ciphers: CipherAlgorithm[] = [
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'chacha20-poly1305@openssh.com',
  'aes128-ctr',
  'aes192-ctr',
  'aes256-ctr',
];
const keepaliveInterval = 15_000;

/**
 * Connects and logs in. Rejects with `unreachable`, `timeout`, `unauthorized`, `authType`, `wrongPassphrase`, `badKeyFile`,
 * `hostKeyChanged` or `aborted`.
 */
export async function logIn(config: SftpConfig, env: Env, signal: AbortSignal): Promise<Line> {
  const key = config.keyfileContent === '' ? undefined : await readKey(config.keyfileContent, config.password);
  const rule = await hostKeyRule(config, env);
  const { default: ssh2 } = await import('ssh2');
  const greeting = createGreeting();
  const { socket, recycle } = await dialWithBigReads(env.dialer, config, signal, greeting).catch((error: unknown) => {
    greeting.stop();
    throw error;
  });
  const client = new ssh2.Client();
  let ownsPackets = false;
  client.on('handshake', ({ cs, sc }) => {
    recycle(sc.cipher);
    ownsPackets = isGcm(sc.cipher);
    if (isGcm(cs.cipher)) freeWritten(socket);
  });
  const offered: string[] = [];
  const methods = methodsOf(config, key);
  try {
    await ready(client, connectConfig(config, { socket, rule, methods, offered }), AbortSignal.any([signal, greeting.oddity]));
  } catch (error) {
    client.on('error', ignoreAfterFailure);
    socket.destroy();
    if (greeting.oddity.aborted && !signal.aborted) throw greeting.oddity.reason as ConnectorError;
    // A web server answers and closes before its silence is noticed.
    throw rule.refusal() ?? (signal.aborted ? aborted() : (greeting.other() ?? loginErrorOf(error, offered, methods)));
  } finally {
    greeting.stop();
  }
  await rule.keep();
  return {
    client,
    together(send) {
      socket.cork();
      send();
      socket.uncork();
    },
    taken(chunk) {
      if (ownsPackets) freeWhole(chunk);
    },
  };
}

/** With AES-GCM every packet is decrypted into a buffer of its own. */
const isGcm = (cipher: string): boolean => cipher.endsWith('-gcm@openssh.com');

/** A logged-in SSH connection. */
export interface Line {
  readonly client: Client;
  /** Batches what `send` writes into one system call; ssh2 makes three per 32 KiB. */
  together(send: () => void): void;
  /** Releases a chunk of channel data that is no longer referenced. */
  taken(chunk: Buffer): void;
}

interface Login {
  readonly socket: Socket;
  readonly rule: HostKeyRule;
  readonly methods: readonly AnyAuthMethod[];
  /** Collects the authentication methods that the server offers. */
  readonly offered: string[];
}

const connectConfig = (config: SftpConfig, { socket, rule, methods, offered }: Login): ConnectConfig => {
  const left = [...methods];
  return {
    sock: socket,
    username: config.username,
    readyTimeout: deadlines.login,
    keepaliveInterval,
    algorithms: { cipher: ciphers, serverHostKey: rule.algorithms, compress: ['none'] },
    hostVerifier: (hostKey: Buffer) => rule.verify(hostKey),
    authHandler(methodsLeft, _partialSuccess, next) {
      if (methodsLeft && offered.length === 0) offered.push(...methodsLeft);
      const possible = left.findIndex(({ type }) => type === 'none' || !methodsLeft || methodsLeft.includes(type));
      const [method] = possible < 0 ? [] : left.splice(0, possible + 1).slice(-1);
      // ssh2 expects false when no method is left, which its types do not allow.
      next(method ?? (false as unknown as AnyAuthMethod));
    },
  };
};

/**
 * First `none`, whose refusal lists the available methods (RFC 4252, 5.2); keyboard-interactive is for servers that ask for the password in
 * no other way.
 */
function methodsOf({ username, password }: SftpConfig, key: ParsedKey | undefined): AnyAuthMethod[] {
  const none = { type: 'none', username } as const;
  if (key) return [none, { type: 'publickey', username, key }];
  return [
    none,
    { type: 'password', username, password },
    {
      type: 'keyboard-interactive',
      username,
      prompt: (_name, _instructions, _language, prompts, finish) => finish(prompts.map(() => password)),
    },
  ];
}

async function ready(client: Client, config: ConnectConfig, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const ended = once(client, 'close', { signal: over.signal }).then(() => Promise.reject(cutOff()));
  try {
    client.connect(config);
    await Promise.race([once(client, 'ready', { signal }), ended]);
  } finally {
    ended.catch(ignoreAfterFailure);
    over.abort();
  }
}

function loginErrorOf(error: unknown, offered: readonly string[], methods: readonly AnyAuthMethod[]): Error {
  const wanted = methods.map(({ type }) => type).filter((type) => type !== 'none');
  return loginError(error instanceof Error ? error : new Error('login failed', { cause: error }), offered, wanted);
}

/** A failed login already has its error; later socket errors add nothing. */
const ignoreAfterFailure = (): void => undefined;

const readSize = 256 * 1024;

/**
 * Connects a socket that reads 256 KiB at a time, where Node's streams read 64. ssh2 keeps references into its input before encryption
 * starts and with ChaCha20; other ciphers copy while decrypting, so that one buffer serves all reads.
 */
async function dialWithBigReads(
  dialer: Dialer,
  { host, port }: SftpConfig,
  signal: AbortSignal,
  greeting: Greeting,
): Promise<{ socket: Socket; recycle(cipher: string): void }> {
  let kept: Buffer | undefined;
  let recycles = false;
  let socket: Socket | undefined;
  const buffer = () => {
    if (!recycles) return Buffer.allocUnsafeSlow(readSize);
    kept ??= Buffer.allocUnsafeSlow(readSize);
    return kept;
  };
  socket = await dialer.connect({
    host,
    port,
    signal,
    onread: {
      buffer,
      callback(count, bytes) {
        greeting.hear(bytes.subarray(0, count));
        // Batches the writes that a response triggers, up to a whole window, into one system call.
        socket?.cork();
        socket?.emit('data', Buffer.from(bytes.buffer, bytes.byteOffset, count));
        socket?.uncork();
        return true;
      },
    },
  });
  return {
    socket,
    recycle(cipher) {
      recycles = !cipher.startsWith('chacha20');
    },
  };
}
