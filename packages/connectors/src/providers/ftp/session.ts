import { deadlines } from '../../core/deadlines.ts';
import type { CertificateRule, Dialer } from '../../core/dialer.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { Pooled } from '../../kit/concurrency/exclusive-pool.ts';
import { withinLogin } from '../../kit/concurrency/within-login.ts';
import { answersHttp } from '../../kit/http/speaks-http.ts';
import { encodeBelow, encodeStartFolder } from '../../kit/names/name-bytes.ts';
import { segmentsOf } from '../../kit/names/path.ts';
import { extendedPort, passivePort, quotedFolder } from './api.ts';
import type { FtpConfig } from './config.ts';
import { type Control, type Series, createControl, notFtp } from './control.ts';
import { type Reply, refusal } from './errors.ts';

/** A logged-in control connection with the server's features. */
export interface Session extends Pooled {
  readonly control: Control;
  /** The server's extensions in upper case: RFC 2389. */
  readonly features: ReadonlySet<string>;
  /** The start folder as an absolute path without a trailing slash. */
  readonly base: string;
  /** Sends a command for a connector path, such as `DELE`. */
  about(command: string, path: string, signal: AbortSignal): Promise<Reply>;
  /** The line of a command for a connector path. Throws `badName`. */
  line(command: string, path: string): string;
  /**
   * Returns the port on which the server expects the next data connection, and the replies to further lines, which are sent together with
   * the request for the port where possible.
   */
  passive(signal: AbortSignal, lines: readonly string[]): Promise<{ readonly port: number; readonly series: Series }>;
  /** The options of a data connection to that port. */
  dataTarget(port: number): {
    readonly host: string;
    readonly port: number;
    readonly tls?: { verify: CertificateRule; servername: string; session?: Buffer };
  };
}

/** Encodes text for the wire: UTF-8 (RFC 2640), as latin1 text. */
const wire = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Encodes a connector path below the start folder, as latin1 text. Throws `badName`. */
export function wirePath(start: string, path: string): string {
  const bytes = Buffer.concat([encodeStartFolder(start), encodeBelow(segmentsOf(path))]);
  return bytes.length === 0 ? '/' : bytes.toString('latin1');
}

/** How sessions connect to the server. */
interface Dialling {
  readonly dialer: Dialer;
  readonly verify: CertificateRule;
  /** Facts about the server that the link's sessions have found. */
  readonly habits: Habits;
}

export interface Habits {
  /** Whether the server answers several lines that arrive at once; undefined until a session has probed it. */
  pipelines?: boolean;
}

/** Connects and logs in. Rejects with a Dialer's errors, `unauthorized`, or `certificateMissing` when TLS is required but not offered. */
export const openSession = (config: FtpConfig, dialling: Dialling, signal: AbortSignal): Promise<Session> =>
  withinLogin(signal, (both) => open(config, dialling, both));

async function open(config: FtpConfig, dialling: Dialling, signal: AbortSignal): Promise<Session> {
  const { dialer, verify } = dialling;
  const socket = await dialer.connect({ host: config.host, port: config.port, signal });
  const control = createControl(socket);
  try {
    await greet(control, config, dialer, signal);
    if (config.secure) await goSecure(control, config, dialling, signal);
    await signIn(control, config, signal);
    if (config.secure) {
      await expectOk(control, 'PBSZ 0', signal);
      await expectOk(control, 'PROT P', signal);
    }
    const features = await readFeatures(control, signal);
    if (features.has('UTF8')) await control.command('OPTS UTF8 ON', signal);
    await expectOk(control, 'TYPE I', signal);
    // Servers without FEAT are old; they get one line at a time.
    if (features.size > 0 && dialling.habits.pipelines === undefined && !(await pipelines(control, signal))) {
      dialling.habits.pipelines = false;
      control.close();
      return await open(config, dialling, signal);
    }
    control.pipelines = features.size > 0 && (dialling.habits.pipelines ??= true);
    return createSession({ control, config, verify, features, base: await startFolder(control, config, signal) });
  } catch (error) {
    control.close();
    throw error;
  }
}

async function greet(control: Control, config: FtpConfig, dialer: Dialer, signal: AbortSignal): Promise<void> {
  const greeted = new AbortController();
  try {
    const others = refuseOthers(config, dialer, AbortSignal.any([signal, greeted.signal]));
    let greeting = await Promise.race([control.reply(signal, deadlines.greeting), others]);
    while (greeting.code === 120) greeting = await control.reply(signal);
    if (greeting.code !== 220) throw greeting.code === 530 ? turnedAway(greeting, 'greeting') : refusal(greeting, 'greeting');
  } finally {
    greeted.abort();
  }
}

const unchecked: CertificateRule = async () => undefined;

/** Milliseconds of silence after which the server may be one that expects implicit TLS, or a web server. */
const suspicious = 2000;

/**
 * Rejects when a server that does not greet answers to TLS or HTTP at once; never resolves. Its certificate is not checked, because nothing
 * is sent.
 */
async function refuseOthers({ host, port }: FtpConfig, dialer: Dialer, signal: AbortSignal): Promise<never> {
  const { promise: never } = Promise.withResolvers<never>();
  const { promise: silent, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, suspicious);
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  await silent;
  try {
    (await dialer.connect({ host, port, signal, tls: { verify: unchecked } })).destroy();
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (await answersHttp(dialer, { host, port }, signal)) throw notFtp('http');
    return never;
  }
  // A web server waits for a request, an FTP server greets at once.
  const isWeb = await answersHttp(
    dialer,
    { host, port, tls: { verify: unchecked } },
    AbortSignal.any([signal, AbortSignal.timeout(deadlines.check)]),
  );
  throw notFtp(isWeb ? 'http' : 'implicitTls');
}

/** Milliseconds to wait for the replies to several harmless lines. */
const pipelineTime = 2000;

/**
 * Whether the server answers two lines that arrive at once. Some servers read one and discard the rest; the connection is then unusable.
 */
async function pipelines(control: Control, signal: AbortSignal): Promise<boolean> {
  control.pipelines = true;
  try {
    await control.series(['NOOP', 'NOOP'], signal, pipelineTime).skip(2);
    return true;
  } catch (error) {
    if (isKind(error, 'timeout', 'interrupted')) return false;
    throw error;
  }
}

async function goSecure(
  control: Control,
  { host }: FtpConfig,
  { dialer, verify }: Pick<Dialling, 'dialer' | 'verify'>,
  signal: AbortSignal,
): Promise<void> {
  const offered = await control.command('AUTH TLS', signal);
  if (offered.code !== 234) throw new ConnectorError('certificateMissing', `the server offers no TLS: ${offered.code}`);
  await control.secure(dialer, { host, verify }, signal);
}

async function signIn(control: Control, config: FtpConfig, signal: AbortSignal): Promise<void> {
  const user = await control.command(`USER ${wire(config.username)}`, signal);
  if (user.code === 230) return;
  if (user.code !== 331) {
    throw !config.secure && user.code >= 500 && (await wantsTls(control, signal))
      ? new ConnectorError('authType', `USER without TLS: ${user.code}`)
      : refusal(user, 'USER');
  }
  const password = await control.command(`PASS ${wire(config.password)}`, signal);
  if (password.code === 230 || password.code === 202) return;
  throw password.code === 530 && oneTooMany.test(password.lines.join(' ')) ? turnedAway(password, 'PASS') : refusal(password, 'PASS');
}

/**
 * ProFTPD and others refuse the login where others answer 421 (RFC 959, 5.4): only the text shows that the credentials are not at fault.
 */
const oneTooMany = /\b(?:max(?:imum)?|too many|limit)\b|already (?:connected|logged in)/i;

const turnedAway = ({ code }: Reply, what: string) =>
  new ConnectorError('rateLimited', `${what}: ${code}, too many connections`, { retryable: true });

/** Whether a server that refuses the user name before the password requires TLS: it offers TLS, or closes the connection. */
async function wantsTls(control: Control, signal: AbortSignal): Promise<boolean> {
  try {
    return (await readFeatures(control, signal)).has('AUTH');
  } catch (error) {
    if (isKind(error, 'interrupted')) return true;
    throw error;
  }
}

async function expectOk(control: Control, line: string, signal: AbortSignal): Promise<Reply> {
  const reply = await control.command(line, signal);
  if (reply.code >= 400) throw refusal(reply, line);
  return reply;
}

async function readFeatures(control: Control, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const { code, lines } = await control.command('FEAT', signal);
  if (code !== 211) return new Set();
  return new Set(lines.slice(1, -1).map((line) => (line.trim().split(/[ ;]/)[0] ?? '').toUpperCase()));
}

async function startFolder(control: Control, { path }: FtpConfig, signal: AbortSignal): Promise<string> {
  const plain = path.replace(/\/+$/, '');
  if (plain.startsWith('/') || path === '/') return plain;
  const home = quotedFolder((await expectOk(control, 'PWD', signal)).lines[0] ?? '') ?? '/';
  const root = home.replace(/\/+$/, '');
  return plain === '' ? root : `${root}/${plain}`;
}

interface SessionParts extends Pick<Session, 'control' | 'features' | 'base'> {
  readonly config: FtpConfig;
  readonly verify: CertificateRule;
}

function createSession({ control, config, verify, features, base }: SessionParts): Session {
  /** Whether the server supports EPSV; undefined until it was tried. */
  let extended: boolean | undefined;
  const line = (command: string, path: string): string => `${command} ${wirePath(base, path)}`;

  /** Sends no lines ahead before EPSV has worked once: if the server had no port for the data connection, it would open one itself. */
  async function extendedPassive(signal: AbortSignal, lines: readonly string[]) {
    const ahead = extended ? lines : [];
    const series = control.series(['EPSV', ...ahead], signal);
    const reply = await series.next();
    const port = reply.code === 229 ? extendedPort(reply.lines.join('')) : undefined;
    if (port === undefined && ahead.length > 0) {
      control.close();
      throw new ConnectorError('interrupted', `EPSV: ${reply.code} after it had worked`, { retryable: true });
    }
    const isFirst = extended !== true;
    extended = port !== undefined;
    return port === undefined ? undefined : { port, series: isFirst ? control.series(lines, signal) : series };
  }

  return {
    control,
    features,
    base,
    get dead() {
      return control.dead;
    },
    async check(signal) {
      try {
        return (await control.command('NOOP', signal, deadlines.check)).code < 400;
      } catch (error) {
        if (error instanceof ConnectorError && error.kind !== 'aborted') return false;
        throw error;
      }
    },
    close: () => control.close(),
    line,
    about: (command, path, signal) => control.command(line(command, path), signal),
    async passive(signal, lines) {
      const given = extended === false ? undefined : await extendedPassive(signal, lines);
      if (given) return given;
      const reply = await expectOk(control, 'PASV', signal);
      const port = passivePort(reply.lines.join(''));
      if (port === undefined) throw new ConnectorError('unexpected', 'PASV names no port');
      return { port, series: control.series(lines, signal) };
    },
    dataTarget(port) {
      const session = control.session();
      return {
        host: control.address,
        port,
        ...(config.secure && { tls: { verify, servername: config.host, ...(session && { session }) } }),
      };
    },
  };
}
