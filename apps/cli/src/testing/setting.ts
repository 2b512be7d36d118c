import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { type TestContext, after } from 'node:test';
import { type Call, type InputOf, type ReplyOf, createAuthCode, emailSignup, familyCalls, premiumTrial, products } from '@sheaf/contract';
import { type RunningServer, eventually, freePort, spawnOwned, startFileServer, startProcess } from '@sheaf/testbed';

const program = join(import.meta.dirname, '../main.ts');
const serverProgram = join(import.meta.dirname, '../../../server/src/main.ts');

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A running program. */
export interface Running {
  readonly ended: Promise<Ran>;
  err(): string;
  signal(name: 'SIGINT' | 'SIGKILL'): void;
}

export interface Setting {
  readonly url: string;
  readonly email: string;
  /** Folder behind the link "Attic". */
  readonly source: string;
  /** A local folder for uploads and downloads. */
  readonly local: string;
  /** Settings folder of the program. */
  readonly kept: string;
  /** Sends a call as the user in a browser. */
  ask<C extends Call>(call: C, input: Omit<InputOf<C>, 'rTag'>): Promise<ReplyOf<C>>;
  authCode(): Promise<string>;
  /** Runs the program to its end. */
  sheaf(...args: readonly string[]): Promise<Ran>;
  /** Like `sheaf`, with standard input. */
  sheafWith(input: string, ...args: readonly string[]): Promise<Ran>;
  start(...args: readonly string[]): Running;
  /** The same, with this PATH. */
  withPath(PATH: string): Pick<Setting, 'sheaf' | 'start'>;
  /** Writes files below a folder; modified 2026-01-02 by default. */
  put(folder: string, files: Readonly<Record<string, string>>, modified?: Date): Promise<void>;
  text(folder: string, path: string): Promise<string>;
}

const day = new Date('2026-01-02T03:04:05Z');

interface Sheaf {
  readonly url: string;
  readonly server: RunningServer;
  readonly data: string;
}
/** Shared by all tests of a file, because it starts slowly. */
let running: Promise<Sheaf> | undefined;
let people = 0;
after(async () => {
  if (running === undefined) return;
  const { server, data } = await running;
  await server.stop();
  await rm(data, { recursive: true, force: true });
});

async function startSheaf(): Promise<Sheaf> {
  const data = await mkdtemp(join(tmpdir(), 'sheaf-cli-server-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { SHEAF_PORT: String(port), SHEAF_SFTP_PORT: String(await freePort()), SHEAF_DATA_DIR: data, SHEAF_PUBLIC_URL: url };
  const server = await startProcess({ command: execPath, args: [serverProgram], env, ready: port });
  await eventually(async () => (await fetch(`${url}/readyz`)).ok, 'the server is ready');
  return { url, server, data };
}

/** Node's compile cache, if configured: the program is started many times. */
const cache: Readonly<Record<string, string>> = process.env['NODE_COMPILE_CACHE']
  ? { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }
  : {};

interface SettingOptions {
  readonly signedIn?: boolean;
  readonly hasPremium?: boolean;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Sets up a running Sheaf with a user for this test, whose link "Attic" is a real file server; removed at the end of the test. */
export async function setting(t: TestContext, { signedIn = true, hasPremium = true, env = {} }: SettingOptions = {}): Promise<Setting> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-cli-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [local, kept] = [join(folder, 'local'), join(folder, 'kept')];
  await mkdir(local);
  const attic = await startFileServer({ keys: false });
  t.after(() => attic.stop());
  const { url } = await (running ??= startSheaf());
  const email = `mara-${(people += 1)}@example.org`;
  const browser = createBrowser(url);
  await browser(emailSignup, { name: 'Mara', email, password: 'correct horse battery' });
  const connectionInfo = JSON.stringify({ server: attic.url, username: attic.user, password: attic.password });
  if (hasPremium) await browser(premiumTrial, { trialDays: products.premium.trialDays });
  await browser(familyCalls.ofs.add, { connectionInfo, serverName: 'Attic' });

  const start = (args: readonly string[], input?: string, more: Readonly<Record<string, string>> = {}): Running => {
    const child = spawnOwned(execPath, [program, ...args], {
      env: { HOME: folder, SHEAF_CLI_DIR: kept, ...cache, ...env, ...more },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.stdin?.end(input ?? '');
    const ended = new Promise<Ran>((resolve) => child.once('close', (code) => resolve({ code, out, err })));
    t.after(() => child.kill('SIGKILL'));
    return { ended, err: () => err, signal: (name) => child.kill(name) };
  };
  const authCode = async (): Promise<string> => (await browser(createAuthCode, { name: 'Laptop' })).authCode;
  const sheafWith = (input: string, ...args: readonly string[]): Promise<Ran> => start(args, input).ended;
  if (signedIn) assert.equal((await sheafWith(await authCode(), 'sign-in', url)).code, 0);
  return {
    url,
    email,
    source: attic.root,
    local,
    kept,
    ask: browser,
    authCode,
    sheaf: (...args) => start(args).ended,
    sheafWith,
    start: (...args) => start(args),
    withPath: (PATH) => ({ sheaf: (...args) => start(args, '', { PATH }).ended, start: (...args) => start(args, '', { PATH }) }),
    async put(below, files, modified = day) {
      for (const [path, content] of Object.entries(files)) {
        const file = join(below, path);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, content);
        await utimes(file, modified, modified);
      }
    },
    text: (below, path) => readFile(join(below, path), 'utf8'),
  };
}

/** Waits for the code that a running program shows to sign in or to mount a drive. */
export async function codeOf(running: Running): Promise<string> {
  const shown = (): string | undefined => /^ {4}([A-Z]{4}-[A-Z]{4})$/m.exec(running.err())?.[1];
  await eventually(async () => shown() !== undefined, 'the code is shown');
  return shown() ?? '';
}

/** Sends calls as a user's browser does: keeps cookies, and sends `rTag` with every write. */
function createBrowser(url: string) {
  const cookies = new Map<string, string>();
  return async <C extends Call>({ method, path }: C, input: Omit<InputOf<C>, 'rTag'>): Promise<ReplyOf<C>> => {
    const isGet = method === 'GET';
    const fields = new URLSearchParams({ ...(input as Record<string, string>), rTag: cookies.get('sh') ?? '' });
    const answer = await fetch(url + path + (isGet ? `?${fields.toString()}` : ''), {
      method,
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(isGet ? {} : { body: fields }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    const isFile = answer.headers.has('content-disposition');
    return isFile ? (text as ReplyOf<C>) : (JSON.parse(text) as { data: ReplyOf<C> }).data;
  };
}
